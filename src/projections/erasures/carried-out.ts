/** The entries of the list of erasures that this database has carried out. decision 0124. */
import type { Pool } from 'pg';

export interface CarriedOut {
  /** The `names` that are not carried out. */
  missing(names: readonly string[]): Promise<readonly string[]>;
  /** Idempotent. */
  note(names: readonly string[]): Promise<void>;
  /** Marks all of them as not carried out. */
  forget(): Promise<void>;
}

export const carriedOutIn = (pool: Pick<Pool, 'query'>): CarriedOut => ({
  async missing(names) {
    const { rows } = await pool.query<{ readonly name: string }>(
      `select name from unnest($1::text[]) as name
       where not exists (select from personal.listed_erasures as l where l.name = name.name)`,
      [names],
    );
    return rows.map(({ name }) => name);
  },

  async note(names) {
    await pool.query(
      `insert into personal.listed_erasures (name) select unnest($1::text[])
       on conflict do nothing`,
      [names],
    );
  },

  async forget() {
    await pool.query('delete from personal.listed_erasures');
  },
});
