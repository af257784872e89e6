import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ATTACHMENT_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { SCAN_ATTEMPTS_MAX } from '../../../src/files/limits.ts';
import { clamdAt } from '../../../src/files/scanner/clamd.ts';
import { ScannerUnavailable } from '../../../src/files/scanner/scanner.ts';
import { hasClamd, MALWARE, SIGNATURE, startClamd, type TestClamd } from '../../support/clamd.ts';
import { inPieces } from '../../support/pictures.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A scripted scanner: `heard` handles each connection. */
const scripted = async (heard: (socket: Socket, count: number) => void) => {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    heard(socket, count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port };
  return { address, scanner: clamdAt(address, { pauseMs: 1 }), count: () => count };
};

/** Answers once the whole file has come, with its bytes. */
const answering = (socket: Socket, answer: (bytes: Buffer) => string) => {
  let heard = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    heard = Buffer.concat([heard, bytes]);
    if (!heard.subarray(-4).equals(Buffer.alloc(4))) return;
    socket.end(`${answer(heard)}\0`);
  });
};

const text = (content: string) => () => inPieces(Buffer.from(content), 3);

describe('a scan by clamd', () => {
  it('sends each piece with its length, and an empty one at the end', async () => {
    let sent = '';
    const { scanner } = await scripted((socket) =>
      answering(socket, (bytes) => {
        sent = bytes.toString('latin1');
        return 'stream: OK';
      }),
    );
    expect(await scanner.scan(text('leak'))).toBeNull();
    expect(sent).toBe('zINSTREAM\0\0\0\0\x03lea\0\0\0\x01k\0\0\0\0');
  });

  it('returns the name of the finding', async () => {
    const { scanner } = await scripted((socket) => answering(socket, () => 'stream: Eicar FOUND'));
    expect(await scanner.scan(text('x'))).toBe('Eicar');
  });

  it('is tried again where the scanner hangs up, with all bytes', async () => {
    const { scanner, count } = await scripted((socket, attempt) => {
      if (attempt < SCAN_ATTEMPTS_MAX) socket.once('data', () => socket.destroy());
      else answering(socket, (bytes) => `stream: ${bytes.includes('leak') ? 'OK' : 'x FOUND'}`);
    });
    expect(await scanner.scan(() => inPieces(Buffer.from('leak')))).toBeNull();
    expect(count()).toBe(SCAN_ATTEMPTS_MAX);
  });

  it('is not tried for ever', async () => {
    const { scanner, count } = await scripted((socket) => socket.destroy());
    await expect(scanner.scan(text('x'))).rejects.toThrow(ScannerUnavailable);
    expect(count()).toBe(SCAN_ATTEMPTS_MAX);
  });

  it('ends where there is no answer in time', async () => {
    const { address } = await scripted(() => {});
    const scanner = clamdAt(address, { withinMs: 20, pauseMs: 1 });
    await expect(scanner.scan(text('x'))).rejects.toThrow('no answer within 0.02 s');
  });

  it.each(['INSTREAM size limit exceeded. ERROR', 'stream: OK and more', 'FOUND'])(
    'never treats %j as clean',
    async (answer) => {
      const { scanner, count } = await scripted((socket) => answering(socket, () => answer));
      await expect(scanner.scan(text('x'))).rejects.toThrow(ScannerUnavailable);
      expect(count()).toBe(1);
    },
  );

  it('fails with the error of the bytes', async () => {
    const { scanner } = await scripted((socket) => answering(socket, () => 'stream: OK'));
    const failing = async function* () {
      yield Buffer.from('x');
      throw new Error('the disk is gone');
    };
    await expect(scanner.scan(failing)).rejects.toThrow('the disk is gone');
  });

  it('reports why the scanner is unavailable', async () => {
    const { address, scanner } = await scripted((socket) => socket.end('what?\0'));
    expect(await scanner.ready()).toBe('the scanner answered what?');
    for (const close of closing.splice(0)) await close();
    expect(await clamdAt(address).ready()).toMatch(/^the scanner is away: .*ECONNREFUSED/);
  });
});

describe.skipIf(!hasClamd)('a scan by a real clamd (skipped without clamd on the PATH)', () => {
  let clamd: TestClamd;
  beforeAll(async () => {
    clamd = await startClamd();
  });
  afterAll(() => clamd.stop());

  it('finds a signature, also in the largest file', async () => {
    const scanner = clamdAt(clamd);
    expect(await scanner.scan(text('leak'))).toBeNull();
    expect(await scanner.scan(text(`x ${MALWARE} y`))).toBe(SIGNATURE);
    const largest = Buffer.alloc(ATTACHMENT_BYTES_MAX, 'a');
    expect(await scanner.scan(() => inPieces(largest))).toBeNull();
    expect(await scanner.ready()).toBe(true);
  });

  it('is not made of a file over its size limit', async () => {
    const small = await startClamd(1);
    closing.push(() => small.stop());
    const scan = clamdAt(small).scan(() => inPieces(Buffer.alloc(3 * 1024 * 1024)));
    await expect(scan).rejects.toThrow(ScannerUnavailable);
  });
});
