/** How a command fails: its words, its JSON and its exit code. docs/guides/command-line.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../packages/cli/src/exit-codes.ts';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';

const platform = testApi();
const home = temporaryDirectory('cli');

/** A server that is none of ours; it ends with the test. */
const stranger = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const at = (ATRIUM_URL: string) => ({ ATRIUM_TOKEN: 't', ATRIUM_URL, XDG_CONFIG_HOME: home });

describe('invalid arguments', () => {
  it.each([
    ['sandbx list', "unknown command 'sandbx'. Did you mean sandbox?", 'atrium'],
    ['sandbox crate', "unknown command 'crate'. Did you mean create?", 'atrium sandbox'],
    ['sandbox list --jsn', "unknown option '--jsn'. Did you mean --json?", 'atrium sandbox list'],
    ['sandbox get', "missing required argument 'sandbox'.", 'atrium sandbox get'],
    ['sandbox create', "required option '--name <text>' not specified.", 'atrium sandbox create'],
    [
      'profiles nonsense',
      "too many arguments for 'list'. Expected 0 arguments but got 1.",
      'atrium profiles',
    ],
  ])('are reported in two lines: %s', async (words, message, command) => {
    expect(await runAtrium({}, ...words.split(' '))).toEqual({
      code: exitCodes.cancelled,
      out: '',
      err: `atrium: ${message}\nSee: ${command} --help\n`,
    });
  });

  it.each([
    [
      'keys mint --label x --idempotency-key ключ',
      2,
      'Write 1 to 255 visible characters of ASCII.',
    ],
    ['api GET me -H X-A:→', 2, '-H X-A: a header has no characters beyond Latin-1'],
    ['keys list --token to→', 4, '--token is no token: it has characters that no token has'],
  ])('that no header can hold are named in one line: %s', async (words, code, message) => {
    const failed = await runAtrium(at('http://127.0.0.1:1'), ...words.split(' '));
    expect([failed.code, failed.out]).toEqual([code, '']);
    expect(failed.err.split('\n')[0]).toMatch(/^atrium: /);
    expect(failed.err.split('\n')[0]).toContain(message);
  });

  it('for want of a command name those there are', async () => {
    const { code, out, err } = await runAtrium({}, 'keys');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^atrium: atrium keys needs one of: list, .+\nSee: atrium keys --help\n$/);
  });

  it.each([
    ['doctor --within abc', '--within must be whole seconds, from 1 to 999'],
    ['projections drop ticket-list x', 'which read model, and which version of it?'],
    ['audit replay --key abc', 'a key id has 22 letters and digits'],
  ])('are a usage error of operators too: %s', async (words, message) => {
    const { code, err } = await runAtrium(
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      ...words.split(' '),
    );
    expect([code, err]).toEqual([exitCodes.cancelled, `atrium: ${message}\n`]);
  });

  it('name the option that a command has', async () => {
    const { code, err } = await runAtrium({}, 'backup', 'list');
    expect([code, err]).toEqual([
      1,
      'atrium: NOT_CONFIGURED: name a directory or bucket: --from, or BACKUP_URL\n',
    ]);
  });

  it('are one line of JSON under --json', async () => {
    expect(await runAtrium({}, 'sandbox', 'crate', '--json')).toEqual({
      code: 2,
      out: '',
      err: `{"error":{"code":"USAGE","message":"unknown command 'crate'. Did you mean create?"}}\n`,
    });
    const notAsked = await runAtrium({}, 'sandbox', 'crate', '--', '--json');
    expect(notAsked.err).toContain('atrium: unknown command');
  });
});

describe('atrium help exit-codes', () => {
  it('has the table, as the help has it', async () => {
    const { code, out } = await runAtrium({}, 'help', 'exit-codes');
    const help = await runAtrium({}, '--help');
    expect(code).toBe(0);
    for (const one of [0, ...Object.values(exitCodes)]) {
      expect(out).toMatch(new RegExp(`^  ${one} +\\S`, 'm'));
      expect(help.out).toMatch(new RegExp(`^  ${one} +\\S`, 'm'));
    }
    expect(help.out).not.toContain('  exit-codes');
  });
});

describe('Ctrl-C', () => {
  it('ends with 130', async () => {
    let asked = false;
    const silent = await stranger(() => void (asked = true));
    const command = startAtrium(at(silent), 'whoami');
    onTestFinished(() => void command.process.kill('SIGKILL'));
    await until(() => asked, 'the request');
    command.process.kill('SIGINT');
    expect(await command.ended).toEqual({ code: exitCodes.interrupted, out: '', err: '' });
  });

  it('is a line of JSON under --json', async () => {
    let asked = false;
    const silent = await stranger(() => void (asked = true));
    const command = startAtrium(at(silent), 'whoami', '--json');
    onTestFinished(() => void command.process.kill('SIGKILL'));
    await until(() => asked, 'the request');
    command.process.kill('SIGINT');
    expect(await command.ended).toEqual({
      code: exitCodes.interrupted,
      out: '',
      err: '{"error":{"code":"INTERRUPTED","message":"interrupted"}}\n',
    });
  });
});

