/** Bodies as lines, read as they come. contract.md section 1. */
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokenRequest } from '../../../src/api/http/broken-requests.ts';
import { linesOf, type LineBounds } from '../../../src/api/http/ndjson.ts';
import { CallerGone } from '../../../src/api/http/permits.ts';
import { bytesOf } from '../../../src/api/http/upload.ts';

const wide: LineBounds = {
  lineBytesMax: 1_000,
  linesMax: 1_000,
  bytesMax: 100_000,
  tooMuch: (bound) => new Error(bound),
};

const inChunks = async function* (text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text);
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
};

const read = async (
  text: string,
  over: Partial<LineBounds> = {},
  sizes: readonly number[] = [],
) => {
  const lines: [number, string | null][] = [];
  const bounds = { ...wide, ...over };
  try {
    for await (const { number, json } of linesOf(inChunks(text, sizes), bounds))
      lines.push([number, json && json.toString()]);
    return { lines, error: null };
  } catch (error) {
    return { lines, error: (error as Error).message };
  }
};

describe('lines of a body', () => {
  it('are the same however the body is cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', '漢', '\u2028', ' ', '\r', '\n', 'bcd')),
        fc.array(fc.nat({ max: 5 })),
        async (parts, sizes) => {
          const text = parts.join('');
          const expected = text
            .split('\n')
            .map((line, index): [number, string] => [index + 1, line])
            .filter(([, line]) => line.replaceAll(/[ \r]/g, '') !== '');
          expect(await read(text, {}, sizes)).toEqual({ lines: expected, error: null });
        },
      ),
      { numRuns: 200 },
    ));

  it('are reported without their text when too long, and later lines follow', async () => {
    const text = `${'x'.repeat(5)}\n${'y'.repeat(6)}\nz`;
    const lines = [
      [1, 'xxxxx'],
      [2, null],
      [3, 'z'],
    ];
    expect(await read(text, { lineBytesMax: 5 }, [1, 1, 5, 1])).toEqual({ lines, error: null });
    expect((await read('y'.repeat(6), { lineBytesMax: 5 })).lines).toEqual([[1, null]]);
  });

  it('end at the limit of lines or bytes, after the lines before', async () => {
    expect(await read('a\n\nb\nc', { linesMax: 3 })).toEqual({
      lines: [
        [1, 'a'],
        [3, 'b'],
      ],
      error: 'lines',
    });
    expect(await read('a\nb\nc\n', { linesMax: 3 })).toMatchObject({ error: null });
    expect(await read('aa\nbb\ncc', { bytesMax: 6 }, [4])).toEqual({
      lines: [
        [1, 'aa'],
        [2, 'bb'],
      ],
      error: 'bytes',
    });
    expect(await read('aa\nbb', { bytesMax: 5 })).toMatchObject({ error: null });
  });
});

describe('the bytes of a body', () => {
  /** The lines that a server's handler reads of the body that `send` sends. */
  const reading = async (
    send: (sender: ReturnType<typeof request>) => void,
    read: (body: IncomingMessage) => Promise<string>,
  ): Promise<string> => {
    const outcome = Promise.withResolvers<string>();
    const server = createServer((incoming, response) => {
      const answering = read(incoming).finally(() => response.end());
      answering.then(outcome.resolve, outcome.reject);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const sender = request({ port, method: 'POST' }).on('error', () => {});
    sender.on('response', (answer) => answer.resume());
    send(sender);
    return outcome.promise;
  };
  const textOf = async (bytes: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const bounds = {
    signal: new AbortController().signal,
    silentMaxMs: 60_000,
    silent: () => new Error('silent'),
  };

  it('arrive as sent, without loss for a slow reader', async () => {
    const sent = 'abc'.repeat(100_000);
    const got = await reading(
      (sender) => {
        sender.write(sent.slice(0, 7));
        sender.end(sent.slice(7));
      },
      async (body) => {
        await new Promise(setImmediate);
        return textOf(bytesOf(body, bounds));
      },
    );
    expect(got === sent).toBe(true);
  });

  it('are none of an empty body', async () => {
    const got = reading(
      (sender) => sender.end(),
      (body) => textOf(bytesOf(body, bounds)),
    );
    expect(await got).toBe('');
  });

  it('are no whole body where the sender breaks off', async () => {
    const got = reading(
      (sender) => {
        sender.write('abc');
        sender.once('socket', (socket) => socket.once('connect', () => sender.flushHeaders()));
      },
      async (body) => {
        body.once('readable', () => body.socket.destroy());
        return textOf(bytesOf(body, bounds));
      },
    );
    await expect(got).rejects.toThrow(CallerGone);
  });

  it('are waited for no longer than is said, nor after the signal', async () => {
    const silent = reading(
      (sender) => void sender.write('a'),
      (body) => textOf(bytesOf(body, { ...bounds, silentMaxMs: 20 })),
    );
    await expect(silent).rejects.toThrow('silent');
    const over = new AbortController();
    const ended = reading(
      (sender) => void sender.write('a'),
      (body) => {
        body.once('readable', () => over.abort(new Error('stopping')));
        return textOf(bytesOf(body, { ...bounds, signal: over.signal }));
      },
    );
    await expect(ended).rejects.toThrow('stopping');
  });

  it('may arrive more slowly than those of other bodies', async () => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    let send: (rest: string) => void = () => {};
    const got = await reading(
      (sender) => {
        sender.write('a');
        send = (rest) => sender.end(rest);
      },
      (body) => {
        const text = textOf(bytesOf(body, bounds));
        brokenRequest(late, body.socket);
        send('b');
        return text;
      },
    );
    expect(got).toBe('ab');
  });
});
