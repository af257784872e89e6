/** A queue in front of servers, and what is counted there. Times are in microseconds. */

export interface StationResult {
  readonly servers: number;
  /** Share of the servers' time in which they served, 0 to 1. */
  readonly utilisation: number;
  /** The same of the work that arrived: above 1 the queue grows without end. */
  readonly offered: number;
  readonly arrived: number;
  readonly done: number;
  /** At the end: in the queue, and in service. */
  readonly waiting: number;
  readonly serving: number;
  readonly arrivalsPerSecond: number;
  /** Over time: in the queue and in service together. */
  readonly meanPresent: number;
  /** Of those whose step ended: in the queue, and until its end. */
  readonly meanWaitUs: number;
  readonly meanStayUs: number;
}

/** What a station serves. */
export interface Task {
  readonly serviceUs: number;
  readonly queuedUs: number;
  startedUs: number;
}

/** What has been served stays in front of the queue up to so much. */
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

  /** Accounts for the time since the last change. */
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

  /** The next in the queue, if a server is free. */
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
