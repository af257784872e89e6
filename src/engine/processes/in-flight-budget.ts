import { IN_FLIGHT_WEIGHT_MAX, TIMER_SLEEP_MAX_MS } from '../limits.ts';
import { Signal } from '../concurrency/signal.ts';

/** Backpressure: no effect starts while more than {@link IN_FLIGHT_WEIGHT_MAX} is not durable. */
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
    const isFull = () => this.#weight + this.#begun * this.#weightOfLast >= IN_FLIGHT_WEIGHT_MAX;
    while (isFull() && !signal.aborted)
      await this.#changed.after(this.#changed.count, signal, TIMER_SLEEP_MAX_MS);
  }

  /** An effect starts. @returns To be called when it is slow, or its weight is known. */
  begin(): () => void {
    this.#begun += 1;
    return this.#once(() => {
      this.#begun -= 1;
    });
  }

  /** @returns To be called when the effect is durable. */
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
