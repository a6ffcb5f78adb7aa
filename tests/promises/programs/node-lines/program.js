const fs = require("fs");
const fd = fs.openSync("out", "w");
let text = "";

for (let i = 0; i < 150000; i++) {
  if (process.argv[2] !== "good") {
    fs.writeSync(fd, `line ${i}\n`);
    continue;
  }
  text += `line ${i}\n`;
  if (text.length > 65536) {
    fs.writeSync(fd, text);
    text = "";
  }
}
fs.writeSync(fd, text);
