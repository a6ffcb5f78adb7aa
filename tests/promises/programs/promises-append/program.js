// SPDX-License-Identifier: GPL-2.0
const fs = require("fs").promises;

async function good() {
  const file = await fs.open("log", "a");
  let text = "";
  for (let i = 0; i < 3000; i++) {
    text += `record ${i}\n`;
    if (text.length > 65536) {
      await file.appendFile(text);
      text = "";
    }
  }
  await file.appendFile(text);
  await file.close();
}

async function bad() {
  for (let i = 0; i < 3000; i++) await fs.appendFile("log", `record ${i}\n`);
}

if (process.argv[2] === "good") good();
else bad();
