/** `atrium tickets export` and `import`, as somebody types them. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureOf } from '../../packages/cli/src/terminal/measure.ts';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
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
    const drafts = [{ subject: 'a "b"' }, { reporterPhone: '+49 30', description: 'two\nlines' }];
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
});

describe('a file that cannot be written', () => {
  it('is said in one line before anything is asked', async () => {
    const nowhere = { ...env, ATRIUM_URL: 'http://127.0.0.1:1' };
    const file = at('missing/out.ndjson');
    const { code, out, err } = await runAtrium(nowhere, 'tickets', 'export', file);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^atrium: \S+ cannot be written: ENOENT: [^\n]*\n$/);
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
