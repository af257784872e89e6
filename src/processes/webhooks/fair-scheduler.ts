/**
 * Which attempt begins next. Organisations take turns, and within one its origins and lanes do.
 * Places are bounded for the process, an organisation, an origin and an organisation's share of an
 * origin; a host has a rate. Attempts that turn out to be slow are counted apart, so that
 * receivers that hang take no places from others. The number of attempts
 * started per event-loop turn is bounded, so that other work runs in between.
 */
import {
  WEBHOOK_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SLOW_ATTEMPTS_MAX,
  WEBHOOK_ATTEMPTS_BEGUN_A_TURN,
  WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORGANISATION_ATTEMPTS_BEGUN_A_TURN,
  WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX,
  WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX,
} from './limits.ts';
import { next, windowOf, type Lane, type Work } from './receiver-scheduler.ts';
import { HostGate, OriginGate, type Gate } from './scheduler-gates.ts';

/** An attempt under way. */
export interface Place {
  readonly lane: Lane;
  readonly work: Work;
  readonly startedMs: number;
  slow: boolean;
}

interface Organisation {
  readonly id: string;
  /** By origin. */
  readonly shares: Map<string, Share>;
  readonly ready: Share[];
  inLine: boolean;
  fast: number;
  slow: number;
}

/** What one organisation has to do at one origin. */
export interface Share {
  readonly organisation: Organisation;
  readonly origin: OriginGate<Share>;
  readonly host: HostGate<Share>;
  readonly lanes: Lane[];
  /** `blocked`: by a bound of its own or of its organisation, or it has no lanes. */
  state: 'blocked' | 'ready' | 'waiting';
  /** Gates that have let it through since its last attempt began. */
  readonly admittedBy: Set<Gate<Share>>;
  fast: number;
  slow: number;
}

export interface SchedulerParts {
  /** Begins an attempt; its place is given back with {@link FairScheduler.end}. */
  readonly start: (place: Place) => void;
  /** Calls `act` after a time. */
  readonly later: (ms: number, act: () => void) => void;
  /** Calls `act` in the next turn of the event loop. */
  readonly nextTurn: (act: () => void) => void;
  /** Attempts started per event-loop turn. Default {@link BEGUN_A_TURN_MAX}. */
  readonly begunATurnMax?: { readonly ofOrganisation: number; readonly inAll: number };
  /** Monotonic. */
  readonly nowMs?: () => number;
}

export class FairScheduler {
  readonly #start: SchedulerParts['start'];
  readonly #later: SchedulerParts['later'];
  readonly #nextTurn: SchedulerParts['nextTurn'];
  readonly #begunATurnMax: typeof BEGUN_A_TURN_MAX;
  readonly #nowMs: () => number;
  readonly #line: Organisation[] = [];
  readonly #organisations = new Map<string, Organisation>();
  readonly #origins = new Map<string, OriginGate<Share>>();
  readonly #hosts = new Map<string, HostGate<Share>>();
  readonly #places = new Map<Place, Share>();
  #fast = 0;
  #slow = 0;
  /** Attempts started in this event-loop turn, in all and by organisation. */
  #begun = 0;
  readonly #begunOf = new Map<Organisation, number>();

  constructor(parts: SchedulerParts) {
    const { begunATurnMax = BEGUN_A_TURN_MAX, nowMs = () => performance.now() } = parts;
    this.#start = parts.start;
    this.#later = parts.later;
    this.#nextTurn = parts.nextTurn;
    this.#begunATurnMax = begunATurnMax;
    this.#nowMs = nowMs;
  }

  get underWay(): number {
    return this.#places.size;
  }

  /** Queues a lane that holds work, unless it is queued or its window is full. */
  offer(lane: Lane): void {
    if (lane.inLine || lane.held.length === 0 || lane.underWay >= windowOf(lane)) return;
    lane.inLine = true;
    const share = this.#shareOf(lane);
    share.lanes.push(lane);
    if (share.state === 'blocked') this.#makeReady(share);
  }

