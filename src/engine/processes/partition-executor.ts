import type { Instant } from '../aggregates/decider.ts';
import {
  PARTITION_HOLDS_CHECKPOINT_MAX_MS,
  PARTITION_SLOW_MS,
  PARTITIONS_AT_ONCE_MAX,
  PARTITION_QUEUE_FULL_MAX_MS,
  PARTITION_BYTES_QUEUED_MAX,
  PARTITION_EVENTS_QUEUED_MAX,
  PARTITION_EVENTS_UNCOUNTED_MAX,
  PARTITIONS_SLOW_MAX,
} from '../limits.ts';
import { estimatedRowSize } from '../concurrency/estimated-size.ts';
import { semaphore } from '../concurrency/semaphore.ts';
import type { Batch, Position, StoredEvent } from '../log/event-store.ts';
import { Watermark, type Entry } from './watermark.ts';
import { giveUp, type Outcome } from './outcome.ts';
import type { React } from './reaction.ts';
import { InFlightBudget } from './in-flight-budget.ts';

/** The position of a parked partition: its first unfinished event. */
export interface ParkedEvent {
  readonly stream: string;
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
}

export interface ParkedPartition {
  readonly partition: string;
  readonly event: ParkedEvent;
  readonly reason: string;
  /** `null`: parked until an operator acts. */
  readonly retryAt: Instant | null;
  /** Later events of the partition, skipped so far. */
  readonly skipped: number;
}

/** Parked partitions in the database; each call throws `CheckpointMoved` after a later claim. */
export interface PartitionStore {
  park(parked: ParkedPartition): Promise<void>;
  /** Saves the number of skipped events by partition. */
  count(skipped: ReadonlyMap<string, number>): Promise<void>;
  forget(partition: string): Promise<void>;
  /** Skips the event from now on. */
  skip(event: ParkedEvent): Promise<void>;
}

export interface PartitionExecutorParts {
  readonly react: React;
  readonly partitionOf: (stream: string) => string;
  readonly store: PartitionStore;
  /** The events of a partition from `from` (inclusive) to the log's head. */
  readonly eventsOf: (partition: string, from: ParkedEvent) => AsyncIterable<StoredEvent>;
  readonly compare: (a: Position | null, b: Position | null) => number;
  readonly now: () => Instant;
  /** All events up to here are done. */
  readonly start: Position;
  /** The log's head at that time: events up to here may have been started before. */
  readonly mayRepeatTo: Position | null;
  readonly parked: readonly ParkedPartition[];
  /** Events that operators have skipped. */
  readonly skipped: Set<string>;
  readonly signal: AbortSignal;
  /** The watermark has advanced. */
  readonly onProgress: () => void;
  /** A partition has a new retry time. */
  readonly waits: () => void;
  /** The store failed: the process must restart from its checkpoint. */
  readonly failed: (error: unknown) => void;
  /** Default {@link PARTITION_HOLDS_CHECKPOINT_MAX_MS}. */
  readonly holdsCheckpointMaxMs?: number;
}

interface Queued {
  readonly event: StoredEvent;
  readonly entry: Entry;
}

interface Partition {
  readonly name: string;
  readonly queue: Queued[];
  /** While it is parked, new events are skipped, and read from the log at the retry. */
  parked: Omit<ParkedPartition, 'partition' | 'skipped'> | null;
  /** Events skipped since the last read of the log, and since it was parked. */
  left: number;
  skipped: number;
  running: Promise<void> | null;
  /** Settles when its writes are done, which run one after the other. */
  written: Promise<void>;
}

interface Reacting {
  /** Called when the event has held up the checkpoint for too long. */
  readonly late?: () => void;
  /** An earlier attempt at the event was started in this process. Default false. */
  readonly isAgain?: boolean;
}

/**
 * Handles the events of a process: those of one partition in order, partitions concurrently. A
 * partition that takes longer than {@link PARTITION_HOLDS_CHECKPOINT_MAX_MS} over an event, or the
 * longest one of a queue that is full for {@link PARTITION_QUEUE_FULL_MAX_MS}, is parked in the
 * database, so that it no longer holds back the checkpoint; after a crash it resumes from there.
 */
