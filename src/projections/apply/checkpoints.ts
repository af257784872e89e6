import type { Pool } from 'pg';
import { isMissingTable } from '../../db/errors.ts';
import type { Position } from '../../store/event-store.ts';
import type { AnyProjection } from '../projection.ts';
import { statementsOf } from './table-sql.ts';

/** What the database says of a projection in the version of this release. */
export interface Checkpoint {
  readonly position: Position | null;
  readonly caughtUp: boolean;
  readonly lastError: string | null;
  /** Streams set aside. */
  readonly parked: number;
  /** The checkpoint stands, but not all of the tables it speaks of. */
  readonly tablesMissing: boolean;
}

/** A stream that a projection or a process has set aside, and why. */
export interface ParkedStream {
  readonly name: string;
  readonly version: number;
  readonly stream: string;
  /** The first event that could not be applied. */
  readonly eventId: string;
  readonly revision: number;
  readonly position: Position;
  readonly error: string;
  readonly parkedAt: string;
  /** Later events of the stream that were left out. */
  readonly skipped: number;
}

export const checkpoints = (db: Pool, projections: readonly AnyProjection[]) => {
  const names = projections.map(({ name }) => name);
  const versions = projections.map(({ version }) => version);
  const tables = projections.map((projection) => statementsOf(projection).tables.join(' '));

  return {
    /** By name, in one query. A projection that has never been fed is absent. */
    async all(): Promise<ReadonlyMap<string, Checkpoint>> {
      try {
        const { rows } = await db.query<Checkpoint & { name: string }>({
          name: 'projections checkpoints',
          text: `select c.name, c.position, c.caught_up as "caughtUp", c.last_error as "lastError",
                        (select count(*) from projections.parked as p
                         where p.name = c.name and p.version = c.version) as parked,
                        exists (select from unnest(string_to_array(tables, ' ')) as t
                                where to_regclass(t) is null) as "tablesMissing"
                 from unnest($1::text[], $2::int[], $3::text[]) as mine (name, version, tables)
                 join projections.checkpoint as c using (name, version)`,
          values: [names, versions, tables],
        });
        return new Map(rows.map(({ name, ...checkpoint }) => [name, checkpoint]));
      } catch (error) {
        // The books themselves are missing: nothing has been fed yet, or they were dropped.
        if (isMissingTable(error)) return new Map();
        throw error;
      }
    },

    /** What is set aside, by name and stream. */
    async parked(): Promise<readonly ParkedStream[]> {
      try {
        const { rows } = await db.query<ParkedStream>(
          `select name, version, stream, event_id as "eventId", revision, position, error,
                parked_at as "parkedAt", skipped
         from projections.parked
         join unnest($1::text[], $2::int[]) as mine (name, version) using (name, version)
         order by name, stream`,
          [names, versions],
        );
        return rows;
      } catch (error) {
        if (isMissingTable(error)) return [];
        throw error;
      }
    },
  };
};
