/**
 * Stage 2 of a webhook delivery: which attempt starts next. Organisations take turns, and within
 * one its origins and receiver queues do. Concurrency is bounded for the process, an organisation,
 * an origin and an organisation's share of an origin; a host has a rate. Attempts that turn out to
 * be slow are counted apart, so that receivers that hang take no capacity from others. The number
 * of attempts started per event-loop turn is bounded, so that other work runs in between.
 */
import type { PendingAttempt } from './attempt.ts';
import {
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ATTEMPTS_STARTED_PER_TURN,
  WEBHOOK_HOST_ATTEMPTS_PER_SECOND,
  WEBHOOK_HOST_BURST_ATTEMPTS,
  WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORGANISATION_ATTEMPTS_STARTED_PER_TURN,
  WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX,
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SLOW_ATTEMPTS_MAX,
} from './limits.ts';
import type { ReceiverQueue } from './receiver-queue.ts';

export interface RunningAttempt {
  readonly queue: ReceiverQueue;
  readonly attempt: PendingAttempt;
  readonly startedMs: number;
  slow: boolean;
}

/** Running attempts. */
interface Counts {
  fast: number;
  slow: number;
}

interface Organisation extends Counts {
  readonly id: string;
  /** By origin. */
  readonly shares: Map<string, Share>;
  readonly ready: Share[];
  inLine: boolean;
}

/** The receiver queues of one organisation at one origin. */
interface Share extends Counts {
  readonly organisation: Organisation;
  readonly origin: OriginGate;
  readonly host: HostGate;
  readonly queues: ReceiverQueue[];
  /** `blocked`: by a bound of its own or of its organisation, or without queues. */
  state: 'blocked' | 'ready' | 'waiting';
  /** Gates passed since its last attempt started. */
  readonly admittedBy: Set<Gate>;
}

/** A limit that shares of different organisations wait for, first in, first out. */
abstract class Gate {
  readonly name: string;
  readonly waiting: Share[] = [];
  /** Shares that use this gate. */
  shares = 0;

  constructor(name: string) {
    this.name = name;
  }

  abstract hasRoom(nowMs: number): boolean;
}

class OriginGate extends Gate implements Counts {
  fast = 0;
  slow = 0;

  hasRoom(): boolean {
    return this.fast < WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX;
  }
}

/** A token bucket. */
class HostGate extends Gate {
  /** A timer for the next token is set. */
  isTimed = false;
  #tokens = WEBHOOK_HOST_BURST_ATTEMPTS;
  #filledMs: number;

  constructor(name: string, nowMs: number) {
    super(name);
    this.#filledMs = nowMs;
  }

  hasRoom(nowMs: number): boolean {
    return this.room(nowMs) > 0;
  }

