/** A queue in front of servers, with its statistics. Times are in microseconds. */

export interface StationResult {
  readonly servers: number;
  /** Busy share of the servers' time, 0 to 1. */
  readonly utilisation: number;
  /** Offered load as a share of the servers' time: above 1 the queue grows without bound. */
  readonly offered: number;
  readonly arrived: number;
  readonly done: number;
  /** In the queue at the end. */
  readonly waiting: number;
  /** In service at the end. */
  readonly serving: number;
  readonly arrivalsPerSecond: number;
  /** Time average of the number in the queue and in service together. */
  readonly meanPresent: number;
  /** Mean time of ended steps in the queue. */
  readonly meanWaitUs: number;
  /** Mean time of ended steps in the queue and in service. */
  readonly meanStayUs: number;
}

/** A unit of work for a station. */
export interface Task {
  readonly serviceUs: number;
  readonly queuedUs: number;
  startedUs: number;
}

/** Served entries before the queue's head are removed in batches of this size. */
const COMPACT_AT = 1_024;

export class StationState<T extends Task> {
  readonly servers: number;
  readonly #fromUs: number;
  readonly #queue: T[] = [];
  #head = 0;
  serving = 0;
  arrived = 0;
  done = 0;
  #counted = { arrived: 0, ended: 0, offeredUs: 0, busyUs: 0, presentUs: 0, waitUs: 0, stayUs: 0 };
  #changedUs = 0;

  constructor(servers: number, fromUs: number) {
    this.servers = servers;
    this.#fromUs = fromUs;
  }

  get queued(): readonly T[] {
    return this.#queue.slice(this.#head);
  }

  get waiting(): number {
    return this.#queue.length - this.#head;
  }

  /** Accumulates statistics for the time since the last change. */
  advance(nowUs: number): void {
    const passedUs = nowUs - Math.max(this.#changedUs, this.#fromUs);
    if (passedUs > 0) {
      this.#counted.busyUs += passedUs * this.serving;
      this.#counted.presentUs += passedUs * (this.serving + this.waiting);
    }
    this.#changedUs = nowUs;
  }

  arrive(task: T, nowUs: number): void {
    this.advance(nowUs);
    this.arrived += 1;
    if (nowUs >= this.#fromUs) {
      this.#counted.arrived += 1;
      this.#counted.offeredUs += task.serviceUs;
    }
    this.#queue.push(task);
  }

  /** Starts the next entry of the queue, if a server is free. */
  start(nowUs: number): T | null {
    if (this.serving === this.servers || this.waiting === 0) return null;
    this.advance(nowUs);
    const task = this.#queue[this.#head]!;
    this.#head += 1;
    if (this.#head >= COMPACT_AT) {
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    this.serving += 1;
    task.startedUs = nowUs;
    return task;
  }

  end(task: T, nowUs: number): void {
    this.advance(nowUs);
    this.serving -= 1;
    this.done += 1;
    if (nowUs < this.#fromUs) return;
    this.#counted.ended += 1;
    this.#counted.waitUs += task.startedUs - task.queuedUs;
    this.#counted.stayUs += nowUs - task.queuedUs;
  }

  result(endUs: number): StationResult {
    this.advance(endUs);
    const { arrived, ended, offeredUs, busyUs, presentUs, waitUs, stayUs } = this.#counted;
    const windowUs = endUs - this.#fromUs;
    return {
      servers: this.servers,
      utilisation: busyUs / windowUs / this.servers,
      offered: offeredUs / windowUs / this.servers,
      arrived: this.arrived,
      done: this.done,
      waiting: this.waiting,
      serving: this.serving,
      arrivalsPerSecond: (arrived / windowUs) * 1e6,
      meanPresent: presentUs / windowUs,
      meanWaitUs: waitUs / ended,
      meanStayUs: stayUs / ended,
    };
  }
}