export class PartitionExecutor {
  readonly #parts: PartitionExecutorParts;
  readonly #watermark: Watermark;
  readonly #partitions = new Map<string, Partition>();
  readonly #slots = semaphore(PARTITIONS_AT_ONCE_MAX);
  readonly #holdsMaxMs: number;
  /** Partitions whose later events are not counted in the store yet. */
  readonly #uncounted = new Set<string>();
  /** Effects that are done but not durable. */
  readonly #settling = new Set<Promise<unknown>>();
  readonly #inFlight = new InFlightBudget();
  #room: (() => void) | null = null;
  #slow = 0;
  #handled = 0;

  constructor(parts: PartitionExecutorParts) {
    this.#parts = parts;
    this.#watermark = new Watermark(parts.start);
    this.#holdsMaxMs = parts.holdsCheckpointMaxMs ?? PARTITION_HOLDS_CHECKPOINT_MAX_MS;
    for (const { partition, skipped, ...parked } of parts.parked)
      this.#partitions.set(partition, { ...blank(partition), parked, skipped });
  }

  /** All events up to here are done or parked. */
  get position(): Position {
    return this.#watermark.position;
  }

  /** Events handled so far, whatever their outcome. */
  get handled(): number {
    return this.#handled;
  }

  /** The earliest retry time; `null` if there is none. */
  get nextRetryAt(): Instant | null {
    let next: Instant | null = null;
    for (const { parked, running } of this.#partitions.values())
      if (!running && parked?.retryAt && (next === null || parked.retryAt < next))
        next = parked.retryAt;
    return next;
  }

  /** Whether an event up to {@link position} is still to be handled without an operator. */
  get isWaiting(): boolean {
    return [...this.#partitions.values()].some(({ parked }) => parked?.retryAt);
  }

  /** Queues a batch; resolves when there is room for another. */
  async take({ events, upTo }: Batch): Promise<void> {
    for (const event of events) this.#queue(event);
    this.#watermark.take(upTo);
    this.#parts.onProgress();
    const { signal } = this.#parts;
    while (this.#isFull && !signal.aborted) {
      // A queue that stays full this long is filled by one partition's backlog, which blocks all
      // others.
      const fullMaxMs = Math.min(PARTITION_QUEUE_FULL_MAX_MS, this.#holdsMaxMs);
      const noticeFull = setTimeout(() => this.#holdLongest(), fullMaxMs);
      const room = Promise.withResolvers<void>();
      const proceed = () => room.resolve();
      this.#room = proceed;
      signal.addEventListener('abort', proceed, { once: true });
      await room.promise;
      signal.removeEventListener('abort', proceed);
      clearTimeout(noticeFull);
    }
  }

  /** Retries the parked partitions that are due. */
  retryDue(): void {
    const now = this.#parts.now();
    for (const partition of this.#partitions.values())
      if (!partition.running && partition.parked?.retryAt && partition.parked.retryAt <= now)
        void this.#resume(partition);
  }

  /**
   * Retries a parked partition now, or skips the event that it is parked at.
   *
   * @returns Where it is parked after that; `null` if it is no longer parked, `undefined` if it
   *   was not parked before, or is being retried.
   * @throws If the skip could not be recorded, or the turn ended before the attempt did.
   */
  async again(name: string, skips: boolean): Promise<ParkedPartition | null | undefined> {
    const partition = this.#partitions.get(name);
    if (!partition?.parked || partition.running) return undefined;
    const { signal } = this.#parts;
    if (signal.aborted) throw turnEnded(signal.reason);
    const { event } = partition.parked;
    const recorded = skips ? this.#skip(event) : Promise.resolve();
    const replayed = recorded.then(() => this.#replay(partition, event));
    // It runs from here on: no attempt at the event begins before the skip is recorded.
    await this.#run(partition, () => replayed);
    await recorded;
    await replayed.catch((cause: unknown) => {
      // Any failure here has ended the turn, and the next one does not know of the request.
      throw turnEnded(cause);
    });
    const after = this.#partitions.get(name);
    return after?.parked ? { partition: name, ...after.parked, skipped: after.skipped } : null;
  }

  /** Whether operators have skipped the event. */
  hasSkipped(eventId: string): boolean {
    return this.#parts.skipped.has(eventId);
  }

  /** Saves the number of skipped events where it has changed. */
  async count(): Promise<void> {
    const partitions = [...this.#uncounted].flatMap((name) => this.#partitions.get(name) ?? []);
    this.#uncounted.clear();
    const skipped = partitions.filter(({ parked }) => parked !== null);
    if (skipped.length === 0) return;
    await this.#parts.store.count(
      new Map(skipped.map((partition) => [partition.name, partition.skipped])),
    );
  }

  /** Resolves when no effect is in progress. */
  async idle(): Promise<void> {
    await Promise.allSettled(
      [...this.#partitions.values()].flatMap(({ running }) => (running ? [running] : [])),
    );
    await Promise.allSettled(this.#settling);
  }

  #queue(event: StoredEvent): void {
    const name = this.#parts.partitionOf(event.stream);
    let partition = this.#partitions.get(name);
    if (partition?.parked) {
      partition.left += 1;
      partition.skipped += 1;
      this.#uncounted.add(name);
      return;
    }
    if (!partition) this.#partitions.set(name, (partition = blank(name)));
    const isCounted = this.#watermark.underWay >= PARTITION_EVENTS_UNCOUNTED_MAX;
    const bytes = isCounted ? estimatedRowSize(event) : 0;
    partition.queue.push({ event, entry: this.#watermark.begin(event.position, bytes) });
    if (!partition.running) void this.#run(partition, () => this.#follow(partition));
  }

  #run(partition: Partition, work: () => Promise<void>): Promise<void> {
    const running = work()
      .catch((error: unknown) => {
        if (!this.#parts.signal.aborted) this.#parts.failed(error);
      })
      .finally(() => {
        partition.running = null;
        if (partition.parked) {
          // Not before: a partition that runs has no retry time.
          if (partition.parked.retryAt) this.#parts.waits();
          return;
        }
        if (partition.queue.length === 0) this.#partitions.delete(partition.name);
        else if (!this.#parts.signal.aborted)
          void this.#run(partition, () => this.#follow(partition));
      });
    partition.running = running;
    return running;
  }

  #resume(partition: Partition): Promise<void> {
    return this.#run(partition, () => this.#replay(partition, partition.parked!.event));
  }

  async #skip(event: ParkedEvent): Promise<void> {
    await this.#parts.store.skip(event);
    this.#parts.skipped.add(event.eventId);
  }

  /** Handles the queue in order, until it is empty or the partition is parked. */
  async #follow(partition: Partition): Promise<void> {
    for (;;) {
      const next = partition.queue[0];
      if (!next) return;
      const { event, entry } = next;
      const outcome = await this.#reacted(event, { late: () => this.#hold(partition, event) });
      if (partition.parked) {
        // It took too long and was parked meanwhile.
        await this.#settle(partition, event, outcome);
        return;
      }
      if (isOpen(outcome)) {
        await this.#park(partition, event, outcome);
        return;
      }
      partition.queue.shift();
      this.#finishWhen(outcome, entry);
    }
  }

  /** The partition continues; the checkpoint waits until the effect is durable. */
  #finishWhen(outcome: Outcome, entry: Entry): void {
    if (outcome.outcome !== 'done' || !outcome.settled) {
      this.#finish(entry);
      return;
    }
    const { settled, weight = 1 } = outcome;
    const durable = this.#inFlight.add(weight);
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

  async #settle(partition: Partition, event: StoredEvent, outcome: Outcome): Promise<void> {
    await settledOf(outcome);
    if (isOpen(outcome)) await this.#park(partition, event, outcome);
    else await this.#replay(partition, parkedEventOf(event), event.id);
  }

  /** Handles the skipped events from the log, until none is left. */
  async #replay(
    partition: Partition,
    from: ParkedEvent,
    handled: string | null = null,
  ): Promise<void> {
    const { eventsOf, compare, store, skipped } = this.#parts;
    let [at, last] = [from, handled];
    /** Or handled, skipped, or not read again yet by this turn. */
    let isThere =
      handled !== null ||
      skipped.has(from.eventId) ||
      compare(from.position, this.#watermark.accepted) > 0;
    do {
      partition.left = 0;
      for await (const event of eventsOf(partition.name, at)) {
        if (compare(event.position, this.#watermark.accepted) > 0) break;
        isThere ||= event.id === from.eventId;
        if (!isThere) break;
        if (event.id === last) continue;
        // Later events were skipped while the partition was parked: never started before.
        const outcome = await this.#reacted(event, { isAgain: event.id === from.eventId });
        await settledOf(outcome);
        [at, last] = [parkedEventOf(event), event.id];
        if (isOpen(outcome)) {
          await this.#park(partition, event, outcome);
          return;
        }
      }
      if (!isThere) {
        await this.#parkAt(partition, from, GONE);
        return;
      }
      // Synchronous until the partition is no longer parked, so that no event is missed.
    } while (partition.left > 0);
    partition.parked = null;
    partition.skipped = 0;
    await this.#write(partition, () => store.forget(partition.name));
  }

  /** Parks the partition of an event in progress, so that the checkpoint can advance. */
  #hold(partition: Partition, event: StoredEvent): void {
    const underWay = { outcome: 'retry', at: this.#parts.now(), reason: UNDER_WAY } as const;
    this.#park(partition, event, underWay).catch((error: unknown) => this.#parts.failed(error));
  }

  #holdLongest(): void {
    let longest: Partition | null = null;
    for (const partition of this.#partitions.values())
      if (partition.running && partition.queue.length > (longest?.queue.length ?? 0))
        longest = partition;
    if (longest) this.#hold(longest, longest.queue[0]!.event);
  }

  /** Runs in a slot, which a slow event releases, up to {@link PARTITIONS_SLOW_MAX} of them. */
  async #reacted(event: StoredEvent, { late, isAgain = false }: Reacting): Promise<Outcome> {
    const { react, skipped, signal, compare, mayRepeatTo } = this.#parts;
    const mayRepeat = isAgain || compare(event.position, mayRepeatTo) <= 0;
    if (skipped.has(event.id)) return { outcome: 'done' };
    const release = await this.#slots.acquire();
    await this.#inFlight.wait(signal);
    const weighed = this.#inFlight.begin();
    let isSlow = false;
    const noticeSlow = setTimeout(() => {
      if (this.#slow >= PARTITIONS_SLOW_MAX) return;
      isSlow = true;
      this.#slow += 1;
      weighed();
      release();
    }, PARTITION_SLOW_MS);
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

  #park(partition: Partition, event: StoredEvent, why: Open): Promise<void> {
    return this.#parkAt(partition, parkedEventOf(event), why);
  }

  async #parkAt(partition: Partition, event: ParkedEvent, why: Open): Promise<void> {
    const { store } = this.#parts;
    const retry = why.outcome === 'retry' ? why.at : null;
    const parked = { event, reason: why.reason, retryAt: retry };
    const entries = partition.queue.splice(0);
    partition.skipped += Math.max(0, entries.length - 1);
    partition.parked = parked;
    const row = { partition: partition.name, ...parked, skipped: partition.skipped };
    await this.#write(partition, () => store.park(row));
    for (const { entry } of entries) this.#finish(entry);
  }

  #write(partition: Partition, statement: () => Promise<void>): Promise<void> {
    partition.written = partition.written.then(statement);
    return partition.written;
  }

  #finish(entry: Entry): void {
    this.#watermark.finish(entry);
    this.#parts.onProgress();
    this.#makeRoom();
  }

  get #isFull(): boolean {
    const { underWay, bytes } = this.#watermark;
    return (
      underWay - this.#settling.size >= PARTITION_EVENTS_QUEUED_MAX ||
      bytes >= PARTITION_BYTES_QUEUED_MAX
    );
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

const turnEnded = (cause: unknown): Error =>
  new Error('the process failed or was ended meanwhile: ask again', { cause });

/** Why a partition is parked whose event is still being handled. */
export const UNDER_WAY = 'it is still under way';

/** A journal was deleted at the end of its term, for example. */
const GONE = giveUp('the event is no longer in the log: skip it');

const blank = (name: string): Partition => ({
  name,
  queue: [],
  parked: null,
  left: 0,
  skipped: 0,
  running: null,
  written: Promise.resolve(),
});

const parkedEventOf = ({ stream, id, revision, position }: StoredEvent): ParkedEvent => ({
  stream,
  eventId: id,
  revision,
  position,
});
