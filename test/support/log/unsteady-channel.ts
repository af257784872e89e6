/** A log over connections that break, hang and lead to lagging servers. */
import { setImmediate as turn } from 'node:timers/promises';
import {
  LogUnavailable,
  WrongRevision,
  type Channel,
  type ChannelCalls,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../../src/engine/log/event-store.ts';

/** From 0 to below 1, the same for the same seed. */
export const chanceOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
};

export interface Unsteady extends Channel {
  /** Freezes all traffic. @returns The function that resumes it. */
  freeze(): () => void;
  /** Stores the next append, and loses its answer with the connection. */
  loseNextAnswer(): void;
  /** Called before the next append to a stream of the category is sent. */
  beforeAppendTo(category: string, act: () => Promise<void>): void;
  /** The server returns no event after `position` until the returned function is called. */
  fallBehind(position: Position | null): () => void;
  /** The log is unavailable, and calls time out, until the returned function is called. */
  goAway(): () => void;
  /** Kills the process: none of its calls ever continues. */
  kill(): void;
}

export interface UnsteadyOptions {
  readonly log: EventStore;
  readonly chance: () => number;
  /** Probability of a broken connection per call; half of them after the call is carried out. */
  readonly breaks?: number;
  /** Probability that the next connection leads to a deposed server, which lags behind. */
  readonly behind?: number;
}

export const unsteadyChannel = (options: UnsteadyOptions): Unsteady => {
  const { log, chance, breaks = 0, behind = 0 } = options;
  let lost = 0;
  let shownUpTo: Position | null | undefined;
  let frozen: Promise<void> | null = null;
  let losesNext = false;
  let isAway = false;
  let before: { readonly category: string; readonly act: () => Promise<void> } | null = null;

  const late = async () => {
    for (let turns = Math.floor(chance() * 4); turns > 0; turns -= 1) await turn();
    await frozen;
  };
  const breakNow = async () => {
    lost += 1;
    const head = Number((await log.head()).position ?? 0);
    shownUpTo =
      chance() < behind ? String(Math.max(0, head - Math.floor(chance() * 20))) : undefined;
    throw new Error('the connection is lost');
  };
  const called = async <T>(call: () => Promise<T>): Promise<T> => {
    await late();
    const isBroken = chance() < breaks;
    if (isBroken && chance() < 0.5) await breakNow();
    const answer = await call();
    if (isBroken) await breakNow();
    await late();
    return answer;
  };
  const isShown = ({ position }: StoredEvent) =>
    shownUpTo === undefined || log.compare(position, shownUpTo) <= 0;
  const whole = async (stream: string, from: number) => {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await log.readStream(stream, { from: from + events.length });
      events.push(...page);
      if (page.length === 0) return events.filter(isShown);
    }
  };
  const revisionShown = async (stream: string) => {
    let [event] = await log.readStream(stream, { backwards: true, limit: 1 });
    while (event && !isShown(event)) {
      const from = event.revision - 1;
      [event] = await log.readStream(stream, { from, backwards: true, limit: 1 });
    }
    return event?.revision ?? null;
  };
  const calls: ChannelCalls = {
    append: ({ stream, expected, events }) =>
      called(async () => {
        if (before && stream.startsWith(`${before.category}-`)) {
          const { act } = before;
          before = null;
          await act();
        }
        // A deposed server acknowledges no append, which reveals it.
        if (shownUpTo !== undefined) await breakNow();
        const parsed = events.map(({ id, type, data, meta }) => ({
          id,
          type,
          data: JSON.parse(data) as object,
          meta: JSON.parse(meta) as Record<string, string>,
        }));
        const appended = await log.append(stream, expected, parsed);
        const isLost = losesNext;
        losesNext = false;
        if (isLost) await breakNow();
        return appended;
      }),
    read: (stream, from) => called(() => whole(stream, from)),
    revisionOf: (stream) => called(() => revisionShown(stream)),
  };

  return {
    get connection() {
      return lost;
    },
    ready: async () => {},

    async ask(what, _, work) {
      if (isAway) throw new LogUnavailable(what);
      for (let tried = 0; tried < 10_000; tried += 1) {
        try {
          return await work(calls);
        } catch (error) {
          if (error instanceof WrongRevision || error instanceof LogUnavailable) throw error;
          lost += 1;
          await turn();
        }
      }
      throw new Error(`${what} has never succeeded`);
    },
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>();
      frozen = promise;
      return () => {
        frozen = null;
        resolve();
      };
    },
    loseNextAnswer() {
      losesNext = true;
    },
    beforeAppendTo(category, act) {
      before = { category, act };
    },
    fallBehind(position) {
      shownUpTo = position;
      return () => {
        shownUpTo = undefined;
      };
    },
    goAway() {
      isAway = true;
      return () => {
        isAway = false;
      };
    },
    kill() {
      frozen = new Promise(() => {});
    },
  };
};
