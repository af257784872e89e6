/**
 * A backup drill on a log of a million tickets in a temporary installation: backup, restore and
 * comparison. Usage: `node bench/backup.ts [tickets]`; needs 6 GB in the temporary directory.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { prepareLog } from '../src/engine/log/postgres/store.ts';
import { embeddedPostgres } from '../src/engine/postgres/embedded/embedded.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { drillCommand } from '../src/operator/backup/drill-command.ts';

const BATCH = 50_000;
const tickets = Number(process.argv[2] ?? 1_000_000);
const directory = await mkdtemp(join(tmpdir(), 'atrium-bench-backup-'));
await chmod(directory, 0o711);
const postgres = await embeddedPostgres(join(directory, 'postgres'));
const db = openDatabase({ url: postgres.url, logger: loggerOf('silent') });
/** Without a statement timeout. */
const client = new Client({ connectionString: postgres.url });
try {
  await migrate(db.pool, migrations);
  await prepareLog(postgres.url);
  await client.connect();
  // Two events per ticket, with about 36 words, as repetitive as on a real desk.
  for (let from = 1; from <= tickets; from += BATCH) {
    await client.query({
      text: `insert into es.event (position, revision, id, stream, type, data, meta)
       select 2 * n - 1 + e, e, gen_random_uuid(), 'ticket-' || md5(n::text)::uuid,
         case e when 0 then 'TicketOpened' else 'TicketTriaged' end,
         json_build_object('number', 'SR-' || n, 'subject', 'Subject of ' || n, 'description',
           (select string_agg(substr(md5(
              ((n * 31 + floor(power(w, 2))::int) % 4000)::text), 1, 6), ' ')
            from generate_series(1, 36) as w)),
         json_build_object('commandId', gen_random_uuid(), 'organisation', 'acme')
       from generate_series($1::int, $2::int) as n, generate_series(0, 1) as e`,
      values: [from, Math.min(from + BATCH - 1, tickets)],
    });
  }
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_size_pretty(pg_total_relation_size('es.event')) as bytes`,
  );
  console.log(`${tickets} tickets, ${2 * tickets} events, ${rows[0]!.bytes} in the database`);
  process.exitCode = await drillCommand({ env: { ...process.env, ATRIUM_DATA: directory } });
} finally {
  await client.end();
  await db.close();
  await postgres.release();
  await rm(directory, { recursive: true, force: true });
}
