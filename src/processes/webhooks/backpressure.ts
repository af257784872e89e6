/**
 * The bounds of direct deliveries. An organisation may have as many as it leaves to all others, and
 * a subscription as many as it leaves to the others of its organisation, so that receivers that
 * fall behind leave room to those that do not.
 */
import {
  WEBHOOK_DIRECT_MAX,
  WEBHOOK_DIRECT_OF_SUBSCRIPTION_MIN,
  WEBHOOK_EVENTS_WAITING_MAX,
} from './limits.ts';

class SharedBound {
  readonly #max: number;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get total(): number {
    return this.#total;
  }

  add(organisation: string, change: number): void {
    this.#total += change;
    const count = this.#of(organisation) + change;
    if (count > 0) this.#counts.set(organisation, count);
    else this.#counts.delete(organisation);
  }

  /** How many more the organisation may have. */
  room(organisation: string): number {
    return halfOf(this.#max - this.#total - this.#of(organisation));
  }

  #of(organisation: string): number {
    return this.#counts.get(organisation) ?? 0;
  }
}

interface WaitingEvent {
  readonly organisation: string;
  readonly proceed: () => void;
}

export class Backpressure {
  readonly #direct = new SharedBound(WEBHOOK_DIRECT_MAX);
  readonly #waitingOf = new SharedBound(WEBHOOK_EVENTS_WAITING_MAX);
  readonly #waiting = new Set<WaitingEvent>();
  #isWaking = false;

  /** Direct deliveries of all organisations. */
  get total(): number {
    return this.#direct.total;
  }

  /** Deliveries of the organisation have begun, or ended. */
  add(organisation: string, change: number): void {
    this.#direct.add(organisation, change);
    if (change < 0) this.#wakeNextTurn();
  }

  /** How many more deliveries the organisation may have. */
  room(organisation: string): number {
    return this.#direct.room(organisation);
  }

  /** How many more a subscription with `pending` ones may have, by its own number of them. */
  roomOfOne(organisation: string, pending: number, isBusy: boolean): number {
    const min = isBusy ? WEBHOOK_DIRECT_OF_SUBSCRIPTION_MIN : 0;
    return Math.max(min - pending, halfOf(this.room(organisation) - pending));
  }

  /** Whether an event of the organisation may wait for room. */
  mayWait(organisation: string): boolean {
    return this.#waitingOf.room(organisation) > 0;
  }

  /** Resolves when there may be room. @throws When `signal` aborts. */
  async wait(organisation: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const proceed = () => resolve();
    const event = { organisation, proceed };
    this.#waiting.add(event);
    this.#waitingOf.add(organisation, 1);
    signal.addEventListener('abort', proceed, { once: true });
    await promise;
    signal.removeEventListener('abort', proceed);
    this.#waitingOf.add(organisation, -1);
    this.#waiting.delete(event);
    signal.throwIfAborted();
  }

  /** Lets all waiting events proceed. */
  wakeAll(): void {
    for (const { proceed } of this.#waiting) proceed();
  }

  #wakeNextTurn(): void {
    if (this.#isWaking || this.#waiting.size === 0) return;
    this.#isWaking = true;
    setImmediate(() => this.#wake());
  }

  /** Lets the first waiting event of each organisation that has room proceed. */
  #wake(): void {
    this.#isWaking = false;
    const woken = new Set<string>();
    for (const { organisation, proceed } of this.#waiting) {
      if (woken.has(organisation) || this.room(organisation) === 0) continue;
      woken.add(organisation);
      proceed();
    }
    // A woken event may leave room to the others: all of its messages may be queued or dropped.
    if (woken.size > 0) this.#wakeNextTurn();
  }
}

const halfOf = (count: number): number => Math.max(0, Math.floor(count / 2));
