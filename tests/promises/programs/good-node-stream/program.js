const out = require("fs").createWriteStream("out");

for (let i = 0; i < 200000; i++) out.write(`line ${i}\n`);
out.end();
