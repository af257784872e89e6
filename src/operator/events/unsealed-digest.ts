import { createHash } from 'node:crypto';
import type { EventType } from '../../engine/log/codec.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { unsealedParts } from '../../engine/personal/clear-events.ts';

/**
 * SHA-256 over events in their order, without personal data: equal for a log and for its copy that
 * `atrium events export --erase` has sealed. It omits sealed members and the boxes that replace
 * them, the person who caused a sealed event, the hash of a body with personal data, ids of keys,
 * and the schema version of sealed events; also positions and recording times, which an import
 * assigns anew.
 */
export class UnsealedDigest {
  readonly #hash = createHash('sha256');
  readonly #types: ReadonlyMap<string, EventType>;
  #count = 0;

  /** @param types Default: none; unsealed events are then added whole, as for a sealed file. */
  constructor(types: ReadonlyMap<string, EventType> = new Map()) {
    this.#types = types;
  }

  /**
   * @param command All its events.
   * @param from Index of its first event to add. Default: 0.
   * @throws `CannotSeal` for events whose personal members are unknown.
   */
  add(command: readonly StoredEvent[], from = 0): void {
    const parts = unsealedParts(command, this.#types);
    for (let n = from; n < command.length; n += 1) {
      const { stream, revision, id, type } = command[n]!;
      const { data, meta } = parts[n]!;
      const text = JSON.stringify([stream, revision, id, type, data, sorted(meta)]);
      this.#hash.update(text).update('\n');
      this.#count += 1;
    }
  }

  get count(): number {
    return this.#count;
  }

  get hex(): string {
    return this.#hash.copy().digest('hex');
  }

  /** The line that commands print. */
  get line(): string {
    return `but for personal data: ${this.#count} events, sha256 ${this.hex}`;
  }
}

const sorted = (meta: Readonly<Record<string, string>>) =>
  Object.entries(meta).toSorted(([a], [b]) => (a < b ? -1 : 1));
