import { createServer, type AddressInfo } from 'node:net';

/**
 * A port that was free a moment ago, for servers whose address must be known before they listen.
 */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().on('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
