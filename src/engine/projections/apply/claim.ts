import { checkpoints } from '../../consumers/checkpoints.ts';
import { projectionId } from '../../consumers/consumer.ts';
import { neededIn } from '../../consumers/releases.ts';
import type { Consumers } from '../../consumers/runtime.ts';
import { errorLine } from '../../postgres/errors.ts';
import { transaction } from '../../postgres/transaction.ts';
import type { Position } from '../../log/event-store.ts';
import type { AnyProjection } from '../projection.ts';
import { isOtherShape, noteShape, OtherShape } from './shape.ts';
import type { Statements } from './table-sql.ts';

/** The state with which an owner takes over a read model. */
export interface Claimed {
  /** There was no read model. */
  readonly fresh: boolean;
  /** Whether it has no tables and is to be built as a shadow; otherwise its tables exist. */
  readonly build: boolean;
  readonly failedBefore: boolean;
  readonly position: Position | null;
  readonly caughtUp: boolean;
  readonly parked: Set<string>;
  /**
   * Parked streams that needed a newer release than the one that parked them, and those that are
   * {@link PartlyApplied}.
   */
  readonly readable: readonly string[];
  readonly passedOver: ReadonlySet<string>;
}

/** Why a stream is parked between two parts of a retry, which continues after a change of owner. */
export class PartlyApplied extends Error {
  constructor() {
    super('the events before this one were applied, and the others follow');
    this.name = 'PartlyApplied';
  }
}

export const isPartlyApplied = (reason: string): boolean =>
  reason === errorLine(new PartlyApplied());

interface Found {
  readonly position: Position | null;
  readonly epoch: number;
  readonly caughtUp: boolean;
  readonly failed: boolean;
  readonly missing: boolean;
  /** `null`: an earlier release made the tables and recorded no shape. */
  readonly shape: string | null;
}

interface ClaimParts {
  readonly projection: AnyProjection;
  readonly statements: Statements;
  readonly consumers: Pick<Consumers, 'pool' | 'clock' | 'logger' | 'releases'>;
}

/**
 * Takes over the checkpoint with `epoch`, and creates the tables if there are none, or if the
 * checkpoint does not belong to them: neither is valid without the other.
 *
 * @param far The log is so long that a shadow is built, and an interrupted first build starts over.
 * @returns `null` if a later owner has taken over.
 * @throws {@link OtherShape} if the shape was changed without a new version.
 */
export const claim = (
  { projection, statements, consumers: { pool, clock, logger, releases } }: ClaimParts,
  epoch: number,
  far: boolean,
): Promise<Claimed | null> =>
  transaction(pool, async (client) => {
    const consumer = projectionId(projection);
    const at = clock.now();
    await client.query(
      `insert into consumers.checkpoint (consumer, epoch, tables, updated_at)
       values ($1, $2, $3, $4) on conflict do nothing`,
      [consumer, epoch, statements.tables, at],
    );
    const { rows } = await client.query<Found>(
      `select position, epoch, caught_up as "caughtUp", last_error is not null as failed,
              exists (select from unnest($2::text[]) as t where to_regclass(t) is null) as missing,
              obj_description(to_regnamespace($3), 'pg_namespace') as shape
       from consumers.checkpoint where consumer = $1 for update`,
      [consumer, statements.tables, statements.schema],
    );
    const found = rows[0];
    if (!found || found.epoch > epoch) return null;
    const begun = found.position !== null && !found.missing;
    if (begun && isOtherShape(found.shape, projection)) throw new OtherShape(projection);
    const fresh = !begun || (far && !found.caughtUp);
    if (fresh) {
      const [drop, ...create] = statements.create;
      // In one round trip: a first start makes some two hundred tables and indexes.
      await client.query([drop, ...(far ? [] : create)].join(';\n'));
      await client.query('delete from consumers.parked where consumer = $1', [consumer]);
      // A short log is built at once.
      logger[far ? 'info' : 'debug']({ consumer }, 'read model is built from the start');
    } else if (found.shape === null) await client.query(noteShape(projection, statements.schema));
    await client.query(
      `update consumers.checkpoint
       set epoch = $2, updated_at = $3, position = case when $4 then null else position end,
           caught_up = caught_up and not $4, events = case when $4 then 0 else events end
       where consumer = $1`,
      [consumer, epoch, at, fresh],
    );
    const books = checkpoints(client);
    const parked = fresh ? [] : await books.parked([consumer]);
    return {
      fresh,
      build: fresh && far,
      failedBefore: found.failed,
      position: fresh ? null : found.position,
      caughtUp: !fresh && found.caughtUp,
      parked: new Set(parked.map(({ stream }) => stream)),
      readable: parked.flatMap(({ stream, reason }) => {
        if (isPartlyApplied(reason)) return [stream];
        const needed = neededIn(reason);
        return needed && releases.reads(needed) ? [stream] : [];
      }),
      passedOver: await books.skipped(consumer),
    };
  });
