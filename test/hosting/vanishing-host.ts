/** A server with a backlog of one connection. Sends its port to the parent process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((_, response) => response.end('ok'));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  process.send!((server.address() as AddressInfo).port);
});