describe('a damaged file of a profile', () => {
  it.each([
    ['default.json', '{"server":', 'default.json is not a session file; remove it'],
    ['default.json', '{"server":"http://a","issuer":"http://b"}', 'is not a session file'],
    ['chosen-profile', '../x', 'chosen-profile names no profile; remove it'],
    ['chosen-profile', '', 'chosen-profile names no profile; remove it'],
  ])('is named in one line: %s, %s', async (file, text, message) => {
    const directory = temporaryDirectory('cli');
    mkdirSync(join(directory, 'atrium'));
    writeFileSync(join(directory, 'atrium', file), text);
    const { code, err } = await runAtrium({ XDG_CONFIG_HOME: directory }, 'whoami');
    expect(code).toBe(1);
    expect(err).toMatch(/^atrium: .+\n$/);
    expect(err).toContain(message);
  });

  it('is named where it cannot be read', async () => {
    const directory = temporaryDirectory('cli');
    mkdirSync(join(directory, 'atrium', 'default.json'), { recursive: true });
    const { code, err } = await runAtrium({ XDG_CONFIG_HOME: directory }, 'whoami');
    expect([code, err]).toEqual([1, expect.stringMatching(/^atrium: .+default.json.+EISDIR.*\n$/)]);
  });
});

/** A server that answers in JSON by method and path, with its own clock. */
const answering = (answers: Readonly<Record<string, unknown>>, date = new Date()) => {
  const bodies: unknown[] = [];
  return {
    bodies,
    url: stranger((request, response) => {
      const answer = answers[`${request.method} ${request.url}`];
      const send = async () => {
        const text = await textOf(request);
        if (text !== '') bodies.push(JSON.parse(text));
        response.writeHead(answer === undefined ? 204 : 200, {
          'Content-Type': 'application/json',
          'X-Request-Id': 'r-1',
          Date: date.toUTCString(),
        });
        response.end(answer === undefined ? '' : JSON.stringify(answer));
      };
      void send();
    }),
  };
};

it('keys revoke says that an expired key stays expired', async () => {
  const keyId = 'k'.repeat(22);
  const { url } = answering({ 'GET /api/v1/keys': { items: [{ keyId, status: 'expired' }] } });
  const { code, out } = await runAtrium(at(await url), 'keys', 'revoke', keyId, '--yes');
  expect([code, JSON.parse(out)]).toEqual([0, { keyId, status: 'expired' }]);
});

it("sandbox env mints a key that ends with the sandbox by the server's clock", async () => {
  const sandbox = { slug: 's', apiUrl: 'http://s.test', expiresAt: '2030-01-15T00:00:00.000Z' };
  const { url, bodies } = answering(
    {
      'GET /api/v1/sandboxes': { items: [sandbox] },
      'POST /api/v1/keys': { keyId: 'k', token: 'atr_k' },
    },
    new Date('2030-01-01T12:00:00.000Z'),
  );
  expect(await runAtrium(at(await url), 'sandbox', 'env', '--key')).toMatchObject({ code: 0 });
  expect(bodies).toEqual([expect.objectContaining({ expiresInDays: 14 })]);
});

it('prints a refusal that its detail tells in a sentence only once', async () => {
  const detail = 'code is already used by another space of this building.';
  const errors = [{ path: 'code', message: 'is already used by another space of this building' }];
  const problem = { title: 'No', status: 409, code: 'CONFLICT', requestId: 'r-1', detail, errors };
  const url = await stranger((request, response) => {
    response.writeHead(409, {
      'Content-Type': 'application/problem+json',
      'X-Request-Id': 'r-1',
    });
    response.end(JSON.stringify(problem));
    request.resume();
  });
  const { err } = await runAtrium(at(url), 'keys', 'list');
  expect(err).toBe(`atrium: ${detail} (CONFLICT)\n`);
});

it('names each error of a refusal once', async () => {
  const errors = Array.from({ length: 7 }, (_, at) => ({ path: `m${at}`, message: 'is wrong' }));
  const named = errors.map(({ path, message }) => `${path}: ${message}`);
  const detail = `${named.slice(0, 5).join('; ')} (and 2 more)`;
  const problem = { title: 'Bad', status: 400, code: 'VALIDATION_FAILED', requestId: 'r-1' };
  const url = await stranger((request, response) => {
    response.writeHead(400, {
      'Content-Type': 'application/problem+json',
      'X-Request-Id': 'r-1',
    });
    response.end(JSON.stringify({ ...problem, detail, errors }));
    request.resume();
  });
  const { err } = await runAtrium(at(url), 'sandbox', 'list');
  expect(err).toBe(`atrium: ${[detail, ...named.slice(5)].join('; ')} (VALIDATION_FAILED)\n`);
});