  /** Attempts that may start now. */
  room(nowMs: number): number {
    const earned = ((nowMs - this.#filledMs) / 1_000) * WEBHOOK_HOST_ATTEMPTS_PER_SECOND;
    this.#tokens = Math.min(WEBHOOK_HOST_BURST_ATTEMPTS, this.#tokens + earned);
    this.#filledMs = nowMs;
    return Math.floor(this.#tokens);
  }

  roomInMs(nowMs: number): number {
    if (this.hasRoom(nowMs)) return 0;
    return Math.ceil(((1 - this.#tokens) * 1_000) / WEBHOOK_HOST_ATTEMPTS_PER_SECOND);
  }

  /** After {@link HostGate.hasRoom}. */
  take(): void {
    this.#tokens -= 1;
  }

  /** Unused and full: it can be forgotten. */
  isIdle(nowMs: number): boolean {
    return this.shares === 0 && this.room(nowMs) === WEBHOOK_HOST_BURST_ATTEMPTS;
  }
}

export interface SchedulerParts {
  /** Starts an attempt; {@link FairScheduler.end} gives its capacity back. */
  readonly start: (running: RunningAttempt) => void;
  /** Calls `act` after a time. */
  readonly later: (ms: number, act: () => void) => void;
  /** Calls `act` in the next turn of the event loop. */
  readonly nextTurn: (act: () => void) => void;
  /** Attempts started per event-loop turn. Default {@link STARTED_PER_TURN_MAX}. */
  readonly startedPerTurnMax?: { readonly ofOrganisation: number; readonly inAll: number };
  /** Monotonic. */
  readonly nowMs?: () => number;
}

export class FairScheduler {
  readonly #start: SchedulerParts['start'];
  readonly #later: SchedulerParts['later'];
  readonly #nextTurn: SchedulerParts['nextTurn'];
  readonly #startedPerTurnMax: typeof STARTED_PER_TURN_MAX;
  readonly #nowMs: () => number;
  readonly #line: Organisation[] = [];
  readonly #organisations = new Map<string, Organisation>();
  readonly #origins = new Map<string, OriginGate>();
  readonly #hosts = new Map<string, HostGate>();
  readonly #running = new Map<RunningAttempt, Share>();
  readonly #counts: Counts = { fast: 0, slow: 0 };
  /** Attempts started in this event-loop turn, in all and by organisation. */
  #started = 0;
  readonly #startedOf = new Map<Organisation, number>();

  constructor(parts: SchedulerParts) {
    const { startedPerTurnMax = STARTED_PER_TURN_MAX, nowMs = () => performance.now() } = parts;
    this.#start = parts.start;
    this.#later = parts.later;
    this.#nextTurn = parts.nextTurn;
    this.#startedPerTurnMax = startedPerTurnMax;
    this.#nowMs = nowMs;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Schedules a queue that is ready. */
  offer(queue: ReceiverQueue): void {
    if (queue.isScheduled || !queue.isReady) return;
    queue.isScheduled = true;
    const share = this.#shareOf(queue);
    share.queues.push(queue);
    if (share.state === 'blocked') this.#makeReady(share);
  }

  /** Starts as many attempts as all bounds allow; those beyond the turn's bound, next turn. */
  serve(): void {
    while (
      this.#counts.fast < WEBHOOK_ATTEMPTS_AT_ONCE_MAX &&
      this.#started < this.#startedPerTurnMax.inAll
    ) {
      const organisation = this.#line.shift();
      if (!organisation) return;
      organisation.inLine = false;
      const share = organisation.ready.shift();
      if (!share) continue;
      share.state = 'blocked';
      this.#serveShare(share);
      this.#wake(share.origin);
      this.#wakeHost(share.host);
      this.#lineUp(organisation);
      this.#forgetUnused(share);
    }
  }

  /** Ends a running attempt. `false` if it was ended before. */
  end(running: RunningAttempt): boolean {
    const share = this.#running.get(running);
    if (!share) return false;
    this.#running.delete(running);
    running.queue.running -= 1;
    if (running.slow) this.#count(share, 'slow', -1);
    else this.#freeFast(share);
    this.offer(running.queue);
    this.#forgetUnused(share);
    return true;
  }

  /** Counts attempts longer than `slowMs` as slow, which lets others start. */
  sweep(slowMs: number): void {
    for (const running of this.slowerThan(slowMs)) {
      if (this.#counts.slow >= WEBHOOK_SLOW_ATTEMPTS_MAX) break;
      const share = this.#running.get(running)!;
      if (running.slow || !hasSlowRoom(share)) continue;
      running.slow = true;
      this.#count(share, 'slow', 1);
      this.#freeFast(share);
    }
    for (const [name, host] of this.#hosts)
      if (host.isIdle(this.#nowMs())) this.#hosts.delete(name);
    this.serve();
  }

  /** Attempts that have been running for longer than `slowMs`, the longest first. */
  *slowerThan(slowMs: number): Generator<RunningAttempt> {
    const before = this.#nowMs() - slowMs;
    for (const running of this.#running.keys()) {
      if (running.startedMs > before) return;
      yield running;
    }
  }

  #serveShare(share: Share): void {
    const queue = this.#nextQueue(share);
    if (!queue || !this.#hasFastRoom(share)) {
      share.admittedBy.clear();
      return;
    }
    for (const gate of [share.origin, share.host]) {
      const mustWait = gate.waiting.length > 0 && !share.admittedBy.has(gate);
      if (!mustWait && gate.hasRoom(this.#nowMs())) continue;
      share.state = 'waiting';
      if (share.admittedBy.has(gate)) gate.waiting.unshift(share);
      else gate.waiting.push(share);
      return;
    }
    share.queues.shift();
    queue.isScheduled = false;
    this.#run(queue, queue.next()!, share);
    this.offer(queue);
    if (share.state === 'blocked') this.#makeReady(share);
  }

  /** The first queue that is ready at this origin; others leave the share. */
  #nextQueue(share: Share): ReceiverQueue | undefined {
    for (;;) {
      const queue = share.queues[0];
      if (!queue) return undefined;
      const hasMoved = queue.origin !== share.origin.name;
      if (!hasMoved && queue.isReady) return queue;
      share.queues.shift();
      queue.isScheduled = false;
      if (hasMoved) this.offer(queue);
    }
  }

  #run(queue: ReceiverQueue, attempt: PendingAttempt, share: Share): void {
    const running = { queue, attempt, startedMs: this.#nowMs(), slow: false };
    share.admittedBy.clear();
    share.host.take();
    this.#running.set(running, share);
    this.#count(share, 'fast', 1);
    queue.running += 1;
    this.#started += 1;
    this.#startedOf.set(share.organisation, this.#startedBy(share.organisation) + 1);
    if (this.#started === 1) this.#nextTurn(() => this.#beginTurn());
    this.#start(running);
  }

  #count(share: Share, speed: keyof Counts, change: 1 | -1): void {
    for (const counts of [share, share.organisation, share.origin, this.#counts])
      counts[speed] += change;
  }

  #startedBy(organisation: Organisation): number {
    return this.#startedOf.get(organisation) ?? 0;
  }

  #beginTurn(): void {
    const organisations = [...this.#startedOf.keys()];
    this.#started = 0;
    this.#startedOf.clear();
    for (const { shares } of organisations) this.#reopen(shares.values());
    this.serve();
  }

  /** Makes shares ready again whose bound is no longer reached. */
  #reopen(shares: Iterable<Share>): void {
    for (const share of shares) {
      if (share.state === 'blocked') this.#makeReady(share);
      if (share.state === 'waiting') {
        this.#wake(share.origin);
        this.#wakeHost(share.host);
      }
    }
  }

  #freeFast(share: Share): void {
    const { organisation, origin } = share;
    const wasFull = organisation.fast >= WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX;
    this.#count(share, 'fast', -1);
    this.#reopen(wasFull ? organisation.shares.values() : [share]);
    this.#wake(origin);
  }

  #makeReady(share: Share): void {
    if (share.queues.length === 0 || !this.#hasFastRoom(share)) return;
    share.state = 'ready';
    share.organisation.ready.push(share);
    this.#lineUp(share.organisation);
  }

  #hasFastRoom({ fast, organisation }: Share): boolean {
    return (
      fast < WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX &&
      organisation.fast < WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX &&
      this.#startedBy(organisation) < this.#startedPerTurnMax.ofOrganisation
    );
  }

  #lineUp(organisation: Organisation): void {
    if (organisation.inLine || organisation.ready.length === 0) return;
    organisation.inLine = true;
    this.#line.push(organisation);
  }

  /** Admits the first waiting share that may start an attempt. */
  #wake(gate: Gate, nowMs = this.#nowMs()): boolean {
    if (gate.waiting.length === 0 || !gate.hasRoom(nowMs)) return false;
    const at = gate.waiting.findIndex((share) => this.#hasFastRoom(share));
    if (at < 0) return false;
    const [share] = gate.waiting.splice(at, 1);
    share!.admittedBy.add(gate);
    share!.state = 'blocked';
    this.#makeReady(share!);
    return true;
  }

  /** Sets a timer if none may start yet. The caller then calls {@link FairScheduler.serve}. */
  #wakeHost(host: HostGate): void {
    // One reading of the clock: a token earned between two would leave the shares without a timer.
    const nowMs = this.#nowMs();
    if (this.#wake(host, nowMs) || host.waiting.length === 0 || host.isTimed) return;
    const ms = host.roomInMs(nowMs);
    // The waiting shares are at their organisation's bound, and are woken when that is lifted.
    if (ms === 0) return;
    host.isTimed = true;
    this.#later(ms, () => {
      host.isTimed = false;
      this.#wakeHost(host);
      this.serve();
    });
  }

  #shareOf({ subscription, origin: originName, host: hostName }: ReceiverQueue): Share {
    const id = subscription.organisationId;
    const organisation = getOrAdd(this.#organisations, id, () => ({
      id,
      shares: new Map(),
      ready: [],
      inLine: false,
      fast: 0,
      slow: 0,
    }));
    return getOrAdd(organisation.shares, originName, () => {
      const origin = getOrAdd(this.#origins, originName, () => new OriginGate(originName));
      const host = getOrAdd(this.#hosts, hostName, () => new HostGate(hostName, this.#nowMs()));
      for (const gate of [origin, host]) gate.shares += 1;
      const admittedBy = new Set<Gate>();
      const counts = { fast: 0, slow: 0 };
      return { organisation, origin, host, queues: [], state: 'blocked', admittedBy, ...counts };
    });
  }

  #forgetUnused(share: Share): void {
    const { organisation, origin, host } = share;
    if (share.state !== 'blocked' || share.queues.length + share.fast + share.slow > 0) return;
    if (!organisation.shares.delete(origin.name)) return;
    for (const gate of [origin, host]) gate.shares -= 1;
    if (organisation.shares.size === 0) this.#organisations.delete(organisation.id);
    if (origin.shares === 0) this.#origins.delete(origin.name);
  }
}

const STARTED_PER_TURN_MAX = {
  ofOrganisation: WEBHOOK_ORGANISATION_ATTEMPTS_STARTED_PER_TURN,
  inAll: WEBHOOK_ATTEMPTS_STARTED_PER_TURN,
};

const hasSlowRoom = ({ slow, organisation, origin }: Share): boolean =>
  slow < WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX &&
  organisation.slow < WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX &&
  origin.slow < WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX;

const getOrAdd = <Value>(values: Map<string, Value>, key: string, make: () => Value): Value => {
  const value = values.get(key);
  if (value !== undefined) return value;
  const made = make();
  values.set(key, made);
  return made;
};
