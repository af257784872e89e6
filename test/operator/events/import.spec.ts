/** `atrium events import`: the same events in another log, despite interruptions. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { importFile } from '../../../src/operator/events/import-command.ts';
import { appendMissing } from '../../../src/operator/events/importer.ts';
import { lookUp, planOf } from '../../../src/operator/events/plan.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { PROGRESS_LINE_MS } from '../../../src/operator/limits.ts';
import { happened } from '../../support/log/events.ts';
import { everythingIn, fill, lasting } from '../../support/log/contents.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { runAtrium, startAtrium } from '../../support/servers/cli.ts';
import { temporaryFiles } from '../../support/files.ts';
import { until } from '../../support/until.ts';

/** A log to import, and its export file. */
interface Source extends FreshLog {
  readonly path: string;
  readonly all: readonly string[];
}

/** Large enough to be interrupted, and to have two marks. */
const MANY = 21_000;
const FEW = 1_500;

let large: Source;
let small: Source;
let target: FreshLog;
const directory = temporaryFiles();
let names = 0;

const newPath = () => directory.path(`import-${(names += 1)}.ndjson`);
const fileOf = (text: string | Buffer) => {
  const path = newPath();
  writeFileSync(path, text);
  return path;
};
const held = async (log: EventStore = target.log) => lasting(await everythingIn(log));
const sourceOf = async (events: number, streams: number): Promise<Source> => {
  const own = await freshLog();
  await fill(own.log, events, streams);
  const path = newPath();
  await runAtrium(own.env, 'events', 'export', '--to', path);
  return { ...own, path, all: await held(own.log) };
};

beforeAll(async () => {
  large = await sourceOf(MANY, 3_000);
  small = await sourceOf(FEW, 300);
});
afterAll(async () => {
  await large.drop();
  await small.drop();
});
beforeEach(async () => {
  target = await freshLog();
});
afterEach(() => target.drop());

describe('an imported log', () => {
  it('has the same events under the same ids and revisions, in the same order', async () => {
    const { code, out, err } = await runAtrium(target.env, 'events', 'import', large.path);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/verified: 21000 events in \d+ streams, as in the file\n$/);
    expect(await held()).toEqual(large.all);
  });

  it('has a new identity and its own recording times', async () => {
    await runAtrium(target.env, 'events', 'import', small.path);
    expect(await logIdentity(target.log)).not.toBe(await logIdentity(small.log));
    const [here, there] = [await everythingIn(target.log), await everythingIn(small.log)];
    expect(here[0]!.recordedAt > there[0]!.recordedAt).toBe(true);
  });

  it('may come from an older export, whose header calls the backend a keeping', async () => {
    const text = readFileSync(small.path, 'utf8').replace('"backend":', '"keeping":');
    const lines = text.slice(0, text.lastIndexOf('{"trailer'));
    const { trailer } = JSON.parse(text.slice(lines.length)) as { trailer: object };
    const sha256 = createHash('sha256').update(lines).digest('hex');
    const path = fileOf(`${lines}${JSON.stringify({ trailer: { ...trailer, sha256 } })}\n`);
    expect(await runAtrium(target.env, 'events', 'import', path)).toMatchObject({ code: 0 });
    expect(await held()).toEqual(small.all);
  });

  it('is not changed by a repeated import', async () => {
    await runAtrium(target.env, 'events', 'import', small.path);
    const head = await target.log.head();
    expect(await runAtrium(target.env, 'events', 'import', small.path)).toMatchObject({
      code: 0,
      err: expect.stringContaining('1500 of them are in the log, 0 are missing'),
    });
    expect(await target.log.head()).toEqual(head);
  });

  it('may grow, and still passes the verification against the file', async () => {
    await runAtrium(target.env, 'events', 'import', small.path);
    const { stream, revision } = (await everythingIn(target.log)).at(-1)!;
    await target.log.append(stream, revision, [happened('Later')]);
    await target.log.append('other-1', 'no_stream', [happened('Later')]);
    expect(await runAtrium(target.env, 'events', 'import', small.path)).toMatchObject({
      code: 0,
      err: expect.stringContaining('the log holds 2 events that are not in the file'),
    });
  });

  it('is exported as it was imported, also by standard input and output', async () => {
    const importing = startAtrium(target.env, 'events', 'import', '-');
    importing.process.stdin!.end(readFileSync(small.path));
    expect(await importing.ended).toMatchObject({ code: 0 });
    const { out } = await runAtrium(target.env, 'events', 'export');
    const third = await freshLog();
    const back = startAtrium(third.env, 'events', 'import', '-');
    back.process.stdin!.end(out);
    expect(await back.ended).toMatchObject({ code: 0 });
    expect(await held(third.log)).toEqual(small.all);
    await third.drop();
  });

  it('has the same events, each stream in its order, with --fast', async () => {
    expect(await runAtrium(target.env, 'events', 'import', '--fast', small.path)).toMatchObject({
      code: 0,
    });
    expect((await held()).toSorted()).toEqual(small.all.toSorted());
  });
});

