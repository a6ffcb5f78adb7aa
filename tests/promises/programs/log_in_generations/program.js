// SPDX-License-Identifier: GPL-2.0
// Writes a log by pieces of 64 KiB; a full one is renamed, and four older ones are kept.
'use strict';
const fs = require('fs');

const FULL = 1 << 20;
const PIECE = 1 << 16;
let fd = fs.openSync('app.log', 'w');
let size = 0;
let lines = [];
let waiting = 0;

function rotate() {
  fs.closeSync(fd);
  fs.rmSync('app.log.4', { force: true });
  for (let i = 3; i > 0; i--) {
    if (fs.existsSync(`app.log.${i}`)) fs.renameSync(`app.log.${i}`, `app.log.${i + 1}`);
  }
  fs.renameSync('app.log', 'app.log.1');
  fd = fs.openSync('app.log', 'w');
  size = 0;
}

function flush() {
  size += fs.writeSync(fd, lines.join(''));
  lines = [];
  waiting = 0;
  if (size >= FULL) rotate();
}

let state = 1;
for (let i = 0; i < 250000; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  const time = new Date(1700000000000 + i * 37).toISOString();
  const what = { request: i, took: state >>> 20, path: `/shop/${state % 977}` };
  const line = `${time} ${JSON.stringify(what)}\n`;
  lines.push(line);
  waiting += line.length;
  if (waiting >= PIECE) flush();
}
flush();
fs.closeSync(fd);
