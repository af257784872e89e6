import { hash } from 'node:crypto';
import type { StoredEvent } from '../../store/event-store.ts';

/**
 * How many events there are, and a digest of them that does not depend on their order: the sum of
 * a hash of everything about each event that a log keeps for another one. Two logs that hold the
 * same events agree; that two differ and agree is as likely as 1 in 2^64.
 */
export class Tally {
  count = 0;
  #high = 0;
  #low = 0;

  /** @param revision That of the file, where the log numbers the stream anew. */
  add({ stream, id, type, data, meta }: StoredEvent, revision: number): void {
    const text = JSON.stringify([stream, revision, id, type, data, meta]);
    const digest = hash('sha256', text, 'buffer');
    this.count += 1;
    this.#high = (this.#high + digest.readUInt32LE(0)) >>> 0;
    this.#low = (this.#low + digest.readUInt32LE(4)) >>> 0;
  }

  equals(other: Tally): boolean {
    return this.count === other.count && this.#high === other.#high && this.#low === other.#low;
  }
}
