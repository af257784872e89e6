import {
  WEBHOOK_EVENTS_WAITING_OF_ORGANISATION_MAX,
  WEBHOOK_DIRECT_OF_ORGANISATION_MAX,
} from './limits.ts';

/** Counts direct deliveries by organisation, and makes further events wait while there are many. */
export class Backpressure {
  readonly #counts = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(organisation: string, count: number): void {
    this.#total += count;
    const now = (this.#counts.get(organisation) ?? 0) + count;
    if (now > 0) this.#counts.set(organisation, now);
    else this.#counts.delete(organisation);
    if (!this.isFull(organisation)) this.#waiting.get(organisation)?.shift()?.();
  }

  isFull(organisation: string): boolean {
    return (this.#counts.get(organisation) ?? 0) >= WEBHOOK_DIRECT_OF_ORGANISATION_MAX;
  }

  /** Resolves when there is room, or at once if too many wait. Rejects when `signal` aborts. */
  async wait(organisation: string, signal: AbortSignal): Promise<void> {
    while (this.isFull(organisation)) {
      signal.throwIfAborted();
      const queue = this.#waiting.get(organisation) ?? [];
      if (queue.length >= WEBHOOK_EVENTS_WAITING_OF_ORGANISATION_MAX) return;
      this.#waiting.set(organisation, queue);
      await new Promise<void>((resolve) => {
        const go = () => {
          signal.removeEventListener('abort', leave);
          if (queue.length === 0 && this.#waiting.get(organisation) === queue)
            this.#waiting.delete(organisation);
          resolve();
        };
        const leave = () => {
          queue.splice(queue.indexOf(go), 1);
          go();
        };
        queue.push(go);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    signal.throwIfAborted();
  }
}
