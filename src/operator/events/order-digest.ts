import { createHash } from 'node:crypto';

/** A digest that depends on the order of streams and revisions. */
export class OrderDigest {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** @param revision The revision in the file, if the log renumbers the stream. */
  add(stream: string, revision: number): void {
    this.#hash.update(`${revision} ${stream}\n`);
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  equals(other: OrderDigest): boolean {
    return this.#count === other.#count && this.#hex === other.#hex;
  }

  get #hex(): string {
    return this.#hash.copy().digest('hex');
  }
}
