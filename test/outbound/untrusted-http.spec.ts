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

const message = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };
const going = new AbortController().signal;
/** Before an answer without an end is given up: its beginning comes sooner on any machine. */
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
  it('carries body and headers to the path, and asks for nothing packed', async () => {
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

  it('goes over the same connection as long as the name stands for the same address', async () => {
    const { port, connections } = await receiver((_, response) => response.end());
    const one = client();
    for (let times = 0; times < 20; times += 1)
      await one.post(`http://localhost:${port}/`, message, going);
    // The second is made while the first is not free yet.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('asks no proxy of the environment', async () => {
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

  it('tries the next address where nobody listens at the first', async () => {
    const { port } = await receiver((_, response) => response.end());
    const resolve = async () => ['127.0.0.2', '127.0.0.1'];
    expect(await post(`http://many.example.org:${port}/`, { resolve })).toMatchObject({
      status: 200,
    });
  });

  it('is interrupted by who has sent it', async () => {
    const stop = new AbortController();
    const { url } = await receiver(() => stop.abort());
    expect(await client().post(url, message, stop.signal)).toEqual({ failure: 'interrupted' });
  });
});

describe('the addresses of a name', () => {
  const outside = { allowPrivate: false };
  const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'];

  it.each(inside)('keep it from being registered where one is %s', async (address) => {
    const resolve = async () => ['1.1.1.1', address];
    const one = client({ ...outside, resolve });
    expect(await one.refusal('https://hook.example.org/')).toBe('not_public');
  });

  it('keep it from being registered where there are none, or nobody says', async () => {
    const none = client({ ...outside, resolve: async () => [] });
    expect(await none.refusal('https://hook.example.org/')).toBe('not_resolvable');
    const broken = client({ ...outside, resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect(await broken.refusal('https://hook.example.org/')).toBe('not_resolvable');
    const silent = client({ ...outside, resolve: () => new Promise(() => {}), deadlineMs: 50 });
    expect(await silent.refusal('https://hook.example.org/')).toBe('not_resolvable');
  });

  it('let it be registered where all are public', async () => {
    const resolve = async () => ['1.1.1.1', '2606:4700:4700::1111'];
    expect(await client({ ...outside, resolve }).refusal('https://hook.example.org/')).toBeNull();
  });

  it('are looked at again before each request: what has moved inside is not called', async () => {
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

  it('are asked for once, and what was looked at is what is dialled', async () => {
    const { port } = await receiver((_, response) => response.end());
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    expect(await post(`http://rebinds.example.org:${port}/`, { resolve })).toMatchObject({
      status: 200,
    });
    expect(asked).toBe(1);
  });

  it('that a text names are never dialled either', async () => {
    const { port, connections } = await receiver((_, response) => response.end());
    const one = client({ ...outside });
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'])
      expect(await one.post(`https://${host}:${port}/`, message, going)).toHaveProperty('failure');
    expect(connections()).toBe(0);
  });
});

describe.skipIf(!hasOpenssl())('over TLS', () => {
  const name = 'hook.example.org';

  it('name and certificate are the host’s, whatever address was dialled', async () => {
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

  it('a certificate that nobody vouches for is refused', async () => {
    const { url } = await tlsReceiver(name, (_, response) => response.end());
    expect(await post(url)).toEqual({ failure: 'tls_error' });
  });

  it('one that has changed since is looked at again', async () => {
    const first = await tlsReceiver(name, (_, response) => {
      response.setHeader('connection', 'close').end();
    });
    const one = client({ ca: first.ca });
    expect(await one.post(first.url, message, going)).toMatchObject({ status: 200 });
    const second = await tlsReceiver(name, (_, response) => response.end());
    expect(await one.post(second.url, message, going)).toEqual({ failure: 'tls_error' });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('a session of %s is taken up again', async (version) => {
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

  it('the certificate is looked at again when a session has had its time', async () => {
    const theirs = await tlsReceiver(
      name,
      (_, response) => void response.setHeader('connection', 'close').end(),
    );
    const one = client({ ca: theirs.ca, sessionMaxMs: 0 });
    expect(await one.post(theirs.url, message, going)).toMatchObject({ status: 200 });
    theirs.renew();
    expect(await one.post(theirs.url, message, going)).toEqual({ failure: 'tls_error' });
    expect(theirs.resumed()).toBe(0);
    // Within its time the receiver is who it was: it has the keys of a session that was looked at.
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

  it('what speaks no TLS is named', async () => {
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

describe('a receiver that misbehaves', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['accepts and says nothing', () => {}, 'timeout'],
    ['drips headers', (s) => (s.write(status('200 OK')), drip(s, 'a: b\r\n')), 'timeout'],
    ['sends 102 for ever', (s) => drip(s, `${status('102 Processing')}\r\n`), 'timeout'],
    ['sends 100 for ever', (s) => drip(s, `${status('100 Continue')}\r\n`), 'protocol_error'],
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
  ])('and %s is recorded by name', async (_, speak, failure) => {
    const { url } = await socketReceiver((socket) => socket.once('data', () => speak(socket)));
    const over = failure === 'timeout' ? { deadlineMs: 300 } : {};
    expect(await post(url, over)).toEqual({ failure });
  });

  it('and is not there is recorded by name', async () => {
    expect(await post('http://127.0.0.1:1/')).toEqual({ failure: 'url_refused' });
    expect(await post('http://127.0.0.1:2/')).toEqual({ failure: 'connection_refused' });
  });

  it.each([301, 302, 303, 307, 308])('and redirects by %i is not followed', async (code) => {
    const target = await receiver((_, response) => response.end());
    const { url } = await receiver((_, response) => {
      response.writeHead(code, { location: target.url }).end();
    });
    expect(await post(url)).toMatchObject({ status: code });
    expect(target.connections()).toBe(0);
  });

  it('and answers without end is heard to its status line, and read for 1,024 bytes', async () => {
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

  it('and announces 10 GB is read for 1,024 bytes', async () => {
    const { url } = await receiver((_, response) => {
      response.setHeader('content-length', 10 * 1024 ** 3);
      response.write(Buffer.alloc(4_096, 'a'));
    });
    const reply = await post(url);
    expect(reply).toEqual({ status: 200, body: 'a'.repeat(1_024) });
  });

  it('and drips its body has answered by its status line', async () => {
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

  it('and sends a bomb is not unpacked', async () => {
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

  it('and breaks off after its status line has answered', async () => {
    const { url } = await socketReceiver((socket) =>
      socket.once('data', () => socket.end(`${status('200 OK')}content-length: 9\r\n\r\nabc`)),
    );
    expect(await post(url)).toEqual({ status: 200, body: 'abc' });
  });

  it('delays no other one', async () => {
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

it('keeps of a body what is whole, and nothing that a database cannot keep', () => {
  expect(truncatedText(Buffer.from('a\0b'))).toBe('a\ufffdb');
  const long = Buffer.from(`${'a'.repeat(1_023)}é`);
  expect(truncatedText(long)).toBe('a'.repeat(1_023));
  expect(truncatedText(Buffer.from(`${'a'.repeat(1_022)}é`))).toBe(`${'a'.repeat(1_022)}é`);
  expect(truncatedText(Buffer.from([0xff, 0xfe]))).toBe('\ufffd\ufffd');
  expect(truncatedText(Buffer.alloc(2_000, 0x80))).toHaveLength(1_024);
});

it('signs as the interface and the standard say', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = Buffer.from('{"test": 2432232314}');
  const of = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330, body };
  // The example of the specification's own test suite.
  expect(standardSignature(signingKeys(secret), of)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
  // openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  const hex = '80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c';
  expect(bodySignature(signingKeys(secret), body)).toBe(hex);
});

it('proves at the start that it dials what it has looked at', () =>
  expect(proveUntrustedHttp()).resolves.toBeUndefined());