  /** Starts as many attempts as there are places for; those beyond the turn's bound, next turn. */
  serve(): void {
    while (this.#fast < WEBHOOK_ATTEMPTS_AT_ONCE_MAX && this.#begun < this.#begunATurnMax.inAll) {
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

  /** The attempt is over. `false` if its place was given back before. */
  end(place: Place): boolean {
    const share = this.#places.get(place);
    if (!share) return false;
    this.#places.delete(place);
    place.lane.underWay -= 1;
    if (place.slow) {
      this.#slow -= 1;
      for (const counted of [share, share.organisation, share.origin]) counted.slow -= 1;
    } else this.#freeFast(share);
    this.offer(place.lane);
    this.#forgetUnused(share);
    return true;
  }

  /** Attempts that have taken longer than `slowMs` give their places to others. */
  sweep(slowMs: number): void {
    const before = this.#nowMs() - slowMs;
    for (const [place, share] of this.#places) {
      // In the order in which they began.
      if (place.startedMs > before || this.#slow >= WEBHOOK_SLOW_ATTEMPTS_MAX) break;
      if (place.slow || !hasSlowRoom(share)) continue;
      place.slow = true;
      this.#slow += 1;
      for (const counted of [share, share.organisation, share.origin]) counted.slow += 1;
      this.#freeFast(share);
    }
    for (const [name, host] of this.#hosts)
      if (host.isIdle(this.#nowMs())) this.#hosts.delete(name);
    this.serve();
  }

  /** Attempts that have taken longer than `slowMs`, the longest first. */
  *slowerThan(slowMs: number): Generator<Place> {
    const before = this.#nowMs() - slowMs;
    for (const place of this.#places.keys()) {
      if (place.startedMs > before) return;
      yield place;
    }
  }

  #serveShare(share: Share): void {
    const lane = this.#nextLane(share);
    if (!lane || !this.#hasFastRoom(share)) {
      share.admittedBy.clear();
      return;
    }
    for (const gate of [share.origin, share.host]) {
      const mustQueue = gate.waiting.length > 0 && !share.admittedBy.has(gate);
      if (!mustQueue && gate.hasRoom(this.#nowMs())) continue;
      share.state = 'waiting';
      if (share.admittedBy.has(gate)) gate.waiting.unshift(share);
      else gate.waiting.push(share);
      return;
    }
    share.lanes.shift();
    lane.inLine = false;
    this.#begin(lane, next(lane)!, share);
    this.offer(lane);
    if (share.state === 'blocked') this.#makeReady(share);
  }

  /** The first lane that can begin an attempt at this origin; others leave the queue. */
  #nextLane(share: Share): Lane | undefined {
    for (;;) {
      const lane = share.lanes[0];
      if (!lane) return undefined;
      const isElsewhere = lane.origin !== share.origin.name;
      if (!isElsewhere && lane.held.length > 0 && lane.underWay < windowOf(lane)) return lane;
      share.lanes.shift();
      lane.inLine = false;
      // Its URL has changed.
      if (isElsewhere) this.offer(lane);
    }
  }

  #begin(lane: Lane, work: Work, share: Share): void {
    const place = { lane, work, startedMs: this.#nowMs(), slow: false };
    share.admittedBy.clear();
    share.host.take();
    this.#places.set(place, share);
    this.#fast += 1;
    lane.underWay += 1;
    for (const counted of [share, share.organisation, share.origin]) counted.fast += 1;
    this.#begun += 1;
    this.#begunOf.set(share.organisation, this.#begunBy(share.organisation) + 1);
    if (this.#begun === 1) this.#nextTurn(() => this.#turn());
    this.#start(place);
  }

  #begunBy(organisation: Organisation): number {
    return this.#begunOf.get(organisation) ?? 0;
  }

  /** Starts the counts of a new event-loop turn. */
  #turn(): void {
    const organisations = [...this.#begunOf.keys()];
    this.#begun = 0;
    this.#begunOf.clear();
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
    this.#fast -= 1;
    for (const counted of [share, organisation, origin]) counted.fast -= 1;
    this.#reopen(wasFull ? organisation.shares.values() : [share]);
    this.#wake(origin);
  }

  #makeReady(share: Share): void {
    if (share.lanes.length === 0 || !this.#hasFastRoom(share)) return;
    share.state = 'ready';
    share.organisation.ready.push(share);
    this.#lineUp(share.organisation);
  }

  #hasFastRoom({ fast, organisation }: Share): boolean {
    return (
      fast < WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX &&
      organisation.fast < WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX &&
      this.#begunBy(organisation) < this.#begunATurnMax.ofOrganisation
    );
  }

  #lineUp(organisation: Organisation): void {
    if (organisation.inLine || organisation.ready.length === 0) return;
    organisation.inLine = true;
    this.#line.push(organisation);
  }

  /** Lets the first waiting share through that may begin an attempt. */
  #wake(gate: Gate<Share>): boolean {
    if (gate.waiting.length === 0 || !gate.hasRoom(this.#nowMs())) return false;
    const at = gate.waiting.findIndex((one) => this.#hasFastRoom(one));
    if (at < 0) return false;
    const [share] = gate.waiting.splice(at, 1);
    share!.admittedBy.add(gate);
    share!.state = 'blocked';
    this.#makeReady(share!);
    return true;
  }

  #wakeHost(host: HostGate<Share>): void {
    if (this.#wake(host) || host.waiting.length === 0 || host.isTimed) return;
    const ms = host.roomInMs(this.#nowMs());
    // All that wait have no place of their organisation: they are woken when one is free.
    if (ms === 0) return;
    host.isTimed = true;
    this.#later(ms, () => {
      host.isTimed = false;
      for (let room = host.room(this.#nowMs()); room > 0 && this.#wake(host); room -= 1);
      this.serve();
      this.#wakeHost(host);
    });
  }

  #shareOf(lane: Lane): Share {
    const id = lane.subscription.organisationId;
    const organisation = known(this.#organisations, id, () => ({
      id,
      shares: new Map(),
      ready: [],
      inLine: false,
      fast: 0,
      slow: 0,
    }));
    return known(organisation.shares, lane.origin, () => {
      const { origin: name, host: hostName } = lane;
      const origin = known(this.#origins, name, () => new OriginGate(name));
      const host = known(this.#hosts, hostName, () => new HostGate(hostName, this.#nowMs()));
      for (const gate of [origin, host]) gate.shares += 1;
      const counts = { fast: 0, slow: 0 };
      return { organisation, origin, host, ...counts, lanes: [], state: 'blocked', ...admitted() };
    });
  }

  #forgetUnused(share: Share): void {
    const { organisation, origin, host } = share;
    if (share.state !== 'blocked' || share.lanes.length + share.fast + share.slow > 0) return;
    if (!organisation.shares.delete(origin.name)) return;
    for (const gate of [origin, host]) gate.shares -= 1;
    if (organisation.shares.size === 0) this.#organisations.delete(organisation.id);
    if (origin.shares === 0) this.#origins.delete(origin.name);
  }
}

const BEGUN_A_TURN_MAX = {
  ofOrganisation: WEBHOOK_ORGANISATION_ATTEMPTS_BEGUN_A_TURN,
  inAll: WEBHOOK_ATTEMPTS_BEGUN_A_TURN,
};

const admitted = () => ({ admittedBy: new Set<Gate<Share>>() });

const hasSlowRoom = ({ slow, organisation, origin }: Share): boolean =>
  slow < WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX &&
  organisation.slow < WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX &&
  origin.slow < WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX;

const known = <Value>(values: Map<string, Value>, key: string, make: () => Value): Value => {
  const value = values.get(key);
  if (value !== undefined) return value;
  const made = make();
  values.set(key, made);
  return made;
};
