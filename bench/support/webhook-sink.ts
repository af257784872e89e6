/** A receiver in a process of its own: `/hang` never answers, everything else does at once. */
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
// Every loopback address: each is an origin of its own.
server.listen(0, '0.0.0.0', () => process.send?.({ port: (server.address() as AddressInfo).port }));
