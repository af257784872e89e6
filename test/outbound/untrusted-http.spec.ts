import { createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { bodySignature, signingKeys, standardSignature } from '../../src/outbound/signatures.ts';
import { proveUntrustedHttp } from '../../src/outbound/self-test.ts';
import {
  untrustedHttp,
  type UntrustedHttp,
  type UntrustedHttpParts,
} from '../../src/outbound/untrusted-http.ts';
import { truncatedText } from '../../src/outbound/truncated-text.ts';
import { receiver, socketReceiver, tlsReceiver } from '../support/outbound/receivers.ts';
import { hasOpenssl } from '../support/programs.ts';
import { until } from '../support/until.ts';

const message = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };
const going = new AbortController().signal;
/** Deadline of an endless answer, whose first bytes arrive sooner on any machine. */
const ENDLESS_MS = 3_000;
const opened: UntrustedHttp[] = [];
const client = (over: Partial<UntrustedHttpParts> = {}): UntrustedHttp => {
  const made = untrustedHttp({ allowPrivate: true, resolve: async () => ['127.0.0.1'], ...over });
  opened.push(made);
  return made;
};
const post = (url: string, over: Partial<UntrustedHttpParts> = {}) =>
  client({ deadlineMs: 600_000, ...over }).post(url, message, going);

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

