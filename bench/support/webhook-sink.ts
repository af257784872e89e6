/** A receiver in a separate process: `/hang` never answers, any other path answers at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let answered = 0;
const server = createServer((request, response) => {
  if (request.url?.startsWith('/hang')) return;
  request.resume().on('end', () => {
    answered += 1;
    response.end('ok');
    if (answered % 100 === 0) process.send?.({ answered });
  });
});
server.keepAliveTimeout = 60_000;
// Listens on every loopback address, because each is a separate origin.
server.listen(0, '0.0.0.0', () => process.send?.({ port: (server.address() as AddressInfo).port }));
