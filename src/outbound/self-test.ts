import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untrustedHttp } from './untrusted-http.ts';

/**
 * Makes one real request, to this very process, and looks at what became of it: that the address
 * which was looked at is the one that is dialled, whatever the name, and that nothing is followed.
 * A library that went its own way would otherwise be noticed by whoever uses it to reach inside.
 *
 * @throws If the client cannot be trusted. Nobody is to be called with it.
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
    // No such name is ever given out: only the address can have led here.
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
