#!/usr/bin/env php
// SPDX-License-Identifier: GPL-2.0
// PHP renders pages of four templates each, and reads these from their files for each page; mended,
// each is read once and kept
<?php
$keep = $argv[1] === 'good';
$cache = [];
function part($name) {
    global $keep, $cache;
    if (!$keep)
        return file_get_contents("t/$name.html");
    if (!isset($cache[$name]))
        $cache[$name] = file_get_contents("t/$name.html");
    return $cache[$name];
}
$bytes = 0;
$sum = 0;
for ($page = 0; $page < 25000; $page++) {
    $html = '';
    foreach ([0, 1 + $page % 5, 6 + $page % 5, 11] as $p)
        $html .= strtr(part("part$p"), ['{{name}}' => "page $page", '{{total}}' => '25000']);
    $bytes += strlen($html);
    $sum ^= crc32(sha1($html) . md5($html));
}
echo "$bytes $sum\n";
