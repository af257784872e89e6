/** The positions at which processes resume in a moved log. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { processPosition } from '../../../src/engine/processes/process-position.ts';
import type { StoredEvent } from '../../../src/engine/log/event-store.ts';
import { happened } from '../../support/log/events.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { temporaryFiles } from '../../support/files.ts';

const directory = temporaryFiles();
let names = 0;
let source: FreshLog;
let target: FreshLog;

beforeEach(async () => {
  source = await freshLog();
  target = await freshLog();
  // So that no position of one log is correct in the other.
  await target.log.append(
    'other-1',
    'no_stream',
    [1, 2, 3].map(() => happened('Other')),
  );
});
afterEach(async () => {
  await source.drop();
  await target.drop();
});

const move = async (exporting: string[] = [], importing: string[] = []) => {
  const path = directory.path(`${(names += 1)}.ndjson`);
  await runAtrium(source.env, 'events', 'export', '--to', path, ...exporting);
  const imported = await runAtrium(target.env, 'events', 'import', ...importing, path);
  expect(imported).toMatchObject({ code: 0 });
  return imported;
};

/** A registered process with a checkpoint at the current head. */
const processAt = async (name: string) => {
  const place = processPosition(name, source.log, systemClock);
  await place.find();
  const { position } = await source.log.head();
  await place.copy(position!);
};

const here = (name: string) => processPosition(name, target.log, systemClock).find();

/** The ids of the events after `position`, which a process has yet to handle. */
const ahead = async ({ log }: FreshLog, position: string) =>
  (await everythingIn(log))
    .filter((event) => log.compare(event.position, position) > 0)
    .filter(isForeign)
    .map(({ id }) => id);

const isForeign = ({ stream }: StoredEvent) => !stream.startsWith('process-');

describe.each([[[]], [['--fast']]])('imported with %j, a process', (words) => {
  it('resumes after the last event that it had handled', async () => {
    await fill(source.log, 2_500, 300);
    await processAt('moving');
    const { position } = await source.log.head();
    await source.log.append('ticket-late', 'no_stream', [happened('A'), happened('B')]);
    expect((await move([], words)).err).toContain('go on from where they were: moving');
    const expected = await ahead(source, position!);
    expect(expected).toHaveLength(2);
    expect(await ahead(target, await here('moving'))).toEqual(expected);
  });

  it('is given its position once, and keeps a later one of its own', async () => {
    await source.log.append('ticket-1', 'no_stream', [happened('A')]);
    await processAt('moving');
    await move([], words);
    const carried = await here('moving');
    // As after a kill between the record and the line of output.
    expect((await move([], words)).err).toContain('go on from where they were: moving');
    expect(await here('moving')).toBe(carried);
    await target.log.append('ticket-1', 0, [happened('B')]);
    const { position } = await target.log.head();
    await processPosition('moving', target.log, systemClock).copy(position!);
    expect((await move([], words)).err).not.toContain('go on from where');
    expect(await here('moving')).toBe(position);
  });
});

it('skips no event that was in the new log before the others', async () => {
  await fill(source.log, 300, 50);
  const { position: stood } = await source.log.head();
  await processAt('moving');
  const early = [happened('Early')];
  await source.log.append('ticket-early', 'no_stream', early);
  await target.log.append('ticket-early', 'no_stream', early);
  await move([], ['--fast']);
  const heard = new Set(await ahead(target, await here('moving')));
  for (const id of await ahead(source, stood!)) expect(heard).toContain(id);
});

it('resumes at the right position after a second file that continues the first', async () => {
  await source.log.append('ticket-1', 'no_stream', [happened('A')]);
  await processAt('moving');
  await move();
  const { position } = await source.log.head();
  await source.log.append('ticket-1', 0, [happened('B')]);
  await processAt('moving');
  await source.log.append('ticket-1', 1, [happened('C')]);
  await move(['--after', position!]);
  const [, , last] = await source.log.readStream('ticket-1');
  expect(await ahead(target, await here('moving'))).toEqual([last!.id]);
});

it('is given no position by a file of some categories', async () => {
  await source.log.append('ticket-1', 'no_stream', [happened('A')]);
  await processAt('moving');
  expect((await move(['--category', 'process'])).err).not.toContain('go on from where');
});

it('resumes at its latest position when it is moved back to the first log', async () => {
  await source.log.append('ticket-1', 'no_stream', [happened('A')]);
  await processAt('moving');
  await move();
  const place = processPosition('moving', target.log, systemClock);
  await place.find();
  await target.log.append('ticket-1', 0, [happened('B')]);
  await place.copy((await target.log.head()).position!);
  await target.log.append('ticket-1', 1, [happened('C')]);

  const path = directory.path('back.ndjson');
  await runAtrium(target.env, 'events', 'export', '--to', path);
  const back = await runAtrium(source.env, 'events', 'import', '--fast', path);
  expect(back).toMatchObject({ code: 0 });
  const [, , last] = await target.log.readStream('ticket-1');
  const position = await processPosition('moving', source.log, systemClock).find();
  const behind = (await ahead(source, position)).filter((id) => id !== last!.id);
  // Events that were only in the other log were handled there, and are imported after the position.
  expect(behind).toEqual([]);
});

it('resumes from its registration when its copied position is of neither log', async () => {
  await source.log.append('ticket-1', 'no_stream', [happened('Before')]);
  const stream = 'process-moving';
  await processPosition('moving', source.log, systemClock).find();
  await source.log.append('ticket-1', 0, [happened('After')]);
  const [registered] = await source.log.readStream(stream);
  await source.log.append(stream, 0, [
    {
      id: randomUUID(),
      type: 'ProcessCheckpointed',
      data: { position: '3', log: randomUUID() },
      meta: registered!.meta,
    },
  ]);
  expect((await move()).err).not.toContain('go on from where');
  const after = (await everythingIn(source.log)).find(({ type }) => type === 'After')!;
  expect(await ahead(target, await here('moving'))).toEqual([after.id]);
});

it('resumes from its registration when it has no later position', async () => {
  await source.log.append('ticket-1', 'no_stream', [happened('Before')]);
  await processPosition('moving', source.log, systemClock).find();
  await source.log.append('ticket-1', 0, [happened('After')]);
  await move();
  const after = (await everythingIn(source.log)).find(({ type }) => type === 'After')!;
  expect(await ahead(target, await here('moving'))).toEqual([after.id]);
});
