import { createHash } from 'node:crypto';

/** A digest of the order of events: the same streams and revisions in another order differ. */
export class OrderDigest {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** @param revision That of the file, where the log numbers the stream anew. */
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
