<?php
// SPDX-License-Identifier: GPL-2.0
// Digests three parts of each backup file while it goes through it once, 8 KiB at a time.

$whole = hash_init('sha512');
foreach (glob('backup.*') as $name) {
    $file = fopen($name, 'rb');
    $one = hash_init('sha256');
    while (!feof($file)) {
        $piece = fread($file, 8192);
        hash_update($one, $piece);
        hash_update($whole, $piece);
    }
    fclose($file);
    echo hash_final($one), '  ', $name, "\n";
}
echo hash_final($whole), "\n";
