import type { Instant } from '../aggregates/decider.ts';
import {
  LANE_HOLDS_CHECKPOINT_MAX_MS,
  LANE_SLOW_MS,
  LANES_AT_ONCE_MAX,
  LANES_FULL_MAX_MS,
  LANES_QUEUED_EVENTS_MAX,
  LANES_SLOW_MAX,
} from '../limits.ts';
import { semaphore } from '../concurrency/semaphore.ts';
import type { Batch, Position, StoredEvent } from '../log/event-store.ts';
import { Watermark, type Entry } from './watermark.ts';
import type { Outcome } from './outcome.ts';
import type { React } from './reaction.ts';
import { InFlightBudget } from './in-flight-budget.ts';

/** The position of a parked partition: its first unfinished event. */
export interface AsideEvent {
  readonly stream: string;
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
}

export interface SetAside {
  readonly lane: string;
  readonly event: AsideEvent;
  readonly reason: string;
  /** `null`: parked, until an operator asks. */
  readonly retryAt: Instant | null;
  /** Later events of the lane that were left out so far. */
  readonly skipped: number;
}

/** What is durable of lanes that are not followed. */
export interface PartitionStore {
  /** @throws `CheckpointMoved` if another owner has been here. */
  setAside(aside: SetAside): Promise<void>;
  /** How many later events were left out by now. Throws as above. */
  count(skipped: ReadonlyMap<string, number>): Promise<void>;
  /** The lane is followed again. Throws as above. */
  forget(lane: string): Promise<void>;
}

export interface PartitionExecutorParts {
  readonly react: React;
  readonly laneOf: (stream: string) => string;
  readonly store: PartitionStore;
  /** The events of a lane from `from` on, that one included, as far as the log goes. */
  readonly eventsOf: (lane: string, from: AsideEvent) => AsyncIterable<StoredEvent>;
  readonly compare: (a: Position | null, b: Position | null) => number;
  readonly now: () => Instant;
  /** Everything is done up to where the process began. */
  readonly start: Position;
  /** The log's head at that time: events up to here may have been started before. */
  readonly mayRepeatTo: Position | null;
  readonly aside: readonly SetAside[];
  /** Events that operators have skipped. */
  readonly skipped: Set<string>;
  readonly signal: AbortSignal;
  /** The frontier has moved. */
  readonly moved: () => void;
  /** Another lane waits for its time. */
  readonly waits: () => void;
  /** What is durable could not be written: all of it has to begin again from what is. */
  readonly failed: (error: unknown) => void;
  /** Default {@link LANE_HOLDS_CHECKPOINT_MAX_MS}. */
  readonly holdsCheckpointMaxMs?: number;
}

interface Queued {
  readonly event: StoredEvent;
  readonly entry: Entry;
}

interface Lane {
  readonly name: string;
  readonly queue: Queued[];
  /** Not followed: its new events are skipped, and read from the log when it is retried. */
  aside: Omit<SetAside, 'lane' | 'skipped'> | null;
  /** Events left out since the lane was last read from the log, and since it was set aside. */
  left: number;
  skipped: number;
  /** What runs for it, if anything does. */
  running: Promise<void> | null;
  /** Settles when what is durable of it has been written: one statement after the other. */
  written: Promise<void>;
}

interface Reacting {
  /** Called when the event has held up the checkpoint for too long. */
  readonly late?: () => void;
  /** An earlier attempt at the event was started in this process. Default false. */
  readonly isAgain?: boolean;
}

/**
 * Carries out the events of a process: those of one lane in order, lanes independently of each
 * other. A lane that takes longer than {@link LANE_HOLDS_CHECKPOINT_MAX_MS} over an event, or the
 * longest one of a queue that is full for {@link LANES_FULL_MAX_MS}, is written down and holds up
 * the checkpoint no further; after a crash it goes on from there.
 */
export class PartitionExecutor {
  readonly #parts: PartitionExecutorParts;
  readonly #frontier: Watermark;
  readonly #lanes = new Map<string, Lane>();
  readonly #slots = semaphore(LANES_AT_ONCE_MAX);
  readonly #holdsMaxMs: number;
  /** Partitions whose later events are not counted in the store yet. */
  readonly #uncounted = new Set<string>();
  /** What is done except that it is not durable yet. */
  readonly #settling = new Set<Promise<unknown>>();
  readonly #settlingRoom = new InFlightBudget();
  #room: (() => void) | null = null;
  #slow = 0;
  #handled = 0;

  constructor(parts: PartitionExecutorParts) {
    this.#parts = parts;
    this.#frontier = new Watermark(parts.start);
    this.#holdsMaxMs = parts.holdsCheckpointMaxMs ?? LANE_HOLDS_CHECKPOINT_MAX_MS;
    for (const { lane, skipped, ...aside } of parts.aside)
      this.#lanes.set(lane, { ...blank(lane), aside, skipped });
  }

  /** Everything up to here is done, parked, or written down to be tried again. */
  get position(): Position {
    return this.#frontier.position;
  }

  /** Events handled since this began, whatever came of them. */
  get handled(): number {
    return this.#handled;
  }

