/** `atrium tickets export` and `import`, as somebody types them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { measureOf } from '../../packages/cli/src/terminal/measure.ts';
import type { FormField } from '../../src/domain/service-desk/request-types.ts';
import { testApi } from '../support/api/api.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import { configured } from '../support/domain/service-desk.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium, runAtriumAlone, startAtrium } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const CONFIGURATION = '/api/service-desk/configuration';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
const home = temporaryDirectory('cli-transfer');
const at = (name: string) => join(home, name);
let buildingId: string;
let env: Record<string, string>;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  const ATRIUM_TOKEN = await platform.issuer.tokenOf('agent@acme.test');
  env = { ATRIUM_TOKEN, ATRIUM_URL: platform.address, XDG_CONFIG_HOME: home };
});

const tickets = (...words: readonly string[]) => runAtrium(env, 'tickets', ...words);
const lineOf = (importKey: string, over: object = {}) =>
  JSON.stringify({ importKey, buildingId, description: 'It drips.', category: 'cli', ...over });
/** How many the list shows, in the end. */
const shown = async (query: string, count: number) => {
  const total = async () => (await agent.get(`${REQUESTS}?${query}`)).body.total;
  await expect.poll(total).toBe(count);
};

describe('atrium tickets import', () => {
  it('opens the tickets of a file, idempotently', async () => {
    const lines = [lineOf('a'), '', lineOf('b', { description: 'x\u2028y' })];
    writeFileSync(at('two.ndjson'), `${lines.join('\n')}\n`);
    const ended = await tickets('import', at('two.ndjson'));
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(JSON.parse(ended.out)).toEqual({ created: 2, exists: 0, failed: 0 });
    const again = await tickets('import', at('two.ndjson'));
    expect(JSON.parse(again.out)).toEqual({ created: 0, exists: 2, failed: 0 });
    await shown('category=cli', 2);
  });

  it('reports why lines failed, keeps them for correction, and exits with 1', async () => {
    const wrong = [lineOf('c', { priority: 'urgent' }), '{"importKey":'];
    writeFileSync(at('some.ndjson'), [lineOf('d'), '', ...wrong].join('\n'));
    const ended = await tickets('import', at('some.ndjson'), '--failed', at('failed.ndjson'));
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.out)).toEqual({ created: 1, exists: 0, failed: 2 });
    expect(ended.err).toMatch(/^line 3: priority: .*\(VALIDATION_FAILED\)\nline 4: .+\n/);
    expect(ended.err).toContain(
      `atrium: 2 lines have failed; they are in ${at('failed.ndjson')}\n`,
    );
    expect(readFileSync(at('failed.ndjson'), 'utf8')).toBe(`${wrong.join('\n')}\n`);

    const taken = await tickets('import', at('two.ndjson'), '--failed', at('failed.ndjson'));
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    const none = await tickets('import', at('two.ndjson'), '--failed', at('none.ndjson'));
    expect([none.code, existsSync(at('none.ndjson'))]).toEqual([0, false]);
  });

  it('says which file is none', async () => {
    writeFileSync(at('binary'), Buffer.from([0xff, 0xfe, 0x0a]));
    const binary = await tickets('import', at('binary'));
    expect([binary.code, binary.err]).toEqual([1, `atrium: ${at('binary')} is not UTF-8 text\n`]);
    const missing = await tickets('import', at('missing'));
    expect([missing.code, missing.err]).toMatchObject([1, expect.stringMatching(/cannot be read/)]);
  });
});

