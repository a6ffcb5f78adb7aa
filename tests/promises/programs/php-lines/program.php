<?php
// SPDX-License-Identifier: GPL-2.0
// Each fwrite() to a file is a write. Lines are gathered in a string instead.
$good = $argv[1] === "good";
$out = fopen("out", "w");
$text = "";
for ($i = 0; $i < 150000; $i++) {
    $text .= "line $i\n";
    if (!$good || strlen($text) > 65536) {
        fwrite($out, $text);
        $text = "";
    }
}
fwrite($out, $text);
fclose($out);
