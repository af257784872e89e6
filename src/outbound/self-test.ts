import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untrustedHttp } from './untrusted-http.ts';

/**
 * Makes one real request to this process, which proves that the checked address is the one dialled,
 * whatever the name, and that redirects are not followed. Otherwise a changed library would be
 * noticed first by an attacker.
 *
 * @throws If the client cannot be trusted, and must not be used.
 */
export const proveUntrustedHttp = async (): Promise<void> => {
  const hosts: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.writeHead(307, { location: '/followed', connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = untrustedHttp({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
  try {
    // The name does not exist: only the address can lead here.
    const host = `pinned.atrium-self-check.net:${port}`;
    const message = { headers: {}, body: Buffer.from('{}') };
    const reply = await client.post(`http://${host}/`, message, new AbortController().signal);
    const obeys = 'status' in reply && reply.status === 307 && hosts.join() === host;
    if (!obeys) throw new Error(`webhooks cannot be sent safely: ${JSON.stringify(reply)}`);
  } finally {
    await client.close();
    server.close();
  }
};