describe('an import from standard input', () => {
  const imported = (text: string | Buffer) => {
    const command = startAtrium(target.env, 'events', 'import', '-');
    command.process.stdin!.end(text);
    return command.ended;
  };

  it('names it in its output', async () => {
    expect(await imported(readFileSync(small.path))).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^standard input holds 1500 events /),
    });
  });

  it.each<[string, (lines: readonly string[]) => readonly string[], RegExp]>([
    ['is empty', () => [], /^atrium: standard input is no file of events: it is empty\n$/],
    ['is no export', () => ['{"a":1}\n'], /^atrium: standard input is no file of events\n$/],
    ['lacks its end', (lines) => lines.slice(0, -1), /^atrium: standard input ends without /],
    ['has a wrong line', (lines) => lines.with(1, '{\n'), /^atrium: standard input: line 2 is no /],
    [
      'lacks an event',
      (lines) => lines.toSpliced(300, 1),
      /^atrium: standard input: \S+ goes from /,
    ],
  ])('names it in the error if it %s', async (_, change, says) => {
    const lines = readFileSync(small.path, 'utf8').split(/(?<=\n)/);
    const { code, err } = await imported(change(lines).join(''));
    expect(code).toBe(1);
    expect(err).toMatch(says);
  });
});

describe('an interrupted import', () => {
  /** Kills the import twice, each time after it has stored events, and lets the third one end. */
  const killedTwice = async (...words: string[]) => {
    for (const stored of [0, 6_000]) {
      const command = startAtrium(target.env, 'events', 'import', ...words, large.path);
      const position = async () => Number((await target.log.head()).position ?? 0);
      await until(
        async () => (await position()) > stored || command.process.exitCode !== null,
        'something stored',
        { everyMs: 5 },
      );
      command.process.kill('SIGKILL');
      await command.ended;
    }
    const half = (await held()).length;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(MANY);
    expect(await runAtrium(target.env, 'events', 'import', ...words, large.path)).toMatchObject({
      code: 0,
    });
  };

  it('by kill -9, twice, can be repeated, and keeps even the order', async () => {
    await killedTwice();
    expect(await held()).toEqual(large.all);
  });

  it('by kill -9, twice, can be repeated with --fast', async () => {
    await killedTwice('--fast');
    expect((await held()).toSorted()).toEqual(large.all.toSorted());
  });

  it('by Ctrl-C reports so', async () => {
    const command = startAtrium(target.env, 'events', 'import', large.path);
    await until(async () => (await target.log.head()).position !== null, 'something stored');
    command.process.kill('SIGINT');
    expect(await command.ended).toMatchObject({
      code: 130,
      err: expect.stringContaining('the same command goes on from here'),
    });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s while standard input is open leaves no copy of it', async (signal, code) => {
    const TMPDIR = temporaryDirectory('spool');
    const command = startAtrium({ ...target.env, TMPDIR }, 'events', 'import', '-');
    command.process.stdin!.write(readFileSync(small.path).subarray(0, 100));
    await until(() => readdirSync(TMPDIR).length > 0, 'the copy');
    command.process.kill(signal);
    expect(await command.ended).toMatchObject({ code });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it('by an unavailable log retries, and stores no event twice', async () => {
    const tries = new Map<string, number>();
    const unreliable = logWith(target.log, {
      append: async (...given: Parameters<EventStore['append']>) => {
        const [stream, expected] = given;
        const times = (tries.get(`${stream} ${expected}`) ?? 0) + 1;
        tries.set(`${stream} ${expected}`, times);
        if (times === 1) throw new LogUnavailable('lost on the way');
        const appended = await target.log.append(...given);
        if (times === 2) throw new LogUnavailable('stored, and the reply lost');
        return appended;
      },
    });
    const few = await sourceOf(150, 100);
    const plan = await planOf(few.path, false);
    const { signal } = new AbortController();
    await lookUp(target.log, plan, signal);
    await appendMissing(unreliable, plan, { order: 'in-order', signal });
    expect(await held()).toEqual(few.all);
    await few.drop();
  });
});

describe('an incomplete file', () => {
  const refused = async (path: string, ...says: string[]) => {
    const { code, err } = await runAtrium(target.env, 'events', 'import', path);
    expect(code).toBe(1);
    for (const words of says) expect(err).toContain(words);
    expect(await held()).toEqual([]);
  };

  it('is refused when cut off, and imported as far as it goes on request', async () => {
    const bytes = readFileSync(small.path);
    const path = fileOf(bytes.subarray(0, bytes.indexOf('"n":1200,')));
    await refused(path, 'it was cut off', 'imports the 1200 events that are whole');
    expect(
      await runAtrium(target.env, 'events', 'import', '--allow-incomplete', path),
    ).toMatchObject({
      code: 0,
    });
    expect(await held()).toEqual(small.all.slice(0, 1_200));
    expect(await runAtrium(target.env, 'events', 'import', small.path)).toMatchObject({ code: 0 });
    expect(await held()).toEqual(small.all);
  });

  it('is refused when only its last line is missing', () => {
    const text = readFileSync(small.path);
    return refused(fileOf(text.subarray(0, text.lastIndexOf('{"trailer'))), 'without a trailer');
  });

  it.each<[string, (text: string) => string, string]>([
    [
      'a letter of an event was changed',
      (text) => text.replace('"n":15000,', '"n":15001,'),
      'whole up to event 10000',
    ],
    [
      'an event was left out',
      (text) => text.replace(/^.*"n":20999,.*\n/m, ''),
      'whole up to event 20000',
    ],
    ['a line is not JSON', (text) => text.replace('"n":15000,', '"n":15000'), 'up to event 15000'],
    [
      'an event was left out, of a stream that goes on',
      (text) => text.replace(/^.*"n":500,.*\n/m, ''),
      'goes from revision',
    ],
  ])('is refused when %s', async (_, change, says) => {
    await refused(fileOf(change(readFileSync(large.path, 'utf8'))), says);
  });

  it.each<[string, (text: string) => string, string]>([
    ['a line follows its end', (text) => `${text}{"mark":{}}\n`, 'comes after the end'],
    ['an incomplete line follows its end', (text) => `${text}{`, 'more after the end'],
    ['it has two exports', (text) => text + text, 'comes after the end'],
    ['it is not an export', () => '{"a":1}\n', 'is no file of events'],
    ['it is empty', () => '', 'is no file of events'],
  ])('is refused when %s', async (_, change, says) => {
    await refused(fileOf(change(readFileSync(small.path, 'utf8'))), says);
  });

  it('is imported up to the last mark before a wrong line', async () => {
    const path = fileOf(readFileSync(large.path, 'utf8').replace('"n":15000,', '"n":15001,'));
    expect(
      await runAtrium(target.env, 'events', 'import', '--allow-incomplete', path),
    ).toMatchObject({
      code: 0,
    });
    expect(await held()).toEqual(large.all.slice(0, 10_000));
  });

  it('is refused when it is missing', () => refused('/nowhere/at/all', 'cannot be read'));
});

it('appends only missing events', async () => {
  const bytes = readFileSync(small.path);
  const path = fileOf(bytes.subarray(0, bytes.indexOf('"n":1200,')));
  await runAtrium(target.env, 'events', 'import', '--allow-incomplete', path);
  const plan = await planOf(small.path, false);
  const { signal } = new AbortController();
  await lookUp(target.log, plan, signal);
  let sent = 0;
  const counting = logWith(target.log, {
    append: (...given: Parameters<EventStore['append']>) => {
      sent += given[2].length;
      return target.log.append(...given);
    },
  });
  await appendMissing(counting, plan, { order: 'in-order', signal });
  expect(sent).toBe(FEW - 1_200);
});

it('measures the rate of each comparison with the log by itself', async () => {
  const log = memoryEventStore();
  const { signal } = new AbortController();
  const bytes = readFileSync(small.path);
  const cut = fileOf(bytes.subarray(0, bytes.indexOf('"n":1200,')));
  await importFile(log, cut, { allowIncomplete: true }, signal);
  let walks = 0;
  const inSmallBatches = logWith(log, {
    subscribe: (after, options) =>
      log.subscribe(after, { ...options, batchEventsMax: (walks += 1) === 1 ? 1_000 : 100 }),
  });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += PROGRESS_LINE_MS));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await importFile(inSmallBatches, small.path, {}, signal);
  const lines = written.mock.calls.map(([line]) => String(line));
  vi.restoreAllMocks();
  const rates = lines.flatMap((line) => /^looked up .* (-?\d+) events\/s/.exec(line)?.[1] ?? []);
  expect(rates.length).toBeGreaterThan(10);
  expect(rates.filter((rate) => rate.startsWith('-'))).toEqual([]);
});