describe('atrium tickets export', () => {
  it('writes a new file readable only by its owner, which import accepts unchanged', async () => {
    const query = ['--category', 'cli-out'];
    // A member of the ticket, not of the line.
    const metadata = { importKey: 'theirs' };
    const drafts = [
      { subject: 'a "b"', metadata },
      { reporterPhone: '+49 30', description: 'two\nlines' },
    ];
    for (const over of drafts)
      await agent.post(REQUESTS, { buildingId, description: 'x', category: 'cli-out', ...over });
    await shown('category=cli-out', 2);
    const ended = await tickets('export', ...query, at('out.ndjson'));
    expect(JSON.parse(ended.out)).toEqual({ exported: 2, file: at('out.ndjson') });
    expect(statSync(at('out.ndjson')).mode & 0o777).toBe(0o600);
    const { body } = await agent.get(`${REQUESTS}/export?category=cli-out`);
    expect(readFileSync(at('out.ndjson'), 'utf8')).toBe(body);
    const twice = await tickets('export', ...query, at('out.ndjson'));
    expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('already exists') });
    expect(readFileSync(at('out.ndjson'), 'utf8')).toBe(body);

    const csv = await tickets('export', ...query, '--csv', at('out.csv'));
    expect(JSON.parse(csv.out)).toMatchObject({ exported: 2 });

    // Through a pipe: a ticket of an export becomes a line of an import.
    const out = await tickets('export', ...query);
    expect(out.out).toBe(body);
    const importing = startAtrium(env, 'tickets', 'import', '--no-routing', '-');
    importing.process.stdin!.end(out.out);
    const { code, out: printed } = await importing.ended;
    expect([code, JSON.parse(printed)]).toEqual([0, { created: 2, exists: 0, failed: 0 }]);
    await shown('category=cli-out', 4);
  });

  it('writes tickets that import accepts after their form has changed', async () => {
    const configure = async (fields: readonly FormField[]) => {
      const requestTypes = [{ requestType: 'leak', name: 'Leak', fields: [...fields] }];
      const answer = await manager.put(CONFIGURATION, configured({ requestTypes }));
      expect(answer.status).toBe(200);
    };
    await configure([{ key: 'since', label: 'Since', kind: 'text' }]);
    const formData = { since: 'May' };
    const draft = { buildingId, description: 'x', category: 'cli-form', requestType: 'leak' };
    expect((await agent.post(REQUESTS, { ...draft, formData })).status).toBe(201);
    await shown('category=cli-form', 1);
    const { out } = await tickets('export', '--category', 'cli-form');
    await configure([{ key: 'source', label: 'Source', kind: 'text', required: true }]);
    try {
      const wrong = lineOf('form-wrong', { requestType: 'leak' });
      const right = lineOf('form-right', { requestType: 'leak', formData: { source: 'tap' } });
      writeFileSync(at('form.ndjson'), `${wrong}\n${out}${out}${wrong}\n${right}\n`);
      const words = ['import', at('form.ndjson'), '--failed', at('form-failed.ndjson')];
      const ended = await tickets(...words);
      expect([ended.code, JSON.parse(ended.out)]).toEqual([
        1,
        { created: 2, exists: 1, failed: 2 },
      ]);
      expect(ended.err).toMatch(/^line 1: formData\.source: .*\nline 4: formData\.source: /);
      expect(readFileSync(at('form-failed.ndjson'), 'utf8')).toBe(`${wrong}\n${wrong}\n`);
      await shown('category=cli-form', 2);
    } finally {
      await manager.put(CONFIGURATION, configured({}));
    }
  });
});

describe('identical files of a ticket', () => {
  const attach = async (ticketId: string, key: string) => {
    const form = formOf({ name: 'file', fileName: 'leak.txt', content: 'The same.' });
    const headers = { ...formHeaders, 'idempotency-key': key };
    const { status, body } = await agent.post(`${REQUESTS}/${ticketId}/attachments`, form, headers);
    expect(status).toBe(201);
    return body.attachmentId as string;
  };

  it.each([
    ['none', 2, () => []],
    ['the first', 1, ([first]: readonly string[]) => [`import-${first}`]],
    ['the second', 1, ([, second]: readonly string[]) => [`import-${second}`]],
    ['a copy', 1, () => ['by-hand']],
  ])('are all attached to its import, which has %s of them', async (which, n, keysOf) => {
    const category = `cli-twins-${which.replace(' ', '-')}`;
    const raised = await agent.post(REQUESTS, { buildingId, description: 'x', category });
    const { id } = raised.body as { id: string };
    const ids = [await attach(id, randomUUID()), await attach(id, randomUUID())];
    await shown(`category=${category}`, 1);
    const [file, files] = [at(`${category}.ndjson`), at(category)];
    const exported = await tickets('export', '--category', category, '--files', files, file);
    expect(exported.code).toBe(0);
    expect((await tickets('import', file)).code).toBe(0);
    await shown(`category=${category}`, 2);
    const { items } = (await agent.get(`${REQUESTS}?category=${category}`)).body;
    const copy = items.find((ticket: { id: string }) => ticket.id !== id).id;
    for (const key of keysOf(ids)) await attach(copy, key);

    const importing = () => tickets('import', file, '--files', files);
    const held = async () => (await agent.get(`${REQUESTS}/${copy}/attachments`)).body.items;
    expect((await importing()).err).toContain(`${n} files attached, ${2 - n} already there.`);
    expect(await held()).toHaveLength(2);
    expect((await importing()).err).toContain('0 files attached, 2 already there.');
    expect(await held()).toHaveLength(2);
  });
});