describe('a server of another product', () => {
  it.each([
    ['a page', 200, 'text/html; charset=utf-8', '<html></html>'],
    ['a 404 of a proxy', 404, 'text/html', '<h1>404 Not Found</h1>'],
    ['JSON of another product', 200, 'application/json', '{"items":[]}'],
    ['a refusal of another product', 404, 'application/json', '{"message":"not found"}'],
  ])('is reported as such: %s', async (_, status, type, body) => {
    const url = await stranger((request, response) => {
      // Other products name their requests too.
      const named = status === 404 ? { 'X-Request-Id': 'r-1' } : {};
      response.writeHead(status, { 'Content-Type': type, ...named }).end(body);
      request.resume();
    });
    const answered = `HTTP ${status}, ${type.split(';')[0]}`;
    const message = `${url} answered (${answered}), but it is not an Atrium server`;
    expect(await runAtrium(at(url), 'sandbox', 'list')).toEqual({
      code: 1,
      out: '',
      err: `atrium: ${message}\n`,
    });
    const { err } = await runAtrium(at(url), 'sandbox', 'list', '--json');
    expect(JSON.parse(err)).toEqual({ error: { code: 'NOT_ATRIUM', status, message } });
  });

  it('is not reported for a proxy whose server is unavailable', async () => {
    const url = await stranger((_, response) => {
      response.writeHead(502, 'Bad Gateway', { 'Content-Type': 'text/html' }).end('<html></html>');
    });
    const { code, err } = await runAtrium(at(url), 'sandbox', 'list');
    expect([code, err]).toEqual([1, 'atrium: Bad Gateway (UNAVAILABLE)\n']);
  });

  it('is distinguished from an absent one', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const { code, err } = await runAtrium(at(nowhere), 'whoami', '--json');
    const message = `no server answers at ${nowhere}`;
    expect([code, JSON.parse(err)]).toEqual([1, { error: { code: 'NO_SERVER', message } }]);
  });
});

describe('a server that breaks off its answer', () => {
  it.each([
    ['whoami', 'application/json'],
    ['api GET me', 'application/json'],
    ['api GET service-desk/requests/export', 'application/x-ndjson'],
  ])('is reported in one line: %s, %s', async (words, type) => {
    const url = await stranger((request, response) => {
      response.writeHead(200, { 'Content-Type': type, 'X-Request-Id': 'r-1' });
      response.write('{"a":1}\n', () => response.destroy());
      request.resume();
    });
    const { code, err } = await runAtrium(at(url), ...words.split(' '), '--json');
    expect([code, JSON.parse(err)]).toEqual([
      1,
      { error: { code: 'NO_SERVER', message: expect.stringMatching(/./) } },
    ]);
  });
});

describe('a refusal', () => {
  it('has its code, status and request under --json', async () => {
    const env = {
      ...at(platform.address),
      ATRIUM_TOKEN: await platform.issuer.tokenOf('viewer@acme.test'),
    };
    const { code, out, err } = await runAtrium(
      env,
      'sandbox',
      'get',
      'sbx_0123456789abcdef',
      '--json',
    );
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toEqual({
      error: {
        code: expect.stringMatching(/^[A-Z_]+$/),
        status: expect.any(Number),
        requestId: expect.stringMatching(/./),
        message: expect.stringMatching(/\([A-Z_]+\)$/),
      },
    });
  });

  it('of a credential says which it is', async () => {
    const env = at(platform.address);
    const byEnvironment = await runAtrium(env, 'whoami');
    expect(byEnvironment).toMatchObject({ code: 4, out: '' });
    expect(byEnvironment.err).toMatch(/; that is the credential in ATRIUM_TOKEN\n$/);
    const byOption = await runAtrium(env, 'whoami', '--token', 'u');
    expect(byOption.err).toMatch(/; that is the credential of --token\n$/);
  });
});

describe('--profile beside a credential', () => {
  it('warns which of them is used', async () => {
    const token = await platform.issuer.tokenOf('viewer@acme.test');
    const env = { ...at(platform.address), ATRIUM_TOKEN: token };
    const named = await runAtrium(env, 'whoami', '--profile', 'production');
    expect(JSON.parse(named.out)).toMatchObject({ source: 'ATRIUM_TOKEN' });
    expect(named).toMatchObject({
      code: 0,
      err:
        'atrium: ATRIUM_TOKEN is used, not the session of profile production; ' +
        'unset it to act as profile production\n',
    });
    const given = await runAtrium(env, 'whoami', '--profile', 'production', '--token', token);
    expect(given.err).toBe('atrium: --token is used, not the session of profile production\n');
    expect((await runAtrium(env, 'whoami')).err).toBe('');
  });
});
