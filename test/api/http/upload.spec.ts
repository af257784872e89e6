import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { bytesOf } from '../../../src/api/http/upload.ts';
import { chunksOfAByte } from '../../support/api/chunks-of-a-byte.ts';

it('joins small chunks, and keeps their order', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { readonly port: number };
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const body = Array.from({ length: 20_000 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(
    '',
  );
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write(chunksOfAByte(body));
  const [request] = await once(server, 'request');
  const pieces: Buffer[] = [];
  const bounds = {
    signal: new AbortController().signal,
    silentMaxMs: 60_000,
    silent: () => new Error('silent'),
  };
  for await (const piece of bytesOf(request, bounds)) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(body);
  expect(pieces.length).toBeLessThan(body.length / 100);
});
