/** `atrium audit key|checkpoint|verify`, and rows of the log edited by a superuser. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyringAnnouncements } from '../../../src/identity/keys/key-use-log.ts';
import { chainOf } from '../../../src/domain/keys/audit-chain.ts';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import { auditChaining } from '../../../src/processes/keys/audit-chaining.ts';
import { keyAudit } from '../../../src/projections/keys/key-audit.ts';
import { readModels } from '../../../src/engine/projections/read-models.ts';
import { chainFrom } from '../../../src/use-cases/keys/audit-chain.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { testConsumers } from '../../support/consumers/consumers.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';
import { keyIssued } from '../../support/log/key-audit.ts';
import { runAtrium, startAtrium } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';

const RECORDS = 10;
const at = systemClock.now();
const organisations = ['changed', 'removed', 'inserted', 'cut', 'missing', 'both', 'end'] as const;
const journalOf = (organisation: (typeof organisations)[number]) => useJournal(organisation, at);
let fresh: FreshLog;
let directory: string;
/** The ids of records by journal. */
const ids = new Map<string, readonly string[]>();

const file = (name: string) => join(directory, name);
const atrium = (...words: readonly string[]) =>
  runAtrium({ ...fresh.env, ATRIUM_DATA: directory }, 'audit', ...words);
const verify = async (...words: readonly string[]) => {
  const { code, out } = await atrium('verify', '--json', ...words);
  return { code, ...(JSON.parse(out) as { differences: string[]; chains: { notes: string[] } }) };
};
const bySuperuser = async (statement: string, values: readonly unknown[] = []) => {
  const client = new Client({ connectionString: fresh.url });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  fresh = await freshLog();
  directory = temporaryDirectory('audit');
  const { log, url } = fresh;
  // As a server does when it starts: the events cut later do not include the log's identity.
  await logIdentity(log);
  for (const organisation of organisations) {
    const key = await keyIssued(log, organisation, at);
    await key.usedBefore(Array.from({ length: RECORDS }, () => key.use(at)));
  }
  const follower = testConsumers(url, log);
  const { consumers } = follower;
  const models = readModels({ projections: [keyAudit], consumers });
  follower.start([
    auditChaining(consumers, keyringAnnouncements({ log, clock: systemClock }), { delayMs: 5 }),
    ...models.runners,
  ]);
  for (const organisation of organisations) {
    const journal = journalOf(organisation);
    ids.set(
      journal,
      (await log.readStream(journal)).map(({ id }) => id),
    );
    await until(
      async () => (await Array.fromAsync(chainFrom(log, journal))).length > 0,
      `the chain of ${journal}`,
    );
  }
  await until(async () => (await models.ready()) === true, 'the audit');
  await follower.stop();
});
afterAll(() => fresh.drop());

it('creates the key once, readable only by its owner, and prints the public key', async () => {
  const { code, err } = await atrium('checkpoint');
  expect([code, err]).toEqual([1, expect.stringContaining('make a key with: atrium audit key')]);
  const [made, found] = [await atrium('key'), await atrium('key')];
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('BEGIN PUBLIC KEY') });
  expect([made.err, found.err]).toEqual([
    expect.stringMatching(/^made .*audit\.key, SHA256:/),
    expect.stringMatching(/^found .*audit\.key, SHA256:/),
  ]);
  expect(found.out).toBe(made.out);
  expect(statSync(file('audit.key')).mode & 0o777).toBe(0o600);
  writeFileSync(file('public.pem'), made.out);
});

it('signs the chains, and finds an untouched log in order', async () => {
  const { code, out, err } = await atrium('checkpoint', '--to', file('checkpoint'));
  expect([code, out]).toEqual([0, '']);
  expect(err).toMatch(/^84 records of 14 journals, SHA-256 \w{64}, signed by SHA256:/);
  const verdict = await verify('--against', file('checkpoint'), '--public-key', file('public.pem'));
  expect(verdict).toMatchObject({
    code: 0,
    differences: [],
    chains: { journals: 14, records: 84, waiting: 0 },
  });
  expect(verdict.chains.notes).toEqual([expect.stringMatching(/^held against the checkpoint of/)]);
});

it('prints a checkpoint, and ends silently where the reader has closed the pipe', async () => {
  const command = startAtrium({ ...fresh.env, ATRIUM_DATA: directory }, 'audit', 'checkpoint');
  command.process.stdout!.destroy();
  expect(await command.ended).toMatchObject({ code: 0, err: '' });
});

