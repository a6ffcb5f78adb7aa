// SPDX-License-Identifier: GPL-2.0
// Streams prices to a browser as they come, one every four milliseconds.
const http = require('http');

let sent = 0;
const server = http.createServer((request, response) => {
	response.writeHead(200, { 'Content-Type': 'text/event-stream' });
	const timer = setInterval(() => {
		sent++;
		response.write(`id: ${sent}\ndata: {"price": ${100 + sent * 7 % 13}}\n\n`);
		if (sent === 100) {
			clearInterval(timer);
			response.end();
		}
	}, 4);
});

server.listen(0, '127.0.0.1', () => {
	http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => {
		let text = '';
		response.setEncoding('utf8');
		response.on('data', (piece) => { text += piece; });
		response.on('end', () => {
			console.log(text.split('\n\n').length - 1, 'prices');
			server.close();
		});
	});
});
