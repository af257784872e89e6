/**
 * A process that works on a log until it is stopped, and reports progress to its parent:
 * `write` appends in every way and reports acknowledged ids, `read` follows to the head.
 *
 *     node test/torture/worker.ts write|read <url> <name> <round> [<position>]
 */
import {
  LogUnavailable,
  WrongRevision,
  type EventStore,
  type Expected,
  type NewEvent,
  type Position,
} from '../../src/engine/log/event-store.ts';
import { happened } from '../support/log/events.ts';
import { categoriesOf, openLog, type Said } from './log.ts';
import { letPass } from '../support/until.ts';

const [role, url, name, round, from] = process.argv.slice(2) as [
  'write' | 'read',
  string,
  string,
  string,
  Position?,
];
const log: EventStore = openLog(url);
const stopping = new AbortController();
process.on('message', () => stopping.abort());
// The parent is gone: its worker has no purpose.
process.on('disconnect', () => process.exit(1));

const say = (said: Said) => {
  process.send?.(said);
};

/** Retries with the same ids while the outcome is unknown, as a caller must. */
const untilKnown = async <T>(call: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
    }
  }
};

const write = async () => {
  let acknowledged: string[] = [];
  const report = () => {
    if (acknowledged.length > 0) say({ ids: acknowledged });
    acknowledged = [];
  };
  const reporting = setInterval(report, 20);
  const append = async (stream: string, expected: Expected, events: NewEvent[]) => {
    const { revision } = await untilKnown(() => log.append(stream, expected, events));
    for (const { id } of events) acknowledged.push(id);
    return revision;
  };
  const until = async (step: () => Promise<void>) => {
    while (!stopping.signal.aborted) await step();
  };

  const own = (lane: number) => {
    let at: Expected = 'no_stream';
    const stream = `own${round}-${name}.${lane}`;
    return until(async () => {
      at = await append(stream, at, [happened('Own'), happened('Own')]);
    });
  };
  const hot = (lane: number) =>
    until(async () => {
      const stream = `hot${round}-${lane % 2}`;
      const [last] = await untilKnown(() => log.readStream(stream, { backwards: true, limit: 1 }));
      try {
        await append(stream, last?.revision ?? 'no_stream', [happened('Hot')]);
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
      }
    });
  const journal = (lane: number) =>
    until(async () => void (await append(`journal${round}-${lane % 2}`, 'any', [happened('J')])));

  await Promise.all([
    ...Array.from({ length: 12 }, (_, lane) => own(lane)),
    ...Array.from({ length: 4 }, (_, lane) => hot(lane)),
    ...Array.from({ length: 4 }, (_, lane) => journal(lane)),
  ]);
  clearInterval(reporting);
  report();
};

/** Follows the log up to its head at the time of the stop. */
const read = async () => {
  const done = new AbortController();
  let at: Position | null = from ?? null;
  let end: Position | null = null;
  const stopAtEnd = () => {
    if (end !== null && log.compare(at, end) >= 0) done.abort();
  };
  const findEnd = async () => {
    end = (await untilKnown(() => log.head())).position;
    stopAtEnd();
  };
  stopping.signal.addEventListener('abort', () => void findEnd());
  const options = { categories: categoriesOf(round), signal: done.signal };
  for await (const { events, upTo } of log.subscribe(at, options)) {
    if (events.length > 0) say({ ids: events.map(({ id }) => id) });
    at = upTo;
    stopAtEnd();
  }
};

await { write, read }[role]();
await log.close();
say({ done: true });
// The channel is closed only once everything has gone through it.
while (process.channel && process.connected) {
  await letPass(5, 'the channel empties itself');
  process.disconnect();
}
