/** `fetch` that knows which names are this machine: RFC 6761, section 6.3. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { nodeFetch } from '../../packages/sdk/src/node.ts';

/** A server that answers with the status in the path; a path without one is not answered. */
const serving = async () => {
  const asked: { readonly line: string; readonly host?: string; readonly body: string }[] = [];
  const heard = Promise.withResolvers<void>();
  const read = async (request: IncomingMessage) => {
    const { method, url, headers } = request;
    const body = await text(request);
    asked.push({ line: `${method} ${url}`, host: headers.host!, body });
    heard.resolve();
    return Number(url!.slice(1));
  };
  const server = createServer((request, response) => {
    const answered = (status: number) => {
      if (status) response.writeHead(status, { 'x-said': 'yes' }).end(status === 200 ? 'ü' : '');
    };
    read(request).then(answered, () => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `a.sandbox.localhost:${(server.address() as AddressInfo).port}`;
  return { asked, heard: heard.promise, host, url: `http://${host}` };
};

it('reaches a name below localhost, and sends it as Host', async () => {
  const { url, host, asked } = await serving();
  const answer = await nodeFetch(new Request(`${url}/200`, { method: 'POST', body: 'ä' }));
  expect([answer.status, answer.headers.get('x-said'), await answer.text()]).toEqual([
    200,
    'yes',
    'ü',
  ]);
  expect(asked).toEqual([{ line: 'POST /200', host, body: 'ä' }]);
});

it('gives an answer without a body', async () => {
  const { url } = await serving();
  const answer = await nodeFetch(new Request(`${url}/204`, { method: 'DELETE' }));
  expect([answer.status, answer.body]).toEqual([204, null]);
});

it('ends with its signal', async () => {
  const { url, heard } = await serving();
  const ended = new AbortController();
  const asked = nodeFetch(new Request(`${url}/`, { signal: ended.signal }));
  const [failed] = await Promise.allSettled([asked, heard.then(() => ended.abort())]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
});

it('is the fetch of the platform for all others', async () => {
  const { url, host } = await serving();
  const here = url.replace(host, `127.0.0.1:${host.split(':')[1]}`);
  expect((await nodeFetch(new Request(`${here}/200`))).url).toBe(`${here}/200`);
});
