/** The partitions of samples: one per calendar month (UTC), created with its first sample. */
import type { Pool, PoolClient } from 'pg';
import { startOfMonth } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { transaction } from '../../engine/postgres/transaction.ts';

/** The tables with monthly partitions. */
export const monthlyTables = ['observation', 'sealed_day'] as const;

export interface SampleMonths {
  /** Creates missing partitions for samples of these times. Cached ones need no statement. */
  make(times: Iterable<number>): Promise<void>;
  /** Clears the cache: a partition may have been dropped meanwhile. */
  forget(): void;
}

export const sampleMonths = (db: Pool): SampleMonths => {
  const created = new Set<Instant>();
  return {
    async make(times) {
      const missing = [...monthsIn(times)].filter((month) => !created.has(month)).toSorted();
      if (missing.length === 0) return;
      await transaction(db, (client) => makeMonths(client, missing));
      for (const month of missing) created.add(month);
    },
    forget: () => created.clear(),
  };
};

/** The first instants of the months of these times. */
export const monthsIn = (times: Iterable<number>): ReadonlySet<Instant> => {
  const months = new Set<Instant>();
  let [from, to] = [0, 0];
  for (const time of times) {
    if (time >= from && time < to) continue;
    const month = startOfMonth(new Date(time).toISOString());
    [from, to] = [Date.parse(month), Date.parse(startOfMonth(month, 1))];
    months.add(month);
  }
  return months;
};

/**
 * In the caller's transaction. Does not block readers and writers: a partition is created
 * separately and then attached. Concurrent calls, also of several processes, are serialised.
 */
export const makeMonths = async (client: PoolClient, months: readonly Instant[]): Promise<void> => {
  await client.query(`select pg_advisory_xact_lock(hashtext('telemetry months'))`);
  for (const table of monthlyTables) {
    const { rows } = await client.query<{ month: Instant }>(
      `select month from unnest($1::text[], $2::text[]) as wanted (month, name)
       where to_regclass(name) is null`,
      [months, months.map((month) => monthTable(table, month))],
    );
    for (const { month } of rows) {
      const parent = `telemetry.${table}`;
      const partition = monthTable(table, month);
      const [from, to] = [month, startOfMonth(month, 1)].map((at) => at.slice(0, 10));
      // The bound of a timestamp key is the date's midnight in UTC.
      const zone = table === 'observation' ? ' 00:00:00+00' : '';
      await client.query(
        `create table ${partition} (like ${parent} including constraints);
         alter table ${parent} attach partition ${partition}
           for values from ('${from}${zone}') to ('${to}${zone}')`,
      );
    }
  }
};

export const monthTable = (table: (typeof monthlyTables)[number], month: Instant): string =>
  `telemetry.${table}_${month.slice(0, 4)}${month.slice(5, 7)}`;
