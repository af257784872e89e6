/** Groups the events of a file into appends, and these into blocks that are sent at once. */
import { IMPORT_APPEND_BYTES_MAX, IMPORT_BLOCK_EVENTS } from '../limits.ts';
import type { Capabilities, NewEvent, StoredEvent } from '../../engine/log/event-store.ts';

/** One append: consecutive events of one stream. */
export interface Run {
  readonly stream: string;
  /** Of its first event in the log. */
  readonly revision: number;
  readonly events: NewEvent[];
  bytes: number;
}

/** Appends that may be sent at once; the next block waits until all of them are stored. */
export type Block = readonly Run[];

/** The number of a fixed block of the file: all of it is stored before any of the next. */
export const blockOf = (index: number): number => Math.floor(index / IMPORT_BLOCK_EVENTS);

/**
 * - `in-order`: the log's order is exactly the file's. If appends are committed in the order of
 *   their calls, a block is one commit: each stream occurs once, and its size is that of a commit.
 *   Otherwise a block is one run.
 * - `in-blocks`: events may be reordered within a block, except those of one stream.
 */
export type Order = 'in-order' | 'in-blocks';

/** Cuts the events it is given, in the order of the file, into blocks. */
export class Blocks {
  readonly #runsMax: number;
  readonly #order: Order;
  /** By stream, the runs of it in the order of the file. */
  #runs: Run[] = [];
  #last = new Map<string, Run>();
  #block = 0;
  #bytes = 0;

  constructor({ commitsInCallOrder }: Capabilities, order: Order) {
    this.#order = order;
    this.#runsMax = order === 'in-order' && !commitsInCallOrder ? 1 : Infinity;
  }

  /**
   * @param index Of the event in the file, from 0.
   * @param bytes Of its line in the file, which is longer than what a log stores.
   * @returns The block that is complete, if the event begins another one.
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

  /** The block that is not complete. */
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
