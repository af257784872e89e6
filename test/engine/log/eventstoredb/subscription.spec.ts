/** A subscription to a fake server. */
import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { LOG_PAGE_BYTES_MAX } from '../../../../src/engine/limits.ts';
import { silent } from '../../../../src/engine/observe/report.ts';
import {
  LogUnavailable,
  type AllPage,
  type Position,
} from '../../../../src/engine/log/event-store.ts';
import { noLeaderWatch } from '../../../../src/engine/log/eventstoredb/leader-watch.ts';
import { ClientFailover } from '../../../../src/engine/log/eventstoredb/client-failover.ts';
import { subscription } from '../../../../src/engine/log/eventstoredb/subscription.ts';

const eventAt = (position: number) => ({
  id: `00000000-0000-4000-8000-${String(position).padStart(12, '0')}`,
  type: 'A',
  data: {},
});

/** A page of the log as the reader returns it. */
const page = (...positions: readonly number[]): AllPage => ({
  events: positions.map((position) => ({
    ...eventAt(position),
    meta: {},
    stream: 's-1',
    revision: position,
    position: `${position}/${position}`,
    recordedAt: new Date(0).toISOString(),
  })),
  next: positions.length === 0 ? null : `${positions.at(-1)}/${positions.at(-1)}`,
  end: true,
});

type Place = { readonly commit: bigint; readonly prepare: bigint };
type Searched = (stream: unknown, upTo: Place) => void;

/** A subscription as the client returns it. */
class Played extends EventEmitter {
  readonly readableLength = 0;
  readonly unsubscribe = async () => {};
  isPaused = false;
  readonly #searched: Searched;

  constructor(searched: Searched) {
    super();
    this.#searched = searched;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  searches(commit: bigint): void {
    this.#searched(this, { commit, prepare: commit });
  }

  brings(position: number, data: object = {}): void {
    const at = BigInt(position);
    this.emit('data', {
      event: {
        ...eventAt(position),
        data,
        isJson: true,
        metadata: {},
        streamId: 's-1',
        revision: at,
        position: { commit: at, prepare: at },
        created: new Date(0),
      },
    });
  }

  drops(): void {
    this.emit('error', new Error('Consumer too slow'));
  }
}

interface Asked {
  readonly fromPosition: Place;
  readonly filter: { readonly checkpointReached: Searched };
}

let stop: AbortController | undefined;
afterEach(() => stop?.abort());

/** @param pageAfter The reply to a read of the log. Default: the read fails. */
const played = (pageAfter: (after: Position | null) => AllPage = unread) => {
  const opened: Played[] = [];
  const from: string[] = [];
  const client = {
    subscribeToAll({ fromPosition, filter }: Asked) {
      const one = new Played(filter.checkpointReached);
      opened.push(one);
      from.push(`${fromPosition.commit}/${fromPosition.prepare}`);
      return one;
    },
    dispose: async () => {},
  };
  let looks = 0;
  const reader = {
    all: async (after: Position | null) => pageAfter(after),
    async foreignUpTo() {
      looks += 1;
      return { position: null, end: false };
    },
  };
  stop = new AbortController();
  const parts = {
    clients: new ClientFailover(() => client as never, noLeaderWatch),
    credentials: { username: 'admin', password: 'changeit' },
    reader: reader as never,
    report: silent,
  };
  const batches = subscription(parts, '1/1', { signal: stop.signal });
  const next = async () => {
    const { value } = await batches.next();
    return value?.events.map(({ position }) => position);
  };
  return { opened, from, next, looks: () => looks };
};

const unread = (): AllPage => {
  throw new LogUnavailable('it is away');
};

it('delivers the events of one turn of the event loop as one batch', async () => {
  const { opened, next } = played();
  const first = next();
  // The client emits each event that it has received in a separate microtask.
  for (const position of [2, 3, 4]) {
    opened[0]!.brings(position);
    await Promise.resolve();
  }
  expect(await first).toEqual(['2/2', '3/3', '4/4']);
  const second = next();
  opened[0]!.brings(5);
  expect(await second).toEqual(['5/5']);
});

it('receives no more large events than one batch, and continues when it is taken', async () => {
  const { opened, next } = played();
  const first = next();
  const half = { text: 'x'.repeat(LOG_PAGE_BYTES_MAX / 4 - 1_000) };
  for (const position of [2, 3, 4, 5]) opened[0]!.brings(position, half);
  expect(opened[0]!.isPaused).toBe(true);
  expect(await first).toEqual(['2/2', '3/3']);
  expect(await next()).toEqual(['4/4', '5/5']);
  expect(opened[0]!.isPaused).toBe(false);
});

it('ignores the checkpoint of -1 that a 24.10 server sends at the end of the log', async () => {
  const { opened, next } = played();
  const first = next();
  // -1 as an unsigned integer of 64 bits, as the server sends it.
  opened[0]!.searches(2n ** 64n - 1n);
  opened[0]!.brings(2);
  expect(await first).toEqual(['2/2']);
});

it('reads by pages after it was dropped as too slow, until it has caught up', async () => {
  const pages = [page(3, 4, 5), page(6, 7, 8), page(9)];
  const asked: (Position | null)[] = [];
  const { opened, from, next } = played((after) => {
    asked.push(after);
    return pages.shift() ?? page();
  });
  const first = next();
  opened[0]!.brings(2);
  expect(await first).toEqual(['2/2']);
  const second = next();
  opened[0]!.drops();
  expect(await second).toEqual(['3/3', '4/4', '5/5']);
  expect(await next()).toEqual(['6/6', '7/7', '8/8']);
  expect(await next()).toEqual(['9/9']);
  await expect.poll(() => asked.slice(0, 4)).toEqual(['2/2', '5/5', '8/8', '9/9']);
  expect(opened).toHaveLength(1);
  await expect.poll(() => from).toEqual(['1/1', '9/9']);
  const last = next();
  opened[1]!.brings(10);
  expect(await last).toEqual(['10/10']);
});

it('resubscribes at once where it was dropped and the log cannot be read', async () => {
  const { opened, next } = played();
  for (const [at, position] of [2, 3, 4].entries()) {
    const batch = next();
    expect(opened).toHaveLength(at + 1);
    opened[at]!.brings(position);
    expect(await batch).toEqual([`${position}/${position}`]);
    opened[at]!.drops();
    // A retry pause would last for many more turns.
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
});

it('reads the head of the log only where its own position is unknown', async () => {
  const { opened, next, looks } = played();
  const first = next();
  opened[0]!.emit('caughtUp');
  expect(looks()).toBe(1);
  opened[0]!.brings(2);
  expect(await first).toEqual(['2/2']);
  const second = next();
  opened[0]!.drops();
  await expect.poll(() => opened.length).toBe(2);
  opened[1]!.brings(3);
  opened[1]!.emit('caughtUp');
  expect(await second).toEqual(['3/3']);
  expect(looks()).toBe(1);
});
