const fs = require("fs");

if (process.argv[2] === "good") {
  const fd = fs.openSync("log", "a");
  let text = "";
  for (let i = 0; i < 30000; i++) {
    text += `record ${i}\n`;
    if (text.length > 65536) {
      fs.writeSync(fd, text);
      text = "";
    }
  }
  fs.writeSync(fd, text);
} else {
  for (let i = 0; i < 30000; i++) fs.appendFileSync("log", `record ${i}\n`);
}
