// SPDX-License-Identifier: GPL-2.0
// Adds up the readings of a file of 16-byte records, as a stream.
const fs = require('fs');

const options = process.argv[2] === 'bad' ? { highWaterMark: 64 } : {};
const sums = new Array(16).fill(0);
let rest = Buffer.alloc(0);

fs.createReadStream('readings.bin', options)
  .on('data', (piece) => {
    const data = rest.length ? Buffer.concat([rest, piece]) : piece;
    let at = 0;
    for (; at + 16 <= data.length; at += 16) sums[data.readUInt32LE(at) % 16] += data.readUInt32LE(at + 4);
    rest = data.subarray(at);
  })
  .on('end', () => fs.writeFileSync('sums.txt', sums.join('\n') + '\n'));
