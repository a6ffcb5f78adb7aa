// SPDX-License-Identifier: GPL-2.0
// Scales small images to a quarter, and writes all of them into one sheet.
'use strict';
const crypto = require('crypto');
const fs = require('fs');

const SIDE = 96;
const COUNT = 4000;

function render(number) {
	const image = Buffer.alloc(SIDE * SIDE);
	for (let i = 0; i < image.length; i++)
		image[i] = (i * number) & 255;
	return image;
}

function scale(image) {
	const small = Buffer.alloc(image.length / 4);
	const half = SIDE / 2;
	for (let y = 0; y < half; y++)
		for (let x = 0; x < half; x++)
			small[y * half + x] = image[2 * y * SIDE + 2 * x];
	return small;
}

// The two steps hand the image on in a file.
function byFile(image) {
	fs.writeFileSync('step.tmp', image);
	const result = scale(fs.readFileSync('step.tmp'));
	fs.unlinkSync('step.tmp');
	return result;
}

const step = process.argv[2] === 'bad' ? byFile : scale;
const sheet = [];
for (let number = 0; number < COUNT; number++)
	sheet.push(step(render(number)));
const all = Buffer.concat(sheet);
fs.writeFileSync('sheet.raw', all);
fs.writeFileSync('sheet.sum', crypto.createHash('sha256').update(all).digest('hex'));
