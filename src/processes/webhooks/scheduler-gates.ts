/** What shares of different organisations queue for: places at an origin, and a host's rate. */
import {
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_HOST_ATTEMPTS_PER_SECOND,
  WEBHOOK_HOST_BURST_ATTEMPTS,
} from './limits.ts';

export interface Gate<Share> {
  /** First in, first out: one entry for each organisation and origin. */
  readonly waiting: Share[];
  hasRoom(nowMs: number): boolean;
}

export class OriginGate<Share> implements Gate<Share> {
  readonly name: string;
  readonly waiting: Share[] = [];
  /** That may come to wait here. */
  shares = 0;
  fast = 0;
  slow = 0;

  constructor(name: string) {
    this.name = name;
  }

  hasRoom(): boolean {
    return this.fast < WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX;
  }
}

/** A token bucket. */
export class HostGate<Share> implements Gate<Share> {
  readonly name: string;
  readonly waiting: Share[] = [];
  /** That may come to wait here. */
  shares = 0;
  /** A timer for its next token is set. */
  isTimed = false;
  #tokens = WEBHOOK_HOST_BURST_ATTEMPTS;
  #filledMs: number;

  constructor(name: string, nowMs: number) {
    this.name = name;
    this.#filledMs = nowMs;
  }

  hasRoom(nowMs: number): boolean {
    return this.room(nowMs) > 0;
  }

  /** Attempts that may begin now. */
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

  /** Unused, and full again: it can be forgotten. */
  isIdle(nowMs: number): boolean {
    return this.shares === 0 && this.room(nowMs) === WEBHOOK_HOST_BURST_ATTEMPTS;
  }
}
