import { LANES_SETTLING_WEIGHT_MAX, TIMER_SLEEP_MAX_MS } from '../limits.ts';
import { Signal } from '../concurrency/signal.ts';

/** Bounds what is done but not durable yet: beyond {@link LANES_SETTLING_WEIGHT_MAX} all wait. */
export class InFlightBudget {
  readonly #changed = new Signal();
  #weight = 0;
  /**
   * Weight of the effects started recently whose own weight is unknown: assumed to be the last
   * one's.
   */
  #begun = 0;
  #weightOfLast = 0;

  /** Resolves when there is room, or `signal` aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const isFull = () =>
      this.#weight + this.#begun * this.#weightOfLast >= LANES_SETTLING_WEIGHT_MAX;
    while (isFull() && !signal.aborted)
      await this.#changed.after(this.#changed.count, signal, TIMER_SLEEP_MAX_MS);
  }

  /** Something is begun. @returns What is called when it is slow, or its weight is known. */
  begin(): () => void {
    this.#begun += 1;
    return this.#once(() => {
      this.#begun -= 1;
    });
  }

  /** @returns What is called when it is durable. */
  add(weight: number): () => void {
    this.#weight += weight;
    this.#weightOfLast = weight;
    return this.#once(() => {
      this.#weight -= weight;
    });
  }

  #once(end: () => void): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      end();
      this.#changed.wake();
    };
  }
}
