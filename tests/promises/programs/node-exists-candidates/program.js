#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0
// Node resolves imports by asking for each candidate (.mjs, .js, ...) whether it exists, again for
// each importer; mended, each folder is listed once and looked up in a Set
const fs = require('fs');
const crypto = require('crypto');
const listOnce = process.argv[2] === 'good';
const ends = ['', '.mjs', '.js', '.cjs', '.ts', '.tsx', '.jsx', '.json'];
const folders = new Map();
function exists(dir, name) {
    if (!listOnce)
        return fs.existsSync(dir + '/' + name);
    let names = folders.get(dir);
    if (!names)
        folders.set(dir, names = new Set(fs.readdirSync(dir)));
    return names.has(name);
}
function resolve(dir, name) {
    for (const end of ends)
        if (exists(dir, name + end))
            return dir + '/' + name + end;
    throw new Error('no ' + dir + '/' + name);
}
const hash = crypto.createHash('sha256');
let n = 0;
for (let importer = 0; importer < 1500; importer++)
    for (let i = 0; i < 40; i++) {
        const k = 1 + (importer * 7 + i * 3) % 60;
        const path = i % 2 ? resolve('lib', 'm' + k) : resolve('src', 's' + k);
        for (let k = 0; k < 4; k++)
            hash.update(path + k);
        n++;
    }
console.log(n, hash.digest('hex').slice(0, 16));
