import type { Pool } from 'pg';

/** The time of the database's own clock, in milliseconds: to compare clocks, never for a rule. */
export const databaseTimeMs = async (db: Pick<Pool, 'query'>): Promise<number> => {
  const { rows } = await db.query<{ ms: number }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return rows[0]!.ms;
};
