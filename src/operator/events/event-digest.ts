import { hash } from 'node:crypto';
import type { StoredEvent } from '../../engine/log/event-store.ts';

/**
 * A count of events and an order-independent digest: the sum of a hash of each event as exported.
 * Logs with the same events have the same digest; different events collide with probability 2^-64.
 */
export class EventDigest {
  count = 0;
  #high = 0;
  #low = 0;

  /** @param revision The revision in the file, if the log renumbers the stream. */
  add({ stream, id, type, data, meta }: StoredEvent, revision: number): void {
    const text = JSON.stringify([stream, revision, id, type, data, meta]);
    const digest = hash('sha256', text, 'buffer');
    this.count += 1;
    this.#high = (this.#high + digest.readUInt32LE(0)) >>> 0;
    this.#low = (this.#low + digest.readUInt32LE(4)) >>> 0;
  }

  equals(other: EventDigest): boolean {
    return this.count === other.count && this.#high === other.#high && this.#low === other.#low;
  }
}
