import { PROJECTION_ROWS_CACHED_BYTES_MAX } from '../../limits.ts';
import { MeasuredRows } from './measured-rows.ts';

/** An LRU cache of stored rows, valid while this process holds the lease. */
export class RowCache {
  readonly #rows = new MeasuredRows();
  readonly #rowsMax: number;
  readonly #bytesMax: number;
  /** Every row of the table is cached, so one that is not cached does not exist. */
  #whole: boolean;

  /** @param bytesMax Estimated bytes of all rows. */
  constructor(rowsMax: number, whole: boolean, bytesMax = PROJECTION_ROWS_CACHED_BYTES_MAX) {
    this.#rowsMax = rowsMax;
    this.#bytesMax = bytesMax;
    this.#whole = whole;
  }

  /**
   * Splits `keys` into known rows and keys to be queried.
   *
   * @param pending Rows of a batch that is being written: they are in neither the cache nor the
   *   table yet.
   */
  known(
    keys: readonly string[],
    pending?: ReadonlyMap<string, object | null>,
  ): { rows: Map<string, object>; unknown: string[] } {
    const rows = new Map<string, object>();
    const unknown: string[] = [];
    for (const key of keys) {
      const written = pending?.get(key);
      const row = written === undefined ? this.#rows.get(key) : written;
      if (row) rows.set(key, row);
      else if (row === undefined && !this.#whole) unknown.push(key);
    }
    return { rows, unknown };
  }

  /** Caches the rows that a batch has written. Call it after the commit, never before. */
  keep(written: ReadonlyMap<string, object | null>): void {
    for (const [key, row] of written) {
      this.#rows.delete(key);
      if (row !== null) this.#rows.set(key, row);
    }
    for (const key of this.#rows.keys()) {
      if (this.#rows.size <= this.#rowsMax && this.#rows.bytes <= this.#bytesMax) return;
      this.#rows.delete(key);
      this.#whole = false;
    }
  }
}