  /** When the next lane is to be tried again; `null` if none is waiting for its time. */
  get nextRetryAt(): Instant | null {
    let next: Instant | null = null;
    for (const { aside, running } of this.#lanes.values())
      if (!running && aside?.retryAt && (next === null || aside.retryAt < next))
        next = aside.retryAt;
    return next;
  }

  /** Takes a batch; resolves when there is room for another. */
  async take({ events, upTo }: Batch): Promise<void> {
    for (const event of events) this.#queue(event);
    this.#frontier.take(upTo);
    this.#parts.moved();
    while (this.#isFull && !this.#parts.signal.aborted) {
      // A queue that stays full this long is filled by one partition's backlog, which blocks all
      // others.
      const fullMaxMs = Math.min(LANES_FULL_MAX_MS, this.#holdsMaxMs);
      const noticeFull = setTimeout(() => this.#holdLongest(), fullMaxMs);
      await new Promise<void>((resolve) => {
        this.#room = resolve;
        this.#parts.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      clearTimeout(noticeFull);
    }
  }

  /** Retries the parked partitions that are due. */
  retryDue(): void {
    const now = this.#parts.now();
    for (const lane of this.#lanes.values())
      if (!lane.running && lane.aside?.retryAt && lane.aside.retryAt <= now)
        void this.#resume(lane);
  }

  /**
   * Tries a parked lane again now, or leaves out the event that it is parked at.
   *
   * @returns Where it is parked after that, `null` if it is followed again; `undefined` if it was
   *   not parked.
   */
  async again(name: string, skips: boolean): Promise<SetAside | null | undefined> {
    const lane = this.#lanes.get(name);
    if (!lane?.aside || lane.running) return undefined;
    if (skips) this.#parts.skipped.add(lane.aside.event.eventId);
    await this.#resume(lane);
    const after = this.#lanes.get(name);
    return after?.aside ? { lane: name, ...after.aside, skipped: after.skipped } : null;
  }

  /** Writes down how many events were left out since it was written down last. */
  async count(): Promise<void> {
    const lanes = [...this.#uncounted].flatMap((name) => this.#lanes.get(name) ?? []);
    this.#uncounted.clear();
    const skipped = lanes.filter(({ aside }) => aside !== null);
    if (skipped.length === 0) return;
    await this.#parts.store.count(new Map(skipped.map((lane) => [lane.name, lane.skipped])));
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(
      [...this.#lanes.values()].flatMap(({ running }) => (running ? [running] : [])),
    );
    await Promise.allSettled(this.#settling);
  }

  #queue(event: StoredEvent): void {
    const name = this.#parts.laneOf(event.stream);
    let lane = this.#lanes.get(name);
    if (lane?.aside) {
      lane.left += 1;
      lane.skipped += 1;
      this.#uncounted.add(name);
      return;
    }
    if (!lane) this.#lanes.set(name, (lane = blank(name)));
    lane.queue.push({ event, entry: this.#frontier.begin(event.position) });
    if (!lane.running) void this.#run(lane, () => this.#follow(lane));
  }

  #run(lane: Lane, work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => {
        if (!this.#parts.signal.aborted) this.#parts.failed(error);
      })
      .finally(() => {
        lane.running = null;
        if (lane.aside) return;
        if (lane.queue.length === 0) this.#lanes.delete(lane.name);
        else if (!this.#parts.signal.aborted) void this.#run(lane, () => this.#follow(lane));
      });
    lane.running = running;
    return running;
  }

  #resume(lane: Lane): Promise<void> {
    return this.#run(lane, () => this.#replay(lane, lane.aside!.event));
  }

  /** Handles what is queued, in order, until nothing is, or the lane is set aside. */
  async #follow(lane: Lane): Promise<void> {
    for (;;) {
      const next = lane.queue[0];
      if (!next) return;
      const { event, entry } = next;
      const outcome = await this.#reacted(event, { late: () => this.#hold(lane, event) });
      if (lane.aside) {
        // It took too long, and was written down meanwhile.
        await this.#settle(lane, event, outcome);
        return;
      }
      if (isOpen(outcome)) {
        await this.#setAside(lane, event, outcome);
        return;
      }
      lane.queue.shift();
      this.#finishWhen(outcome, entry);
    }
  }

  /** The lane goes on; the checkpoint waits for it. */
  #finishWhen(outcome: Outcome, entry: Entry): void {
    if (outcome.outcome !== 'done' || !outcome.settled) {
      this.#finish(entry);
      return;
    }
    const { settled, weight = 1 } = outcome;
    const durable = this.#settlingRoom.add(weight);
    const ended = settled
      .then(
        () => this.#finish(entry),
        (error: unknown) => {
          if (!this.#parts.signal.aborted) this.#parts.failed(error);
        },
      )
      .finally(() => {
        this.#settling.delete(ended);
        durable();
        this.#makeRoom();
      });
    this.#settling.add(ended);
    this.#makeRoom();
  }

  /** After an event of a lane that is aside: on with the rest of it, or aside again. */
  async #settle(lane: Lane, event: StoredEvent, outcome: Outcome): Promise<void> {
    await settledOf(outcome);
    if (isOpen(outcome)) await this.#setAside(lane, event, outcome);
    else await this.#replay(lane, asideEventOf(event), event.id);
  }

  /** Handles what was left out, as the log has it, until nothing is. */
  async #replay(lane: Lane, from: AsideEvent, handled: string | null = null): Promise<void> {
    const { eventsOf, compare, store } = this.#parts;
    let [at, last] = [from, handled];
    do {
      lane.left = 0;
      for await (const event of eventsOf(lane.name, at)) {
        if (compare(event.position, this.#frontier.taken) > 0) break;
        if (event.id === last) continue;
        // Events after the first were skipped while the lane was set aside: never started before.
        const outcome = await this.#reacted(event, { isAgain: event.id === from.eventId });
        await settledOf(outcome);
        [at, last] = [asideEventOf(event), event.id];
        if (isOpen(outcome)) {
          await this.#setAside(lane, event, outcome);
          return;
        }
      }
      // Nothing is awaited from here on until the lane is followed: no event falls in between.
    } while (lane.left > 0);
    lane.aside = null;
    lane.skipped = 0;
    await this.#write(lane, () => store.forget(lane.name));
  }

  /** The event is under way too long to hold up the checkpoint. */
  #hold(lane: Lane, event: StoredEvent): void {
    const underWay = { outcome: 'retry', at: this.#parts.now(), reason: UNDER_WAY } as const;
    this.#setAside(lane, event, underWay).catch((error: unknown) => this.#parts.failed(error));
  }

  #holdLongest(): void {
    let longest: Lane | null = null;
    for (const lane of this.#lanes.values())
      if (lane.running && lane.queue.length > (longest?.queue.length ?? 0)) longest = lane;
    if (longest) this.#hold(longest, longest.queue[0]!.event);
  }

  /** In a slot, which it gives up when it turns out to be slow, if not too many are. */
  async #reacted(event: StoredEvent, { late, isAgain = false }: Reacting): Promise<Outcome> {
    const { react, skipped, signal, compare, mayRepeatTo } = this.#parts;
    const mayRepeat = isAgain || compare(event.position, mayRepeatTo) <= 0;
    if (skipped.has(event.id)) return { outcome: 'done' };
    const release = await this.#slots.acquire();
    await this.#settlingRoom.wait(signal);
    const weighed = this.#settlingRoom.begin();
    let isSlow = false;
    const noticeSlow = setTimeout(() => {
      if (this.#slow >= LANES_SLOW_MAX) return;
      isSlow = true;
      this.#slow += 1;
      weighed();
      release();
    }, LANE_SLOW_MS);
    const noticeLate = late && setTimeout(late, this.#holdsMaxMs);
    try {
      signal.throwIfAborted();
      return await react(event, { signal, mayRepeat });
    } finally {
      this.#handled += 1;
      weighed();
      clearTimeout(noticeSlow);
      clearTimeout(noticeLate);
      if (isSlow) this.#slow -= 1;
      release();
    }
  }

  /** Written down; from here on the lane holds up nothing. */
  async #setAside(lane: Lane, event: StoredEvent, why: Open): Promise<void> {
    const { store } = this.#parts;
    const retry = why.outcome === 'retry' ? why.at : null;
    const aside = { event: asideEventOf(event), reason: why.reason, retryAt: retry };
    const entries = lane.queue.splice(0);
    lane.skipped += Math.max(0, entries.length - 1);
    lane.aside = aside;
    const row = { lane: lane.name, ...aside, skipped: lane.skipped };
    await this.#write(lane, () => store.setAside(row));
    for (const { entry } of entries) this.#finish(entry);
    if (retry !== null) this.#parts.waits();
  }

  #write(lane: Lane, statement: () => Promise<void>): Promise<void> {
    lane.written = lane.written.then(statement);
    return lane.written;
  }

  #finish(entry: Entry): void {
    this.#frontier.finish(entry);
    this.#parts.moved();
    this.#makeRoom();
  }

  get #isFull(): boolean {
    return this.#frontier.underWay - this.#settling.size >= LANES_QUEUED_EVENTS_MAX;
  }

  #makeRoom(): void {
    if (this.#isFull) return;
    this.#room?.();
    this.#room = null;
  }
}

type Open = Extract<Outcome, { outcome: 'retry' | 'given up' }>;

const isOpen = (outcome: Outcome): outcome is Open =>
  outcome.outcome === 'retry' || outcome.outcome === 'given up';

const settledOf = (outcome: Outcome): Promise<unknown> | undefined =>
  outcome.outcome === 'done' ? outcome.settled : undefined;

const UNDER_WAY = 'it is still under way';

const blank = (name: string): Lane => ({
  name,
  queue: [],
  aside: null,
  left: 0,
  skipped: 0,
  running: null,
  written: Promise.resolve(),
});

const asideEventOf = ({ stream, id, revision, position }: StoredEvent): AsideEvent => ({
  stream,
  eventId: id,
  revision,
  position,
});
