import type { Client } from 'pg';
import type { ConsumerId } from '../../consumers/consumer.ts';
import type { ProgressMeter } from '../../consumers/progress.ts';
import type { Consumers } from '../../consumers/runtime.ts';
import { onDedicatedConnection } from '../../postgres/dedicated-connection.ts';
import { errorLine, isBadData } from '../../postgres/errors.ts';
import { REBUILD_ROWS_IN_MEMORY_MAX } from '../../limits.ts';
import { trustedNow } from '../../consumers/clock-check.ts';
import type { Position } from '../../log/event-store.ts';
import { batchApplier } from '../apply/batch-applier.ts';
import { bulkLoad } from './bulk-load.ts';
import { shadowOf } from './shadow-names.ts';
import { emptyFold, foldAll, readTo, type Folded } from './fold-all.ts';
import { monthsOf } from '../apply/partitions.ts';
import type { AnyProjection } from '../projection.ts';
import { RowCache } from '../apply/row-cache.ts';
import { statementsOf, type Statements } from '../apply/table-sql.ts';
import { UnwritableRow, writer } from '../apply/writer.ts';

export interface ShadowParts {
  readonly projection: AnyProjection;
  readonly consumers: Pick<Consumers, 'log' | 'pool' | 'clock' | 'logger'>;
  /** Default {@link REBUILD_ROWS_IN_MEMORY_MAX}. */
  readonly rowsInMemoryMax?: number;
}

export interface BuildOptions {
  /**
   * The epoch of the builder's lease, which names the schema apart from that of any other owner.
   */
  readonly epoch: number;
  readonly signal: AbortSignal;
  readonly progress: ProgressMeter;
  readonly passedOver: ReadonlySet<string>;
  /** The position to build up to; read again when it has been reached. */
  readonly target: () => Promise<Position | null>;
}

/** A read model built from the first event, beside the one that is read. */
export interface Shadow {
  readonly statements: Statements;
  /** The id of its checkpoint and its parked streams. */
  readonly consumer: ConsumerId;
  /** The connection it was built on; in no transaction. */
  readonly client: Client;
  readonly position: Position | null;
  /** Applies batches up to exactly `to`, which is not before the current position. */
  followTo(to: Position | null): Promise<void>;
}

/**
 * Builds a read model beside the live one and passes it to `use`; what remains of it afterwards is
 * dropped.
 *
 * The log is folded in memory and written by COPY, in portions of about `rowsInMemoryMax` rows, and
 * indexes follow the rows. Where the database refuses a row, all is written by batches: these find
 * the event at fault.
 */
export const buildShadow = async <T>(
  parts: ShadowParts,
  options: BuildOptions,
  use: (shadow: Shadow) => Promise<T>,
): Promise<T> => {
  const { projection, consumers } = parts;
  const { pool, logger } = consumers;
  const shadow = shadowOf(projection, options.epoch);
  const { signal } = options;
  const name = `atrium ${shadow.schema}`;
  try {
    return await onDedicatedConnection({ pool, name, signal }, async (client) => {
      await shadow.drop(client);
      return use(await built(parts, options, client));
    });
  } finally {
    await shadow.drop(pool).catch((error: unknown) => {
      logger.warn({ err: error, schema: shadow.schema }, 'a shadow build is swept later');
    });
  }
};

const built = async (parts: ShadowParts, options: BuildOptions, client: Client) => {
  const { projection } = parts;
  const { log, pool, clock, logger } = parts.consumers;
  const { rowsInMemoryMax = REBUILD_ROWS_IN_MEMORY_MAX } = parts;
  const { epoch, signal, progress, passedOver, target } = options;
  const { categories } = projection;
  const { schema, consumer } = shadowOf(projection, epoch);
  const statements = statementsOf(projection, schema);
  const months = monthsOf(projection, schema);
  const now = () => clock.now();
  const monthsAt = months === null ? clock.now() : await trustedNow({ pool, clock });
  let position: Position | null = null;

  /** Two at a time: an index is built by one processor of the server. */
  const index = async () => {
    const { createIndexes, tables } = statements;
    progress.phase('indexing', createIndexes.length);
    const left = [...createIndexes];
    let done = 0;
    const some = async (on: Client) => {
      await on.query(`set maintenance_work_mem = '256MB'`);
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await on.query(next);
        progress.done((done += 1));
      }
      await on.query('reset maintenance_work_mem');
    };
    await onDedicatedConnection({ pool, name: `atrium ${schema}`, signal }, async (other) => {
      // Both have ended before a failure is thrown, or the tables could not be dropped.
      const ended = await Promise.allSettled(
        [client, other].map((on) =>
          some(on).catch((error: unknown) => {
            left.length = 0;
            throw error;
          }),
        ),
      );
      for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
    });
    await client.query(`analyze ${tables.join(', ')}`);
  };

  const loading = () =>
    bulkLoad({ projection, statements, client, months, consumer, epoch, monthsAt, now, signal });

  /** Writes the fold of the log up to `to`; writes nothing if the database refuses a row. */
  const writtenUpTo = async (
    to: Position | null,
  ): Promise<Folded & { readonly cache: RowCache }> => {
    progress.phase('reading', log.distance(null, to));
    try {
      const load = loading();
      const folded = await foldAll(projection, readTo(log, null, to, { categories, signal }), {
        rowsMax: rowsInMemoryMax,
        overflow: load,
        passedOver,
        onProgress: (upTo, events) => progress.done(log.distance(null, upTo) ?? events),
      });
      progress.phase('writing', folded.rows.size);
      await load.finish(folded, progress.done.bind(progress));
      const cache = new RowCache(rowsInMemoryMax, !load.isPartial);
      if (!months) cache.keep(folded.rows);
      return { ...folded, cache };
    } catch (error) {
      // If the connection is lost, so is its transaction, and the next statement reports it.
      await client.query('rollback').catch(() => {});
      if (!isBadData(error) && !(error instanceof UnwritableRow)) throw error;
      logger.warn(
        { projection: schema, reason: errorLine(error) },
        'a row is refused: on by batches',
      );
      await loading().finish(emptyFold, () => {});
      return { ...emptyFold, cache: new RowCache(rowsInMemoryMax, true) };
    }
  };

  const head = await target();
  const written = await writtenUpTo(head);
  position = written.position;
  const { apply } = batchApplier({
    writer: writer(projection, statements, client),
    cache: written.cache,
    parked: new Set(written.parked.keys()),
    passedOver,
    monthsAt,
    moveTo: (to, caughtUp) => ({ consumer, epoch, from: position, to, caughtUp, at: now() }),
    arrived(to) {
      position = to;
    },
    onParked: (stream, error) =>
      logger.warn({ err: error, projection: schema, stream }, 'a stream was parked'),
  });

  const followTo = async (to: Position | null) => {
    if (log.compare(position, to) >= 0) return;
    const from = position;
    progress.phase('catching up', log.distance(from, to));
    for await (const { events, upTo, caughtUp } of readTo(log, from, to, { categories, signal })) {
      await apply(events, upTo, caughtUp);
      progress.done(log.distance(from, upTo) ?? 0);
    }
  };

  // If a row was refused, all are written here: without the indexes.
  await followTo(head);
  await index();
  await followTo(await target());

  return {
    statements,
    consumer,
    client,
    followTo,
    get position() {
      return position;
    },
  };
};
