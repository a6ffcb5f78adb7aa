// SPDX-License-Identifier: GPL-2.0
// Derives keys from passwords in the pool of threads, and says how far it is.
const crypto = require('crypto');
const fs = require('fs');

const good = process.argv[2] === 'good';
const progress = fs.openSync('progress.txt', 'w');
const keys = [];
let text = '';
let next = 0;
let done = 0;

function one() {
  const i = next++;
  if (i >= 240) return;
  crypto.pbkdf2(`password${i}`, `salt${i}`, 20000, 32, 'sha256', (error, key) => {
    if (error) throw error;
    keys[i] = key.toString('hex');
    const line = `${++done} of 240\n`;
    if (good) text += line;
    else fs.writeSync(progress, line);
    if (done === 240) {
      if (good) fs.writeSync(progress, text);
      fs.writeFileSync('keys.txt', keys.join('\n') + '\n');
    }
    one();
  });
}

for (let i = 0; i < 4; i++) one();
