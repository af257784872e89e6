import { createHash } from 'node:crypto';
import type { EventType } from '../../engine/log/codec.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { unsealedParts } from '../../engine/personal/clear-events.ts';

/**
 * SHA-256 over events in their order, but for the personal data in them that is sealed or would be:
 * the same of a log and of its copy that `atrium events export --erase` has sealed. What it leaves
 * out: sealed members and the boxes in their place, who caused a sealed event if it was a person,
 * the hash of a body with personal data, ids of keys, and the schema version of sealed events.
 * Positions and the log's own times are left out, too: an import gives new ones.
 */
export class UnsealedDigest {
  readonly #hash = createHash('sha256');
  readonly #types: ReadonlyMap<string, EventType>;
  #count = 0;

  /** @param types None: events in the clear are added whole, which a sealed file's are. */
  constructor(types: ReadonlyMap<string, EventType> = new Map()) {
    this.#types = types;
  }

  /**
   * @param command Whole.
   * @param from The first of its events that is added. Default: all.
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

  /** As the commands print it. */
  get line(): string {
    return `but for personal data: ${this.#count} events, sha256 ${this.hex}`;
  }
}

const sorted = (meta: Readonly<Record<string, string>>) =>
  Object.entries(meta).toSorted(([a], [b]) => (a < b ? -1 : 1));