it('fails if the log lacks an acknowledged event', async () => {
  const own = await sourceOf(20, 10);
  const { stream } = (await everythingIn(own.log)).at(-1)!;
  const forgetful = logWith(target.log, {
    append: async (...given: Parameters<EventStore['append']>) => {
      const [to, expected, events] = given;
      if (to !== stream) return target.log.append(...given);
      const before = typeof expected === 'number' ? expected : -1;
      return { revision: before + events.length, position: '1', repeated: false };
    },
  });
  const { signal } = new AbortController();
  const done = importFile(forgetful, own.path, {}, signal);
  await expect(done).rejects.toThrow('events are not in the log after all');
  await own.drop();
});

describe('a log with other events', () => {
  const sample = async () => (await everythingIn(small.log))[0]!;
  const withStreamOf = async (log: EventStore, stream: string) => {
    const stored = await log.readStream(stream);
    return { events: stored.map(({ id, type, data, meta }) => ({ id, type, data, meta })) };
  };

  const refused = async (says: string) => {
    const before = await held();
    const { code, err } = await runAtrium(target.env, 'events', 'import', small.path);
    expect(code).toBe(1);
    expect(err).toContain(says);
    expect(await held()).toEqual(before);
  };

  it('is refused, by name, when a stream begins with another event', async () => {
    const { stream, type, id } = await sample();
    const other = happened('Other');
    await target.log.append(stream, 'no_stream', [other]);
    await refused(`${stream}, revision 0: the file has ${type} ${id}, the log Other ${other.id}`);
  });

  it('is refused when an event has the same id and other data', async () => {
    const { stream, type, id, meta } = await sample();
    await target.log.append(stream, 'no_stream', [{ id, type, data: { n: 'other' }, meta }]);
    await refused(`${stream}, revision 0: ${type} ${id} has other data`);
  });

  it('is refused when an event has other metadata', async () => {
    const { stream, type, id, data } = await sample();
    await target.log.append(stream, 'no_stream', [{ id, type, data, meta: { commandId: 'x' } }]);
    await refused(`${type} ${id} has other metadata`);
  });

  it('is refused when one event of a complete stream differs', async () => {
    const { stream } = await sample();
    const ofStream = (await everythingIn(small.log)).filter((event) => event.stream === stream);
    expect(ofStream.length).toBeGreaterThan(1);
    const events = ofStream.with(ofStream.length - 1, { ...ofStream.at(-1)!, id: randomUUID() });
    await target.log.append(
      stream,
      'no_stream',
      events.map(({ id, type, data, meta }) => ({ id, type, data, meta })),
    );
    await refused(`${stream}, revision ${ofStream.length - 1}: the file has`);
  });

  it('is refused when it has some of the file, but not its beginning, unless --fast', async () => {
    const { stream } = (await everythingIn(small.log)).at(-1)!;
    const { events } = await withStreamOf(small.log, stream);
    await target.log.append(stream, 'no_stream', events);
    await refused('not its beginning, or in another order');
    expect(await runAtrium(target.env, 'events', 'import', '--fast', small.path)).toMatchObject({
      code: 0,
    });
    await refused('not its beginning, or in another order');
  });

  it('is refused while another process writes to it', async () => {
    const plan = await planOf(small.path, false);
    const { signal } = new AbortController();
    await lookUp(target.log, plan, signal);
    const { stream } = await sample();
    await target.log.append(stream, 'no_stream', [happened('Other')]);
    await expect(appendMissing(target.log, plan, { order: 'in-order', signal })).rejects.toThrow(
      'another process writes to this log',
    );
  });

  it('is not changed by --dry-run', async () => {
    expect(await runAtrium(target.env, 'events', 'import', '--dry-run', small.path)).toMatchObject({
      code: 0,
      err: expect.stringContaining('0 of them are in the log, 1500 are missing'),
    });
    expect(await held()).toEqual([]);
  });
});

