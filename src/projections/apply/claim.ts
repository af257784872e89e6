import type { Pool } from 'pg';
import { openBooks } from '../../consumers/checkpoint-schema.ts';
import { lineOf } from '../../db/errors.ts';
import { transaction } from '../../db/transaction.ts';
import type { Clock } from '../../ops/clock.ts';
import type { Logger } from '../../ops/logging.ts';
import type { Position } from '../../store/event-store.ts';
import type { AnyProjection } from '../projection.ts';
import { skippedOf } from '../rebuild/reapply.ts';
import type { Statements } from './table-sql.ts';

export interface Claimed {
  /** There was no read model. */
  readonly fresh: boolean;
  /** It is to be built beside, and there are no tables; otherwise they are there. */
  readonly build: boolean;
  readonly failedBefore: boolean;
  readonly position: Position | null;
  readonly caughtUp: boolean;
  readonly parked: Set<string>;
  readonly passedOver: ReadonlySet<string>;
}

interface Found {
  readonly position: Position | null;
  readonly epoch: number;
  readonly caughtUp: boolean;
  readonly failed: boolean;
  readonly missing: boolean;
}

interface ClaimParts {
  readonly projection: AnyProjection;
  readonly statements: Statements;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
}

export const claiming = ({ projection, statements, pool, clock, logger }: ClaimParts) => {
  const { name, version } = projection;
  return {
    /**
     * Puts `epoch` on the checkpoint and makes the tables if there are none, or if the checkpoint
     * does not know of them: neither is worth anything without the other.
     *
     * @param far There is so much in the log that it is built beside, and what was begun without
     *   ever coming to the head is begun anew.
     * @returns `null` if a later owner has been here.
     */
    async claim(epoch: number, far: boolean): Promise<Claimed | null> {
      await openBooks(pool);
      return transaction(pool, async (client) => {
        const at = clock.now();
        await client.query(
          `insert into projections.checkpoint (name, version, epoch, updated_at)
           values ($1, $2, $3, $4) on conflict do nothing`,
          [name, version, epoch, at],
        );
        const { rows } = await client.query<Found>(
          `select position, epoch, caught_up as "caughtUp", last_error is not null as failed,
                  exists (select from unnest($3::text[]) as t where to_regclass(t) is null)
                    as missing
           from projections.checkpoint where name = $1 and version = $2 for update`,
          [name, version, statements.tables],
        );
        const found = rows[0];
        if (!found || found.epoch > epoch) return null;
        const begun = found.position !== null && !found.missing;
        const fresh = !begun || (far && !found.caughtUp);
        if (fresh) {
          const [drop, ...create] = statements.create;
          await client.query(drop!);
          for (const statement of far ? [] : create) await client.query(statement);
          await client.query('delete from projections.parked where name = $1 and version = $2', [
            name,
            version,
          ]);
          logger.info({ projection: name, version }, 'read model is built from the start');
        }
        await client.query(
          `update projections.checkpoint
           set epoch = $3, updated_at = $4, position = case when $5 then null else position end,
               caught_up = caught_up and not $5, applied = case when $5 then 0 else applied end
           where name = $1 and version = $2`,
          [name, version, epoch, at, fresh],
        );
        const parked = await client.query<{ stream: string }>(
          'select stream from projections.parked where name = $1 and version = $2',
          [name, version],
        );
        return {
          fresh,
          build: fresh && far,
          failedBefore: found.failed,
          position: fresh ? null : found.position,
          caughtUp: !fresh && found.caughtUp,
          parked: new Set(parked.rows.map(({ stream }) => stream)),
          passedOver: await skippedOf(client, projection),
        };
      });
    },

    /** Shows operators why it does not go on. */
    async note(error: unknown): Promise<void> {
      try {
        await pool.query(
          'update projections.checkpoint set last_error = $3 where name = $1 and version = $2',
          [name, version, lineOf(error)],
        );
      } catch (cause) {
        // The failure itself is in the server's log; this is only for the operator's list.
        logger.debug({ err: cause, projection: name, version }, 'the failure was not noted');
      }
    },
  };
};