/** The environment of a command whose server is `listener`, until the end of the test. */
const environmentOf = async (listener: RequestListener) => {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { ...env, ATRIUM_URL: `http://127.0.0.1:${port}` };
};

/** A server that answers transfers by `answer`, in lines. */
const answering = (answer: (response: ServerResponse) => void) =>
  environmentOf((request, response) => {
    const isTransfer = /port(\?|$)/.test(request.url!);
    const type = isTransfer ? 'application/x-ndjson' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'x-request-id': 'r' });
    const reply = () => (isTransfer ? answer(response) : response.end('{"items":[],"total":2}'));
    void buffer(request).then(reply);
  });

describe('a transfer that Ctrl-C ends', () => {
  /** Writes a line and no more. */
  const stalling = (line: object) => {
    let isWritten = false;
    const answer = (response: ServerResponse) =>
      void response.write(`${JSON.stringify(line)}\n`, () => (isWritten = true));
    return { answer, written: () => until(() => isWritten, 'the line') };
  };

  it('leaves no file of an export', async () => {
    const { answer, written } = stalling({ id: 'a' });
    mkdirSync(at('stopped-export'));
    const file = at('stopped-export/out.ndjson');
    const running = startAtrium(await answering(answer), 'tickets', 'export', file);
    await written();
    running.process.kill('SIGINT');
    const ended = await running.ended;
    expect(readdirSync(at('stopped-export'))).toEqual([]);
    expect(ended).toMatchObject({
      code: 130,
      err: 'atrium: the export was interrupted; nothing was written\n',
    });
  });

  it('ends an export at once while the server looks up the sandbox', async () => {
    let isAsked = false;
    const silent = await environmentOf(({ url }) => void (isAsked ||= url === '/api/v1/sandboxes'));
    mkdirSync(at('stopped-lookup'));
    const words = ['tickets', 'export', at('stopped-lookup/out.ndjson'), '--sandbox', 'x'];
    const running = startAtrium(silent, ...words);
    onTestFinished(() => void running.process.kill('SIGKILL'));
    await until(() => isAsked, 'the request for the sandboxes');
    expect(readdirSync(at('stopped-lookup'))).toEqual([]);
    running.process.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 130, out: '', err: '' });
    expect(readdirSync(at('stopped-lookup'))).toEqual([]);
  });

  it('lets the same import be run again', async () => {
    const outcome = { line: 1, status: 'failed', code: 'VALIDATION_FAILED', importKey: 'e' };
    const { answer, written } = stalling(outcome);
    mkdirSync(at('stopped-import'));
    const line = lineOf('e', { priority: 'urgent' });
    writeFileSync(at('stopped.ndjson'), `${line}\n${lineOf('f')}\n`);
    const failed = at('stopped-import/failed.ndjson');
    const words = ['tickets', 'import', at('stopped.ndjson'), '--failed', failed];
    const running = startAtrium(await answering(answer), ...words);
    await written();
    running.process.kill('SIGINT');
    const ended = await running.ended;
    expect(readdirSync(at('stopped-import'))).toEqual([]);
    expect(ended).toMatchObject({
      code: 130,
      err: expect.stringMatching(/0 tickets were imported; repeat the command to continue\n$/),
    });
    const again = await runAtrium(env, ...words);
    expect(JSON.parse(again.out)).toEqual({ created: 1, exists: 0, failed: 1 });
    expect(readFileSync(failed, 'utf8')).toBe(`${line}\n`);
    expect(readdirSync(at('stopped-import'))).toEqual(['failed.ndjson']);
  });

  it('is an import that waits for standard input, too', async () => {
    let isAnswered = false;
    const url = await answering((response) => {
      response.end('{"summary":{"created":0,"exists":0,"failed":0}}', () => (isAnswered = true));
    });
    const running = startAtrium(url, 'tickets', 'import', '-');
    onTestFinished(() => void running.process.kill('SIGKILL'));
    // As many lines as are sent in one request.
    running.process.stdin!.write('{}\n'.repeat(10_000));
    await until(() => isAnswered, 'the first request');
    running.process.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
  });
});

