/**
 * A process that works on the log until it is stopped, and then reports the log's replies:
 * `write` appends in every way, `read` subscribes, `use` appends under a guard.
 */
import { postgresEventStore } from '../../../../src/engine/log/postgres/store.ts';
import {
  GuardMoved,
  LogUnavailable,
  WrongRevision,
  type AppendOptions,
  type EventStore,
  type Expected,
  type NewEvent,
  type Position,
} from '../../../../src/engine/log/event-store.ts';
import { happened } from '../../../support/log/events.ts';

const [role, url, name] = process.argv.slice(2) as ['write' | 'read' | 'use', string, string];
const store = postgresEventStore({ url });
const stopping = new AbortController();
process.once('message', () => stopping.abort());

export interface Written {
  /** Id and position of each event acknowledged. */
  readonly acknowledged: readonly (readonly [string, string])[];
  readonly repeated: number;
  readonly conflicts: number;
  readonly poisoned: number;
}

export interface Read {
  readonly ids: readonly string[];
  readonly positions: readonly string[];
}

/** Retries with the same ids while the outcome is unknown, as a caller has to. */
const appended = async (
  stream: string,
  expected: Expected,
  events: NewEvent[],
  options?: AppendOptions,
) => {
  for (;;) {
    try {
      return await store.append(stream, expected, events, options);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
    }
  }
};

const write = async (): Promise<Written> => {
  const acknowledged: [string, string][] = [];
  let [repeated, conflicts, poisoned] = [0, 0, 0];
  const record = async (stream: string, expected: Expected, events: NewEvent[]) => {
    const answer = await appended(stream, expected, events);
    if (answer.repeated) repeated += 1;
    acknowledged.push([events.at(-1)!.id, answer.position]);
    for (const [back, event] of events.slice(0, -1).reverse().entries())
      acknowledged.push([event.id, String(Number(answer.position) - back - 1)]);
    return answer.revision;
  };
  const until = async (step: () => Promise<void>) => {
    while (!stopping.signal.aborted) await step();
  };

  const own = (worker: number) => {
    let at: number | 'no_stream' = 'no_stream';
    return until(async () => {
      at = await record(`own-${name}.${worker}`, at, [happened('Own'), happened('Own')]);
    });
  };
  const hot = (worker: number) =>
    until(async () => {
      const stream = `hot-${worker % 2}`;
      const [last] = await latest(store, stream);
      try {
        await record(stream, last?.revision ?? 'no_stream', [happened('Hot')]);
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        conflicts += 1;
      }
    });
  const journal = () => until(async () => void (await record('journal-1', 'any', [happened('J')])));
  const taken = happened('Taken');
  await appended(`taken-${name}`, 'no_stream', [taken]).then(({ position }) =>
    acknowledged.push([taken.id, position]),
  );
  // An id of another stream after a new one: only Postgres can detect it.
  const poison = () =>
    until(() =>
      appended(`poison-${name}`, 'any', [happened('New'), taken]).then(
        () => {
          throw new Error('poison was stored');
        },
        (error: Error) => {
          if (!/in another stream/.test(error.message)) throw error;
          poisoned += 1;
        },
      ),
    );
  await Promise.all([
    ...Array.from({ length: 12 }, (_, worker) => own(worker)),
    ...Array.from({ length: 4 }, (_, worker) => hot(worker)),
    ...Array.from({ length: 4 }, journal),
    poison(),
  ]);
  return { acknowledged, repeated, conflicts, poisoned };
};

const latest = async (log: EventStore, stream: string) => {
  for (;;) {
    try {
      return await log.readStream(stream, { backwards: true, limit: 1 });
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
    }
  }
};

/** Reads up to the head of the log at the time of the stop. */
const read = async (): Promise<Read> => {
  const ids: string[] = [];
  const positions: string[] = [];
  const done = new AbortController();
  let at: Position | null = null;
  let end: Position | null = null;
  const stopAtEnd = () => {
    if (end !== null && store.compare(at, end) >= 0) done.abort();
  };
  const findEnd = async () => {
    end = (await store.head()).position;
    stopAtEnd();
  };
  stopping.signal.addEventListener('abort', () => void findEnd());
  for await (const { events, upTo } of store.subscribe(null, { signal: done.signal })) {
    for (const { id, position } of events) {
      ids.push(id);
      positions.push(position);
    }
    at = upTo;
    stopAtEnd();
  }
  return { ids, positions };
};

const use = async (): Promise<{ allowed: number }> => {
  let allowed = 0;
  const worker = async () => {
    for (let key = 0; !stopping.signal.aborted;) {
      const guard = { stream: `key-${key}`, revision: 0 };
      try {
        await appended('used-1', 'any', [happened('Used', { key })], { guard });
        allowed += 1;
      } catch (error) {
        if (!(error instanceof GuardMoved)) throw error;
        if (error.actual !== null) key += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { allowed };
};

process.send?.('ready');
const result = await { write, read, use }[role]();
await store.close();
process.send?.(result, () => process.disconnect());
