/**
 * The cost of the audit's chains on the embedded log: records of key use are followed and chained,
 * against draining the same subscription without work; then they are verified against the chains.
 *
 *     node bench/audit-chain.ts [records]
 *
 * CPU is that of this process and of Postgres. Hashing alone is measured on records in memory.
 */
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'pg';
import { keyringAnnouncements } from '../src/identity/keys/key-use-log.ts';
import { leases as leasesIn } from '../src/engine/consumers/leases.ts';
import { consumers as consumersOf } from '../src/engine/consumers/runtime.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { chainedCategories } from '../src/domain/keys/audit-chain.ts';
import { useJournal } from '../src/domain/keys/journals.ts';
import { checkJournal } from '../src/operator/audit-chain/journal-check.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { AUDIT_CHAINING, auditChaining } from '../src/processes/keys/audit-chaining.ts';
import { chainStart, headAfter, linkOf } from '../src/use-cases/keys/audit-chain.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { keyIssued } from '../test/support/log/key-audit.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';

const JOURNALS = 50;
const APPEND_RECORDS = 100;
const records = Number(process.argv[2] ?? 50_000);

const cluster = await benchCluster();
const url = await cluster.database('bench');
await prepareLog(url);
const setUp = new Pool({ connectionString: url, max: 2 });
await migrate(setUp, migrations);
await setUp.end();
const log = postgresEventStore({ url });
const logger = loggerOf('silent');
const db = openDatabase({ url, logger });
const leases = leasesIn({ db, logger });
const consumers = consumersOf({ log, db, leases, clock: systemClock, logger });

const at = systemClock.now();
for (let journal = 0; journal < JOURNALS; journal += 1) {
  const key = await keyIssued(log, `org-${journal}`, at);
  for (let n = 0; n < records / JOURNALS; n += APPEND_RECORDS)
    await key.usedBefore(Array.from({ length: APPEND_RECORDS }, () => key.use(at)));
}
const { position: head } = await log.head();

const measured = async (what: string, work: () => Promise<void>) => {
  const [node, postgres] = [processUs(process.pid), treeUs(cluster.postmaster)];
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  return {
    what,
    'a second': Math.round((records / ms) * 1_000),
    'CPU µs, process': ((processUs(process.pid) - node) / records).toFixed(1),
    'CPU µs, Postgres': (((treeUs(cluster.postmaster) ?? 0) - (postgres ?? 0)) / records).toFixed(
      1,
    ),
  };
};

const drain = async () => {
  const ended = new AbortController();
  const options = { categories: chainedCategories, signal: ended.signal };
  for await (const { upTo } of consumers.reader.subscribe(null, options))
    if (log.compare(upTo, head) >= 0) ended.abort();
};

const chain = async () => {
  const ended = new AbortController();
  const running = consumers.start(
    [
      auditChaining(consumers, keyringAnnouncements({ log, clock: systemClock }), {
        delayMs: 1_000,
      }),
    ],
    ended.signal,
  );
  for (;;) {
    const [status] = await consumers.status([AUDIT_CHAINING]);
    if (log.compare(status!.reached.position, head) >= 0) break;
    await setTimeout(50);
  }
  ended.abort();
  await running;
};

const inMemory = (await log.readStream(useJournal('org-0', at), { limit: APPEND_RECORDS })).slice();
const arithmetic = async () => {
  let hash = chainStart('keyuse-org-0');
  for (let n = 0; n < records; n += 1)
    hash = headAfter(hash, linkOf(inMemory[n % inMemory.length]!));
};

const verify = async () => {
  for (let journal = 0; journal < JOURNALS; journal += 1) {
    const stream = useJournal(`org-${journal}`, at);
    const { chained, differences } = await checkJournal(stream, {
      log,
      followed: head,
      against: null,
    });
    if (differences.length > 0 || chained < records / JOURNALS) throw new Error(stream);
  }
};

const rows = [
  await measured('drained', drain),
  await measured('chained', chain),
  await measured('held against their chains', verify),
  await measured('arithmetic alone', arithmetic),
];
console.table(rows);
const chainBytes = await db.pool.query<{ bytes: number }>(
  `select sum(octet_length(data::text) + octet_length(meta::text))::float8 as bytes from es.event
   where stream like 'auditchain-%'`,
);
console.log(`${(chainBytes.rows[0]!.bytes / records).toFixed(0)} bytes of chain a record`);
await leases.close();
await log.close();
await db.close();
await cluster.stop();