describe('a stream that does not begin at revision 0', () => {
  const exportOf = async (from: FreshLog, ...words: string[]) => {
    const path = newPath();
    expect(await runAtrium(from.env, 'events', 'export', '--to', path, ...words)).toMatchObject({
      code: 0,
    });
    return path;
  };

  it('continues the events of an earlier file, and no others', async () => {
    const first = await freshLog();
    await fill(first.log, 400, 40);
    const earlier = await exportOf(first);
    const { position } = await first.log.head();
    const later = (await everythingIn(first.log)).slice(0, 10);
    for (const { stream } of new Map(later.map((event) => [event.stream, event])).values()) {
      const [last] = await first.log.readStream(stream, { backwards: true, limit: 1 });
      await first.log.append(stream, last!.revision, [happened('Later'), happened('Later')]);
    }
    const rest = await exportOf(first, '--after', position!);

    const { code, err } = await runAtrium(target.env, 'events', 'import', rest);
    expect(code).toBe(1);
    expect(err).toContain('import the one before it first');
    expect(await held()).toEqual([]);
    for (const path of [earlier, rest, rest])
      expect(await runAtrium(target.env, 'events', 'import', path)).toMatchObject({ code: 0 });
    expect(await held()).toEqual(await held(first.log));
    await first.drop();
  });

  it('is refused by name when its beginning was removed, unless renumbered', async () => {
    const cut = await freshLog();
    await cut.log.append('ticket-1', 'no_stream', [happened('A'), happened('B'), happened('C')]);
    await cut.log.append('ticket-2', 'no_stream', [happened('A')]);
    await cut.log.append('journal-1', 'any', [happened('Gone')]);
    await cut.log.append('ticket-2', 0, [happened('B')]);
    await cut.log.truncateStream('ticket-1', 2);
    await cut.log.deleteStream('journal-1');
    const path = await exportOf(cut);

    const refusal = await runAtrium(target.env, 'events', 'import', path);
    expect(refusal.code).toBe(1);
    expect(refusal.err).toContain('1 streams do not begin at revision 0');
    expect(refusal.err).toContain('  ticket-1: from 2; the log has 0\n');
    expect(await held()).toEqual([]);
    for (const _ of [1, 2])
      expect(await runAtrium(target.env, 'events', 'import', '--renumber', path)).toMatchObject({
        code: 0,
      });
    const places = (await everythingIn(target.log)).map((event) => [
      event.stream,
      event.revision,
      event.type,
    ]);
    expect(places).toEqual([
      ['ticket-1', 0, 'C'],
      ['ticket-2', 0, 'A'],
      ['ticket-2', 1, 'B'],
    ]);
    await cut.drop();
  });
});
