<?php
// SPDX-License-Identifier: GPL-2.0
// Renders letters from compiled templates, and compiles one again if its source has changed.

class Engine
{
	private array $compiled = [];

	public function __construct(private bool $checks)
	{
	}

	private function template(string $name): array
	{
		$file = "templates/$name.tpl";
		if (isset($this->compiled[$name]) && !$this->checks)
			return $this->compiled[$name];
		clearstatcache(true, $file);
		$time = filemtime($file);
		if (($this->compiled[$name]['time'] ?? 0) !== $time)
			$this->compiled[$name] = ['time' => $time, 'text' => file_get_contents($file)];
		return $this->compiled[$name];
	}

	public function render(int $number): string
	{
		$letter = '';
		foreach (['head', 'logo', 'address', 'greeting', 'body', 'table', 'sum', 'foot'] as $part)
			$letter .= str_replace('%n', (string)$number, $this->template($part)['text']);
		return $letter;
	}
}

$engine = new Engine($argv[1] === 'bad');
$sum = 0;
for ($i = 0; $i < 40000; $i++)
	$sum = ($sum * 31 + crc32($engine->render($i))) % 1000000007;
echo "$sum\n";
