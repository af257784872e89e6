import { LOG_REMOVED_AT_ONCE_MAX } from '../../limits.ts';
import { semaphore } from '../../concurrency/semaphore.ts';
import { LogUnavailable } from '../event-store.ts';
import { isLost, isUnable, type Connection } from './connection.ts';
import type { PostgresReader } from './reader.ts';

export interface RetentionParts {
  /** Makes a connection under the role for retention: one per portion, and one at a time. */
  readonly connect: () => Connection;
  readonly reader: Pick<PostgresReader, 'stream'>;
  readonly schema: string;
  /** Default {@link LOG_REMOVED_AT_ONCE_MAX}. */
  readonly removedAtOnceMax?: number | undefined;
}

/**
 * Truncates and deletes streams. A large one goes in portions, oldest first, because one statement
 * for all of it would exceed the deadline of a call. Each portion is a transaction, after which the
 * stream is a truncated one; a repeated call continues there.
 *
 * The signals stop between two portions, and their reasons are thrown.
 */
export class Retention {
  readonly #parts: RetentionParts;
  /** Each portion locks the watermark, so concurrent ones would only hold more connections. */
  readonly #turns = semaphore(1);

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  async truncate(stream: string, before: number, signal: AbortSignal): Promise<void> {
    await this.#removeMost(stream, before, signal);
    await this.#call(signal, 'truncate_stream($1, $2)', [stream, before]);
  }

  /** @returns Whether a deleted journal still has the last event of the log. */
  async delete(stream: string, signal: AbortSignal): Promise<boolean> {
    await this.#removeMost(stream, Infinity, signal);
    return (await this.#call(signal, 'delete_stream($1)', [stream])) === 't';
  }

  /** The remaining events of deleted journals. Returns as {@link delete}. */
  async deleteRest(signal: AbortSignal): Promise<boolean> {
    return (await this.#call(signal, 'delete_stream($1)', [null])) === 't';
  }

  /** Leaves no more below `before` than one statement removes. */
  async #removeMost(stream: string, before: number, signal: AbortSignal): Promise<void> {
    const { reader, removedAtOnceMax = LOG_REMOVED_AT_ONCE_MAX } = this.#parts;
    const [first] = await reader.stream(stream, { limit: 1 });
    const [last] = await reader.stream(stream, { limit: 1, backwards: true });
    if (!first || !last) return;
    const end = Math.min(before, last.revision + 1);
    for (let to = first.revision + removedAtOnceMax; to < end; to += removedAtOnceMax)
      await this.#call(signal, 'truncate_stream($1, $2)', [stream, to]);
  }

  /** Calls a function of the log in a turn, so that a large deletion holds up no small one. */
  #call(signal: AbortSignal, text: string, values: readonly unknown[]): Promise<unknown> {
    return this.#turns.run(() => this.#connected(text, values), signal);
  }

  async #connected(text: string, values: readonly unknown[]): Promise<unknown> {
    const { connect, schema } = this.#parts;
    const connection = connect();
    try {
      const [row] = await connection.rows({
        text: `select ${schema}.${text}`,
        values: [...values],
      });
      return row?.[0];
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (isLost(error) || isUnable(error)) throw new LogUnavailable('retention', error);
      throw error;
    } finally {
      await connection.end();
    }
  }
}
