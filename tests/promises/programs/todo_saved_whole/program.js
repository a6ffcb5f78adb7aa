// SPDX-License-Identifier: GPL-2.0
// Takes in tasks from a list, and keeps all of them in one file of JSON.
const fs = require('fs');

const bad = process.argv[2] === 'bad';
const tasks = JSON.parse(fs.readFileSync('tasks.json', 'utf8'));

function save() {
	fs.writeFileSync('tasks.json', JSON.stringify(tasks));
}

for (const title of fs.readFileSync('incoming.txt', 'utf8').trimEnd().split('\n')) {
	tasks.push({ id: tasks.length, title, done: false, tags: ['new', title.slice(-1)] });
	if (bad)
		save();
}
if (!bad)
	save();
console.log(tasks.length, 'tasks');
