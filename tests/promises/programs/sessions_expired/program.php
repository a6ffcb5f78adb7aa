<?php
// SPDX-License-Identifier: GPL-2.0
// Removes the sessions that are older than a limit, and logs each without giving away its name.

$limit = strtotime('2020-06-01 00:00:00 UTC');
$log = '';
$removed = $kept = 0;
foreach (scandir('sessions') as $name) {
	if (!str_starts_with($name, 'sess_'))
		continue;
	$path = "sessions/$name";
	if (filemtime($path) >= $limit) {
		$kept++;
		continue;
	}
	$log .= hash_pbkdf2('sha256', $name, 'of the day', 20, 16) . ' ' . filesize($path) . "\n";
	unlink($path);
	$removed++;
}
file_put_contents('removed.log', $log);
echo "$removed removed, $kept kept\n";