describe('a request', () => {
  it('sends body and headers to the path, and requests no compression', async () => {
    const seen: unknown[] = [];
    const { url } = await receiver(async (request, response) => {
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
      const { headers } = request;
      seen.push(request.method, request.url, Buffer.concat(chunks).toString(), [
        headers['content-type'],
        headers['accept-encoding'],
        request.httpVersion,
      ]);
      response.end('thanks');
    });
    const reply = await post(`${url}hook?a=1`);
    expect(reply).toEqual({ status: 200, body: 'thanks' });
    const headers = ['application/json', 'identity', '1.1'];
    expect(seen).toEqual(['POST', '/hook?a=1', '{"a":1}', headers]);
  });

  it('reuses the connection as long as the name resolves to the same address', async () => {
    const { port, connections } = await receiver((_, response) => response.end());
    const one = client();
    for (let times = 0; times < 20; times += 1)
      await one.post(`http://localhost:${port}/`, message, going);
    // A second one is opened while the first is not yet free.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('ignores the proxy settings of the environment', async () => {
    const proxy = await receiver((_, response) => response.end('proxy'));
    const { url } = await receiver((_, response) => response.end('itself'));
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url;
    try {
      expect(await post(url)).toEqual({ status: 200, body: 'itself' });
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  it('tries the next address where the first refuses the connection', async () => {
    const { port } = await receiver((_, response) => response.end());
    const resolve = async () => ['127.0.0.2', '127.0.0.1'];
    expect(await post(`http://many.example.org:${port}/`, { resolve })).toMatchObject({
      status: 200,
    });
  });

  it('can be aborted by its sender', async () => {
    const stop = new AbortController();
    const { url } = await receiver(() => stop.abort());
    expect(await client().post(url, message, stop.signal)).toEqual({ failure: 'interrupted' });
  });
});

describe('the addresses of a name', () => {
  const outside = { allowPrivate: false };
  const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'];

  it.each(inside)('refuse its registration where one is %s', async (address) => {
    const resolve = async () => ['1.1.1.1', address];
    const one = client({ ...outside, resolve });
    expect(await one.refusal('https://hook.example.org/')).toBe('not_public');
  });

  it('refuse its registration where there are none, or the lookup fails', async () => {
    const none = client({ ...outside, resolve: async () => [] });
    expect(await none.refusal('https://hook.example.org/')).toBe('not_resolvable');
    const broken = client({ ...outside, resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect(await broken.refusal('https://hook.example.org/')).toBe('not_resolvable');
    const silent = client({ ...outside, resolve: () => new Promise(() => {}), deadlineMs: 50 });
    expect(await silent.refusal('https://hook.example.org/')).toBe('not_resolvable');
  });

  it('permit its registration where all are public', async () => {
    const resolve = async () => ['1.1.1.1', '2606:4700:4700::1111'];
    expect(await client({ ...outside, resolve }).refusal('https://hook.example.org/')).toBeNull();
  });

  it('are checked again before each request: one that is now private is not called', async () => {
    const { port, connections } = await receiver((_, response) => response.end());
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '100.64.0.1']];
    const one = client({ resolve: async () => answers.shift() ?? [] });
    const url = `http://rebinds.example.org:${port}/`;
    expect(await one.post(url, message, going)).toMatchObject({ status: 200 });
    expect(await one.post(url, message, going)).toEqual({ failure: 'blocked_address' });
    expect(await one.post(url, message, going)).toEqual({ failure: 'blocked_address' });
    expect(await one.post(url, message, going)).toEqual({ failure: 'dns_error' });
    expect(connections()).toBe(1);
  });

  it('end its requests in progress when one is private by then', async () => {
    const arrived = Promise.withResolvers<void>();
    const { port } = await receiver(() => arrived.resolve());
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const one = client({ resolve: async () => answers.shift() ?? [], deadlineMs: 600_000 });
    const url = `http://rebinds.example.org:${port}/`;
    const first = one.post(url, message, going);
    await arrived.promise;
    expect(await one.post(url, message, going)).toEqual({ failure: 'blocked_address' });
    expect(await first).toEqual({ failure: 'closed_early' });
  });

  it('are resolved once, and the checked address is the one dialled', async () => {
    const { port } = await receiver((_, response) => response.end());
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    expect(await post(`http://rebinds.example.org:${port}/`, { resolve })).toMatchObject({
      status: 200,
    });
    expect(asked).toBe(1);
  });

  it('given literally are not dialled either unless public', async () => {
    const { port, connections } = await receiver((_, response) => response.end());
    const one = client({ ...outside });
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'])
      expect(await one.post(`https://${host}:${port}/`, message, going)).toHaveProperty('failure');
    expect(connections()).toBe(0);
  });
});

describe.skipIf(!hasOpenssl())('over TLS', () => {
  const name = 'hook.example.org';

  it('SNI and certificate check use the host name, whatever address is dialled', async () => {
    const hosts: unknown[] = [];
    const { url, ca } = await tlsReceiver(name, (request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    expect(await post(url, { ca })).toMatchObject({ status: 200 });
    expect(hosts).toEqual([new URL(url).host]);
  });

  it('a certificate of another name is refused', async () => {
    const { port, ca } = await tlsReceiver('other.example.org', (_, response) => response.end());
    const reply = await post(`https://${name}:${port}/`, { ca });
    expect(reply).toEqual({ failure: 'tls_error' });
  });

  it('a certificate of an unknown authority is refused', async () => {
    const { url } = await tlsReceiver(name, (_, response) => response.end());
    expect(await post(url)).toEqual({ failure: 'tls_error' });
  });

  it('a changed certificate is checked again', async () => {
    const first = await tlsReceiver(name, (_, response) => {
      response.setHeader('connection', 'close').end();
    });
    const one = client({ ca: first.ca });
    expect(await one.post(first.url, message, going)).toMatchObject({ status: 200 });
    const second = await tlsReceiver(name, (_, response) => response.end());
    expect(await one.post(second.url, message, going)).toEqual({ failure: 'tls_error' });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('a session of %s is resumed', async (version) => {
    const theirs = await tlsReceiver(
      name,
      (_, response) => void response.setHeader('connection', 'close').end(),
      { minVersion: version, maxVersion: version },
    );
    const one = client({ ca: theirs.ca });
    for (let count = 0; count < 3; count += 1)
      expect(await one.post(theirs.url, message, going)).toMatchObject({ status: 200 });
    expect([theirs.connections(), theirs.resumed()]).toEqual([3, 2]);
  });

  it('the certificate is checked again when a session has expired', async () => {
    const theirs = await tlsReceiver(
      name,
      (_, response) => void response.setHeader('connection', 'close').end(),
    );
    const one = client({ ca: theirs.ca, sessionMaxMs: 0 });
    expect(await one.post(theirs.url, message, going)).toMatchObject({ status: 200 });
    theirs.renew();
    expect(await one.post(theirs.url, message, going)).toEqual({ failure: 'tls_error' });
    expect(theirs.resumed()).toBe(0);
    // Within its lifetime a resumed session proves the receiver whose certificate was checked.
    const other = await tlsReceiver(
      name,
      (_, response) => void response.setHeader('connection', 'close').end(),
    );
    const two = client({ ca: other.ca });
    expect(await two.post(other.url, message, going)).toMatchObject({ status: 200 });
    other.renew();
    expect(await two.post(other.url, message, going)).toMatchObject({ status: 200 });
    expect(other.resumed()).toBe(1);
  });

  // Each connection over TLS 1.2 renews the session.
  it('the certificate is checked again in time, however often the session is renewed', async () => {
    const theirs = await tlsReceiver(
      name,
      (_, response) => void response.setHeader('connection', 'close').end(),
      { maxVersion: 'TLSv1.2' },
    );
    const one = client({ ca: theirs.ca, sessionMaxMs: 1_000 });
    expect(await one.post(theirs.url, message, going)).toMatchObject({ status: 200 });
    theirs.renew();
    const replies: unknown[] = [];
    const fails = async () => {
      const reply = await one.post(theirs.url, message, going);
      replies.push(reply);
      return 'failure' in reply;
    };
    await until(fails, 'a check of the certificate', { everyMs: 1 });
    expect(replies.at(-1)).toEqual({ failure: 'tls_error' });
    expect(theirs.resumed()).toBe(replies.length - 1);
  });

  it('a receiver without TLS is reported as such', async () => {
    const { port } = await receiver((_, response) => response.end());
    const reply = await post(`https://${name}:${port}/`);
    expect(reply).toEqual({ failure: 'tls_error' });
  });
});

const drip = (socket: Socket | ServerResponse, text: string, everyMs = 20) => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
};
const status = (text: string) => `HTTP/1.1 ${text}\r\n`;

describe('a misbehaving receiver', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['accepts and never answers', () => {}, 'timeout'],
    ['drips headers', (s) => (s.write(status('200 OK')), drip(s, 'a: b\r\n')), 'timeout'],
    ['sends 102 forever', (s) => drip(s, `${status('102 Processing')}\r\n`), 'timeout'],
    ['sends 100 forever', (s) => drip(s, `${status('100 Continue')}\r\n`), 'protocol_error'],
    [
      'switches protocols',
      (s) => s.write(`${status('101 Up')}upgrade: h2c\r\nconnection: upgrade\r\n\r\n`),
      'protocol_error',
    ],
    ['closes at once', (s) => s.destroy(), 'closed_early'],
    ['closes after half a status line', (s) => s.end('HTTP/1.1 20'), 'closed_early'],
    ['speaks garbage', (s) => s.write('\u0000\u0001 220 smtp ready\r\n'), 'protocol_error'],
    ['speaks another protocol', (s) => s.write('SSH-2.0-OpenSSH_9.6\r\n'), 'protocol_error'],
    [
      'sends headers without end',
      (s) => s.write(`${status('200 OK')}a: ${'b'.repeat(100_000)}`),
      'protocol_error',
    ],
    [
      'says two lengths',
      (s) => s.write(`${status('200 OK')}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
      'protocol_error',
    ],
  ])('that %s is recorded by its failure code', async (_, speak, failure) => {
    const { url } = await socketReceiver((socket) => socket.once('data', () => speak(socket)));
    const over = failure === 'timeout' ? { deadlineMs: 300 } : {};
    expect(await post(url, over)).toEqual({ failure });
  });

  it('that is unreachable is recorded by its failure code', async () => {
    expect(await post('http://127.0.0.1:1/')).toEqual({ failure: 'url_refused' });
    expect(await post('http://127.0.0.1:2/')).toEqual({ failure: 'connection_refused' });
  });

  it.each([301, 302, 303, 307, 308])('that redirects by %i is not followed', async (code) => {
    const target = await receiver((_, response) => response.end());
    const { url } = await receiver((_, response) => {
      response.writeHead(code, { location: target.url }).end();
    });
    expect(await post(url)).toMatchObject({ status: code });
    expect(target.connections()).toBe(0);
  });

  it('that answers endlessly counts by its status line, and is read for 1,024 bytes', async () => {
    let sent = 0;
    const { url } = await receiver((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const flood = () => {
        while (response.write(chunk)) sent += chunk.length;
        response.once('drain', flood);
      };
      flood();
    });
    const reply = await post(url);
    expect(reply).toEqual({ status: 200, body: 'a'.repeat(1_024) });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('that announces 10 GB is read for 1,024 bytes', async () => {
    const { url } = await receiver((_, response) => {
      response.setHeader('content-length', 10 * 1024 ** 3);
      response.write(Buffer.alloc(4_096, 'a'));
    });
    const reply = await post(url);
    expect(reply).toEqual({ status: 200, body: 'a'.repeat(1_024) });
  });

  it('that drips its body counts by its status line', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(204 + 1);
      response.flushHeaders();
    });
    const over = { deadlineMs: ENDLESS_MS };
    expect(await post(url, over)).toMatchObject({ status: 205 });
    const dripping = await receiver((_, response) => {
      response.write('a');
      drip(response, 'a', 100);
    });
    expect(await post(dripping.url, over)).toMatchObject({ status: 200, body: /^a+$/ });
  });

  it('that sends a decompression bomb is not decompressed', async () => {
    const { url } = await receiver((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      const bomb = createGzip();
      bomb.pipe(response);
      bomb.end(Buffer.alloc(10 * 1024 * 1024));
    });
    const reply = await post(url);
    expect(reply).toMatchObject({ status: 200 });
    expect('body' in reply && Buffer.byteLength(reply.body)).toBeLessThanOrEqual(3 * 1_024);
  });

  it('that disconnects after its status line counts by that', async () => {
    const { url } = await socketReceiver((socket) =>
      socket.once('data', () => socket.end(`${status('200 OK')}content-length: 9\r\n\r\nabc`)),
    );
    expect(await post(url)).toEqual({ status: 200, body: 'abc' });
  });

  it('delays no other receiver', async () => {
    const hangs = await socketReceiver(() => {});
    const { url } = await receiver((_, response) => response.end());
    const one = client({ deadlineMs: 60_000 });
    const stop = new AbortController();
    const hanging = Array.from({ length: 100 }, () => one.post(hangs.url, message, stop.signal));
    expect(await one.post(url, message, going)).toMatchObject({ status: 200 });
    stop.abort();
    expect(new Set((await Promise.all(hanging)).map((reply) => JSON.stringify(reply)))).toEqual(
      new Set(['{"failure":"interrupted"}']),
    );
  });
});

it('keeps whole characters of a body, without those that a database rejects', () => {
  expect(truncatedText(Buffer.from('a\0b'))).toBe('a\ufffdb');
  const long = Buffer.from(`${'a'.repeat(1_023)}é`);
  expect(truncatedText(long)).toBe('a'.repeat(1_023));
  expect(truncatedText(Buffer.from(`${'a'.repeat(1_022)}é`))).toBe(`${'a'.repeat(1_022)}é`);
  expect(truncatedText(Buffer.from([0xff, 0xfe]))).toBe('\ufffd\ufffd');
  expect(truncatedText(Buffer.alloc(2_000, 0x80))).toHaveLength(1_024);
});

it('signs as the interface and the standard specify', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = Buffer.from('{"test": 2432232314}');
  const of = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body };
  // The example of the specification's test suite.
  expect(standardSignature(signingKeys(secret), of)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
  // openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  const hex = '80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c';
  expect(bodySignature(signingKeys(secret), body)).toBe(hex);
});

it('verifies at the start that it dials the checked address', () =>
  expect(proveUntrustedHttp()).resolves.toBeUndefined());
