/** Groups the events of a file into appends, and the appends into blocks sent at once. */
import { IMPORT_APPEND_BYTES_MAX, IMPORT_BLOCK_EVENTS } from '../limits.ts';
import type { Capabilities, NewEvent, StoredEvent } from '../../engine/log/event-store.ts';

/** One append: consecutive events of one stream. */
export interface Run {
  readonly stream: string;
  /** Revision of its first event in the log. */
  readonly revision: number;
  readonly events: NewEvent[];
  bytes: number;
}

/** Appends that may be sent at once; the next block waits until all of them are stored. */
export type Block = readonly Run[];

/** The number of a fixed block of the file, which is stored completely before the next one. */
const blockOf = (index: number): number => Math.floor(index / IMPORT_BLOCK_EVENTS);

/**
 * - `in-order`: the log's order is exactly the file's. If appends are committed in the order of
 *   their calls, a block is one commit: each stream occurs once, and its size is that of a commit.
 *   Otherwise a block is one run.
 * - `in-blocks`: events may be reordered within a block, except those of one stream.
 */
export type Order = 'in-order' | 'in-blocks';

/** Divides events, added in the order of the file, into blocks. */
export class Blocks {
  readonly #runsMax: number;
  readonly #order: Order;
  /** By stream, its runs in the order of the file. */
  #runs: Run[] = [];
  #last = new Map<string, Run>();
  #block = 0;
  #bytes = 0;

  constructor({ commitsInCallOrder }: Capabilities, order: Order) {
    this.#order = order;
    this.#runsMax = order === 'in-order' && !commitsInCallOrder ? 1 : Infinity;
  }

  /**
   * @param index The event's index in the file, from 0.
   * @param bytes Length of its line in the file, an upper bound of what a log stores.
   * @returns The completed block, if the event begins another one.
   */
  add(event: StoredEvent, index: number, revision: number, bytes: number): Block | null {
    const before = this.#last.get(event.stream);
    const continues = this.#order === 'in-blocks' || before === this.#runs.at(-1);
    const grows = before !== undefined && continues && before.bytes + bytes <= APPEND_MAX;
    const full =
      this.#runs.length > 0 &&
      (blockOf(index) !== this.#block ||
        (this.#order === 'in-order' && this.#bytes + bytes > APPEND_MAX) ||
        (!grows && this.#runs.length === this.#runsMax) ||
        (!grows && before !== undefined));
    const block = full ? this.rest() : null;
    const run = this.#last.get(event.stream) ?? this.#begin(event.stream, revision);
    const { id, type, data, meta } = event;
    run.events.push({ id, type, data, meta });
    run.bytes += bytes;
    this.#block = blockOf(index);
    this.#bytes += bytes;
    return block;
  }

  /** The last block, which may be incomplete. */
  rest(): Block {
    const block = this.#runs;
    this.#runs = [];
    this.#last = new Map();
    this.#bytes = 0;
    return block;
  }

  #begin(stream: string, revision: number): Run {
    const run: Run = { stream, revision, events: [], bytes: 0 };
    this.#runs.push(run);
    this.#last.set(stream, run);
    return run;
  }
}

const APPEND_MAX = IMPORT_APPEND_BYTES_MAX;
