import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { forEachInSlices } from '../../concurrency/slices.ts';

/** Rows by key, in insertion order, and an estimate of their memory. */
export class MeasuredRows {
  readonly #rows = new Map<string, object>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  get size(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): object | undefined {
    return this.#rows.get(key);
  }

  set(key: string, row: object): void {
    const size = estimatedRowSize(row);
    this.#bytes += size - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, size);
    this.#rows.set(key, row);
  }

  /** A row was changed in place, and grew by at most this many bytes. */
  grow(bytes: number): void {
    this.#bytes += bytes;
  }

  /**
   * Measures all rows again, because {@link grow} overestimates, and yields to the event loop
   * meanwhile. No row may be set or grown before it resolves.
   */
  async measure(): Promise<void> {
    let bytes = 0;
    await forEachInSlices(this.#rows, ([key, row]) => {
      const size = estimatedRowSize(row);
      this.#sizes.set(key, size);
      bytes += size;
    });
    this.#bytes = bytes;
  }

  delete(key: string): void {
    if (!this.#rows.delete(key)) return;
    this.#bytes -= this.#sizes.get(key)!;
    this.#sizes.delete(key);
  }

  keys(): MapIterator<string> {
    return this.#rows.keys();
  }

  /** The rows themselves. Afterwards the caller owns them, and this is not used any more. */
  all(): ReadonlyMap<string, object> {
    return this.#rows;
  }
}