it('refuses a checkpoint that was changed, or signed by another key', async () => {
  const text = readFileSync(file('checkpoint'), 'utf8');
  writeFileSync(file('edited'), text.replace('"records":10', '"records":11'));
  const edited = await atrium('verify', '--against', file('edited'));
  expect([edited.code, edited.err]).toEqual([
    1,
    expect.stringContaining('is no checkpoint as it was signed'),
  ]);
  const { out } = await atrium('key', '--key', file('other.key'));
  writeFileSync(file('other.pem'), out);
  const words = ['--against', file('checkpoint'), '--public-key', file('other.pem')];
  const { code, err } = await atrium('verify', ...words);
  expect([code, err]).toEqual([1, expect.stringMatching(/was signed by SHA256:.*other\.pem is/)]);
});

it('names the records that a superuser has changed, removed, inserted and cut', async () => {
  const event = 'es.event';
  await bySuperuser(
    `update ${event} set data = replace(data::text, '192.0.2.7', '192.0.2.8')::json
     where stream = $1 and revision = 3`,
    [journalOf('changed')],
  );
  await bySuperuser(`delete from ${event} where stream = $1 and revision = 4`, [
    journalOf('removed'),
  ]);
  // Shifts later records from the end on, and inserts the forged one at the free revision.
  for (let revision = RECORDS - 1; revision >= 5; revision -= 1)
    await bySuperuser(
      `update ${event} set revision = revision + 1 where stream = $1 and revision = $2`,
      [journalOf('inserted'), revision],
    );
  const GHOST = '11111111-1111-4111-8111-111111111111';
  await bySuperuser(
    `insert into ${event} (position, revision, id, stream, type, data, meta)
     select (select max(position) + 1 from ${event}), 5, $2, stream, type, data, meta
     from ${event} where stream = $1 and revision = 0`,
    [journalOf('inserted'), GHOST],
  );
  await bySuperuser(`delete from ${event} where stream = $1 and revision >= 7`, [journalOf('cut')]);
  await bySuperuser(`delete from ${event} where stream = any ($1)`, [
    [journalOf('missing'), chainOf(journalOf('missing'))],
  ]);
  const of = (organisation: (typeof organisations)[number], revision: number) =>
    ids.get(journalOf(organisation))![revision]!;
  const named = [
    `${journalOf('changed')}, revision 3: the record ${of('changed', 3)} was changed`,
    `${journalOf('removed')}, revision 4: the record ${of('removed', 4)} was removed`,
    `${journalOf('inserted')}, revision 5: the record ${GHOST} was inserted`,
    `${journalOf('cut')} was cut: its records from revision 7 to 9 are gone: ` +
      [7, 8, 9].map((revision) => of('cut', revision)).join(', '),
    `${journalOf('missing')} is missing: 10 records`,
  ];

  const leftGaps = await verify('--against', file('checkpoint'));
  expect(leftGaps.code).toBe(1);
  expect(leftGaps.differences).toEqual(expect.arrayContaining(named));
  expect(leftGaps.differences.join()).toContain('the log has a hole');

  // More careful: makes the log treat the gaps as those of retention.
  await bySuperuser('update es.watermark set up_to = (select max(position) from es.event)');
  const careful = await verify('--against', file('checkpoint'));
  expect(careful.code).toBe(1);
  expect(careful.differences).toEqual(expect.arrayContaining(named));
  expect(careful.differences.filter((line) => line.startsWith('keyuse-'))).toHaveLength(
    named.length,
  );
});

it('finds records cut together with their chain by the checkpoint', async () => {
  const journal = journalOf('both');
  await bySuperuser('delete from es.event where stream = $1', [chainOf(journal)]);
  await bySuperuser(`delete from es.event where stream = $1 and revision >= 6`, [journal]);
  const { differences } = await verify('--against', file('checkpoint'));
  expect(differences).toContainEqual(expect.stringContaining(`${journal} was cut, and its chain`));
});

it("names records cut at the log's end, though the audit table has them", async () => {
  const journal = journalOf('end');
  // The last records, and all chain links, which were appended after them.
  await bySuperuser(
    `delete from es.event where position >=
       (select position from es.event where stream = $1 and revision = 8)`,
    [journal],
  );
  const { code, differences } = await verify('--against', file('checkpoint'));
  expect(code).toBe(1);
  expect(differences).toContainEqual(
    expect.stringMatching(
      `^${RegExp.escape(journal)} was cut, and its chain too: .* goes up to revision 9, ` +
        'the chain up to none$',
    ),
  );
  expect(differences.at(-1)).toMatch(
    /^the audit was not compared with the log: the event log is older than what was built from it/,
  );
});

it('atrium audit checkpoint --help describes it', async () => {
  const { code, out } = await atrium('checkpoint', '--help');
  expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining('store them outside this installation'),
  ]);
});