it('keeps no failed lines of an import that the server stopped', async () => {
  const outcome = { line: 1, status: 'failed', code: 'VALIDATION_FAILED', importKey: 'e' };
  const stop = { problem: { code: 'INTERNAL', detail: 'A bug.' } };
  const url = await answering((response) => {
    response.end(`${JSON.stringify(outcome)}\n${JSON.stringify(stop)}\n`);
  });
  mkdirSync(at('server-stopped'));
  const failed = at('server-stopped/failed.ndjson');
  writeFileSync(at('server-stopped.ndjson'), `${lineOf('g')}\n${lineOf('h')}\n`);
  const ended = await runAtrium(
    url,
    'tickets',
    'import',
    at('server-stopped.ndjson'),
    '--failed',
    failed,
  );
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('repeat the command') });
  expect(readdirSync(at('server-stopped'))).toEqual([]);
});

describe('a file that appears during a transfer', () => {
  const TICKET = '{"id":"a"}\n';
  const FAILED = [
    '{"line":1,"status":"failed","code":"VALIDATION_FAILED","importKey":"i"}\n',
    '{"summary":{"created":0,"exists":0,"failed":1}}\n',
  ].join('');

  it.each([
    ['export', TICKET, (file: string) => ['export', file]],
    ['import', FAILED, (file: string) => ['import', at('appeared.ndjson'), '--failed', file]],
  ])('is not replaced by an %s', async (command, lines, wordsFor) => {
    const directory = at(`appeared-${command}`);
    const file = join(directory, 'out.ndjson');
    mkdirSync(directory);
    writeFileSync(at('appeared.ndjson'), `${lineOf('i', { priority: 'urgent' })}\n`);
    const url = await answering((response) => {
      writeFileSync(file, 'theirs');
      response.end(lines);
    });
    const ended = await runAtrium(url, 'tickets', ...wordsFor(file));
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.err).toContain(`atrium: ${file} already exists\n`);
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    expect(readdirSync(directory)).toEqual(['out.ndjson']);
  });

  /** Makes `link` fail, as on a file system without hard links. */
  const NO_HARD_LINKS = `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    fs.link = async () => {
      throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    };
    syncBuiltinESMExports();
  `)}`;

  it('is not replaced where the file system has no hard links', async () => {
    const file = at('without-links.ndjson');
    let appear = () => {};
    const url = await answering((response) => {
      appear();
      response.end(TICKET);
    });
    const exporting = () =>
      runAtriumAlone(
        { ...url, NODE_OPTIONS: `--import=${NO_HARD_LINKS}` },
        'tickets',
        'export',
        file,
      );
    expect(await exporting()).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(file, 'utf8')).toBe(TICKET);
    rmSync(file);
    appear = () => writeFileSync(file, 'theirs');
    expect(await exporting()).toMatchObject({ code: 1, err: `atrium: ${file} already exists\n` });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
  });
});

describe('a file that cannot be written', () => {
  it('is said in one line before anything is asked', async () => {
    const nowhere = { ...env, ATRIUM_URL: 'http://127.0.0.1:1' };
    const file = at('missing/out.ndjson');
    const { code, out, err } = await runAtrium(nowhere, 'tickets', 'export', file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^atrium: \S+ cannot be written: ENOENT: [^\n]*\n$/);
  });

  it('is refused before any request if it is a dangling symbolic link', async () => {
    symlinkSync(at('no-target'), at('dangling.ndjson'));
    const nowhere = { ...env, ATRIUM_URL: 'http://127.0.0.1:1' };
    const { code, err } = await runAtrium(nowhere, 'tickets', 'export', at('dangling.ndjson'));
    expect([code, err]).toEqual([1, `atrium: ${at('dangling.ndjson')} already exists\n`]);
  });

  it('is not left behind when no server answers', async () => {
    const nowhere = { ...env, ATRIUM_URL: 'http://127.0.0.1:1' };
    const { code } = await runAtrium(nowhere, 'tickets', 'export', at('unanswered.ndjson'));
    expect([code === 0, existsSync(at('unanswered.ndjson'))]).toEqual([false, false]);
  });
});

it('shows how far it is by a bar where the end is known', () => {
  expect(measureOf('imported', 50_000, 0.5, 40)).toBe(
    'imported ████████████░░░░░░░░░░░░ 50 %  50,000 tickets, 1,250/s, 40 s left',
  );
  expect(measureOf('imported', 10, null, 2)).toBe('imported  10 tickets, 5/s');
});
