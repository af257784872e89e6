/** `atrium events export`: the content of the file, and how an interrupted one is resumed. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentsOf } from '../../../src/operator/events/contents.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { runAtrium, startAtrium } from '../../support/servers/cli.ts';
import { temporaryFiles } from '../../support/files.ts';
import { letPass, until } from '../../support/until.ts';

const EVENTS = 21_000;

let source: FreshLog;
const directory = temporaryFiles();
let whole: string;
let names = 0;

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const parsed = (path: string) =>
  linesOf(path).map((line) => JSON.parse(line) as Record<string, unknown>);
const eventsIn = (path: string) => linesOf(path).filter((line) => line.startsWith('{"position"'));
const newPath = () => directory.path(`export-${(names += 1)}.ndjson`);

beforeAll(async () => {
  source = await freshLog();
  await fill(source.log, EVENTS, 3_000);
  whole = newPath();
  expect(await runAtrium(source.env, 'events', 'export', '--to', whole)).toMatchObject({
    code: 0,
    out: '',
  });
});
afterAll(async () => {
  await source.drop();
});

describe('the file', () => {
  it('has a header, every event in the order of the log, and a matching trailer', async () => {
    const [header, ...rest] = parsed(whole);
    expect(header).toEqual({
      atriumEvents: 1,
      log: await logIdentity(source.log),
      backend: 'postgres',
      exportedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      after: null,
      categories: null,
    });
    const events = await everythingIn(source.log);
    expect(eventsIn(whole).map((line) => JSON.parse(line) as unknown)).toEqual(events);
    const before = linesOf(whole).slice(0, -1);
    expect(rest.at(-1)).toEqual({
      trailer: {
        events: EVENTS,
        position: events.at(-1)!.position,
        sha256: createHash('sha256')
          .update(before.map((line) => `${line}\n`).join(''))
          .digest('hex'),
      },
    });
  });

  it('has a mark every 10,000 events', () => {
    const marks = parsed(whole).flatMap((line) => ('mark' in line ? [line['mark']] : []));
    expect(marks).toMatchObject([{ events: 10_000 }, { events: 20_000 }]);
  });

  it('is the same on standard output, without any other output', async () => {
    const { code, out } = await runAtrium(source.env, 'events', 'export');
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.startsWith('{"position"'))).toEqual(
      eventsIn(whole),
    );
  });

  it('has only the given categories', async () => {
    const path = newPath();
    await runAtrium(source.env, 'events', 'export', '--to', path, '--category', 'ticket, building');
    const expected = eventsIn(whole).filter((line) => /"stream":"(ticket|building)-/.test(line));
    expect(expected.length).toBeGreaterThan(1_000);
    expect(eventsIn(path)).toEqual(expected);
  });

  it('has only the events after the given position', async () => {
    const path = newPath();
    await runAtrium(source.env, 'events', 'export', '--to', path, '--after', '20000');
    expect(eventsIn(path)).toEqual(eventsIn(whole).filter((line) => positionOf(line) > 20_000));
    expect(parsed(path)[0]).toMatchObject({ after: '20000' });
  });

  it('is readable only by its owner', () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600);
  });

  it('is complete, without an event, for an empty log', async () => {
    const empty = await freshLog();
    const path = newPath();
    expect(await runAtrium(empty.env, 'events', 'export', '--to', path)).toMatchObject({ code: 0 });
    expect(parsed(path).at(-1)).toMatchObject({ trailer: { events: 0, position: null } });
    await empty.drop();
  });
});

describe('an interrupted export', () => {
  const resumed = async (path: string, env = source.env, like = whole) => {
    const ended = await runAtrium(env, 'events', 'export', '--to', path, '--resume');
    expect(ended).toMatchObject({ code: 0, out: '' });
    expect(eventsIn(path)).toEqual(eventsIn(like));
    expect(await contentsOf(path)).toMatchObject({ complete: true });
  };

  let small: FreshLog;
  const smallWhole = directory.path('small.ndjson');
  beforeAll(async () => {
    small = await freshLog();
    await fill(small.log, 600, 100);
    await runAtrium(small.env, 'events', 'export', '--to', smallWhole);
  });
  afterAll(() => small.drop());

  it('resumes a file that a crash has left with an end of zeros', async () => {
    const bytes = readFileSync(smallWhole);
    const path = newPath();
    const at = bytes.lastIndexOf('{"position"');
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.alloc(100_000)]));
    await resumed(path, small.env, smallWhole);
  });

  it.each<[string, (bytes: Buffer) => number]>([
    ['before its first byte', () => 0],
    ['in its header', () => 20],
    ['behind its header', (bytes) => bytes.indexOf('\n') + 1],
    ['in the middle of an event', (bytes) => bytes.lastIndexOf('"recordedAt"', 100_000)],
    ['in the middle of a letter', (bytes) => bytes.indexOf('温', 50_000) + 1],
    ['in front of its trailer', (bytes) => bytes.lastIndexOf('{"trailer')],
    ['in the middle of its trailer', (bytes) => bytes.length - 10],
    ['without its last newline', (bytes) => bytes.length - 1],
  ])('resumes a file that ends %s', async (_, cutAt) => {
    const bytes = readFileSync(smallWhole);
    const path = newPath();
    writeFileSync(path, bytes.subarray(0, cutAt(bytes)));
    await resumed(path, small.env, smallWhole);
  });

  it('resumes after a kill -9, and after another', async () => {
    const path = newPath();
    const words = ['export', '--to', path];
    for (const more of [0, 1_500_000]) {
      const command = startAtrium(
        source.env,
        'events',
        ...words,
        ...(more > 0 ? ['--resume'] : []),
      );
      const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const hasMore = () => size() > more || command.process.exitCode !== null;
      await until(hasMore, 'more of the file', { everyMs: 1 });
      command.process.kill('SIGKILL');
      await command.ended;
    }
    await resumed(path);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('prints how to resume it after %s', async (signal, exitCode) => {
    const path = newPath();
    const command = startAtrium(source.env, 'events', 'export', '--to', path);
    const begun = () => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
    await until(begun, 'the beginning of the file', { everyMs: 1 });
    command.process.kill(signal);
    expect(await command.ended).toMatchObject({
      code: exitCode,
      err: expect.stringContaining('--resume goes on'),
    });
    await resumed(path);
  });

  it('is not changed when it is complete', async () => {
    const before = readFileSync(whole);
    const ended = await runAtrium(source.env, 'events', 'export', '--to', whole, '--resume');
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('is complete') });
    expect(readFileSync(whole).equals(before)).toBe(true);
  });

  it.each([
    ['an incomplete', 500_000],
    ['a complete', Infinity],
  ])('resumes %s file only with its own options and log', async (_, length) => {
    const path = newPath();
    const bytes = readFileSync(whole).subarray(0, length);
    writeFileSync(path, bytes);
    const other = await freshLog();
    const into = ['export', '--to', path, '--resume'];
    expect(await runAtrium(other.env, 'events', ...into)).toMatchObject({
      code: 1,
      err: `atrium: ${path} was exported from another log\n`,
    });
    await other.drop();
    expect(await runAtrium(source.env, 'events', ...into, '--category', 'ticket')).toMatchObject({
      code: 1,
      err: `atrium: ${path} was begun with another --after, --category or --erase\n`,
    });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('does not resume after lines that it has not written', async () => {
    const path = newPath();
    const text = readFileSync(whole, 'utf8').replace('"n":15000,', '"n":15001,');
    writeFileSync(path, text);
    truncateSync(path, Buffer.byteLength(text) - 5);
    expect(await runAtrium(source.env, 'events', 'export', '--to', path, '--resume')).toMatchObject(
      {
        code: 1,
        err: expect.stringContaining('the file is whole up to event 10000'),
      },
    );
  });
});

describe('the command', () => {
  it('overwrites no file', async () => {
    const before = readFileSync(whole);
    expect(await runAtrium(source.env, 'events', 'export', '--to', whole)).toMatchObject({
      code: 1,
      err: expect.stringContaining('already exists'),
    });
    expect(readFileSync(whole).equals(before)).toBe(true);
  });

  it.each([
    [['export', '--to', '/nowhere/at/all'], 1, 'cannot be made'],
    [['export', '--after', 'x'], 2, '--after: not a position: x'],
    [['export', '--after', '99999'], 2, '--after: 99999 is after the end of the log'],
    [['export', '--resume'], 2, '--resume needs --to FILE'],
    [['export', '--to', '/dev/full'], 1, 'already exists'],
  ])('reports in one line what is wrong with %j', async (words, expected, says) => {
    const { code, err } = await runAtrium(source.env, 'events', ...words);
    expect(code).toBe(expected);
    expect(err).toMatch(/^atrium: [^\n]*\n$/);
    expect(err).toContain(says);
  });

  it('reports in one line that the log is unavailable', async () => {
    const nowhere = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const { code, err } = await runAtrium(nowhere, 'events', 'export', '--after', '1/1');
    expect(code).toBe(1);
    expect(err).toMatch(/^atrium: the event log cannot be reached: [^\n]*\n$/);
  });

  it('ends silently when its reader has closed the pipe', async () => {
    const command = startAtrium(source.env, 'events', 'export');
    command.process.stdout!.once('data', () => command.process.stdout!.destroy());
    expect(await command.ended).toMatchObject({ code: 1, err: '' });
  });

  it('waits for a slow reader, and omits no event', async () => {
    const command = startAtrium(source.env, 'events', 'export');
    command.process.stdout!.pause();
    await letPass(1_000, 'the log is read, and the output blocked by its reader');
    command.process.stdout!.resume();
    const { code, out } = await command.ended;
    expect(code).toBe(0);
    expect(out.split('\n').filter((line) => line.startsWith('{"position"'))).toEqual(
      eventsIn(whole),
    );
  });
});

const positionOf = (line: string): number =>
  Number((JSON.parse(line) as { position: string }).position);
