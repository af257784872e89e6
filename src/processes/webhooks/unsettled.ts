import type { HandedOver } from './hand-over.ts';

/** What one effect has handed over. What settles meanwhile has no weight any more. */
export class UnsettledDeliveries {
  readonly #unsettled = new Set<HandedOver>();

  add(handed: HandedOver): void {
    this.#unsettled.add(handed);
    // A failure stays, and fails the effect.
    handed.settled.then(
      () => this.#unsettled.delete(handed),
      () => {},
    );
  }

  get weight(): number {
    return [...this.#unsettled].reduce((sum, { count }) => sum + count, 0);
  }

  /** Rejects if one of them fails. */
  settled(): Promise<unknown> {
    return Promise.all([...this.#unsettled].map(({ settled }) => settled));
  }
}
