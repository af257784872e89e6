/** Requests of operators end, whatever happens to the process that carries them out. */
import { describe, expect, it } from 'vitest';
import { processId, projectionId, timersId } from '../../../src/engine/consumers/consumer.ts';
import { requests, type NewRequest } from '../../../src/engine/consumers/requests.ts';
import { giveUp } from '../../../src/engine/processes/outcome.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { perTest } from '../../support/consumers/per-test.ts';
import { processesOn, settled } from '../../support/consumers/running-processes.ts';
import { CommandReceiver, requested, tasks } from '../../support/consumers/sample-process.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { until } from '../../support/until.ts';

const test = perTest();

/** A process that has parked the stream of a task, the task's stuck timer, and a list of tasks. */
const consumers: readonly (readonly [string, Pick<NewRequest, 'consumer' | 'kind' | 'lane'>])[] = [
  ['process', { consumer: processId('notifying'), kind: 'retry', lane: 'task-a' }],
  ['timer table', { consumer: timersId('reminding'), kind: 'retry', lane: 'a' }],
  ['read model', { consumer: projectionId(tasks), kind: 'rebuild' }],
];

/** @param isAway Whether the database does not answer a statement, which it may have executed. */
const start = (isAway: (statement: string) => boolean = () => false) => {
  const receiver = new CommandReceiver();
  receiver.outcome = () => giveUp('no');
  const { pool: own } = test.openDatabase();
  const pool = poolThrough(own, async (statement, send) => {
    if (!isAway(statement)) return send();
    if (statement.includes(BEGIN)) await send();
    throw new Error('Connection terminated unexpectedly');
  });
  const stuckFirstMs = 3_600_000;
  const one = test.runs(processesOn(test.url, test.log, receiver, { db: { pool }, stuckFirstMs }));
  one.start();
  return one;
};

/** Of the first `count` statements with `words`. */
const awayFor = (count: number, words: string) => {
  let left = count;
  return (statement: string) => statement.includes(words) && (left -= 1) >= 0;
};
const ABANDON = 'the process that carried it out was ended';
const END = 'set state = $2, result = $3';
const BEGIN = `set state = 'running'`;

const prepared = async (isAway?: (statement: string) => boolean) => {
  const one = start(isAway);
  await until(async () => (await test.log.readStream('process-notifying')).length > 0);
  await test.log.append('task-a', 'no_stream', [requested()]);
  await settled(one, test.log);
  for (const name of ['notifying', 'reminding'])
    await until(async () => (await one.control.parked(name)).length === 1, name);
  return one;
};

const rows = () => requests(test.openDatabase().pool);
const ask = (request: Pick<NewRequest, 'consumer' | 'kind' | 'lane'>) =>
  rows().ask({ ...request, by: 'ana', at: systemClock.now() });
const ended = async (id: string) => {
  const { find } = rows();
  await until(async () => (await find(id))?.endedAt !== null, 'the end of the request');
  return find(id);
};

describe.each(consumers)('a request to a %s', (_, request) => {
  it.each([
    ['', 0],
    // Each of the three consumers fails at least once.
    [', though the database is away at first', 6],
  ])(
    'that a killed process has begun is ended by the next owner%s, and can be made again',
    async (_when, failures) => {
      await test.stop(await prepared());
      const { id } = await ask(request);
      expect(await rows().begin(id)).toBe(true);
      start(awayFor(failures, ABANDON));
      expect(await ended(id)).toMatchObject({
        state: 'failed',
        error: 'the process that carried it out was ended: ask again',
      });
      const again = await ask(request);
      expect(await ended(again.id)).toMatchObject({ state: 'done' });
    },
  );

  it('fails, if it is unknown whether it was begun, and can be made again', async () => {
    await prepared(awayFor(1, BEGIN));
    const { id } = await ask(request);
    expect(await ended(id)).toMatchObject({ state: 'failed' });
    const again = await ask(request);
    expect(await ended(again.id)).toMatchObject({ state: 'done' });
  });

  it('ends, though the database is away when its outcome is recorded', async () => {
    await prepared(awayFor(2, END));
    const { id } = await ask(request);
    expect(await ended(id)).toMatchObject({ state: 'done' });
  });
});

it('keeps its first outcome', async () => {
  const { begin, end, find } = rows();
  const request = await ask({ consumer: processId('none'), kind: 'retry', lane: 'task-a' });
  await begin(request.id);
  await end(request, { state: 'done' }, systemClock.now());
  await end(request, { state: 'failed', error: 'late' }, systemClock.now());
  expect(await find(request.id)).toMatchObject({ state: 'done', error: null });
});
