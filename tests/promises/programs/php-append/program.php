<?php
// SPDX-License-Identifier: GPL-2.0
// Opens the log for each record, or once.
if ($argv[1] === "good") {
    $log = fopen("log", "a");
    $text = "";
    for ($i = 0; $i < 20000; $i++) {
        $text .= "record $i\n";
        if (strlen($text) > 65536) {
            fwrite($log, $text);
            $text = "";
        }
    }
    fwrite($log, $text);
    fclose($log);
} else {
    for ($i = 0; $i < 20000; $i++) {
        file_put_contents("log", "record $i\n", FILE_APPEND);
    }
}
