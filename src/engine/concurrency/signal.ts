/**
 * Wakes waiting loops. Wakeups are counted, so that one between a read that found nothing and the
 * wait that follows it is not lost.
 */
export class Signal {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  wake(): void {
    this.#count += 1;
    for (const go of this.#waiting) go();
  }

  /** Resolves on a wakeup since `seen`, on abort, or after `timeoutMs`, whichever is first. */
  after(seen: number, signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.#count !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', go);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, timeoutMs);
      signal.addEventListener('abort', go, { once: true });
      this.#waiting.add(go);
    });
  }
}
