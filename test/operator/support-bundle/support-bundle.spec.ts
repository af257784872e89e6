/** `atrium support-bundle`: its sections, and the personal data and secrets it must omit. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { supportBundleCommand } from '../../../src/operator/support-bundle/command.ts';
import { configurationSection } from '../../../src/operator/support-bundle/configuration.ts';
import { scrubbed } from '../../../src/operator/support-bundle/scrub.ts';
import { kindOf } from '../../../src/operator/support-bundle/sections.ts';
import { testApi } from '../../support/api/api.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { runOnce } from '../../support/postgres/database.ts';

const api = testApi();
let directory: string;
beforeAll(() => (directory = temporaryDirectory('bundle')));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Line {
  readonly section: string;
  readonly value?: unknown;
  readonly error?: string;
}

const made = async (name: string, over: Record<string, string>, log?: string) => {
  const file = join(directory, name);
  const { port } = new URL(api.address);
  const env = {
    DATABASE_URL: api.databaseUrl,
    OIDC_ISSUER: api.issuer.url,
    ATRIUM_DATA: directory,
    PORT: port,
    ...over,
  };
  expect(await supportBundleCommand({ file, env, ...(log && { log }) })).toBe(0);
  const text = gunzipSync(readFileSync(file)).toString();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { file, text, sections: new Map(lines.map((line) => [line.section, line])) };
};

/** Secrets planted where the platform, its database or its environment could leak them. */
const planted = {
  secretsKey: Buffer.from('planted-key-planted-key-planted-').toString('base64'),
  natsPassword: 'planted-nats-1',
  otherNatsPassword: 'planted-nats-2',
  awsSecret: 'planted-aws-secret',
  reporterName: 'Wilhelmina Plantagenet',
  reporterMail: 'wilhelmina@planted.example',
  ticketText: 'planted words of a person',
  parkedReason: 'planted body of a parked event',
  consumerError: 'planted body of an error',
  logMessage: 'planted body in a line of the log',
  logPlain: 'planted line that is no JSON',
};

it('has every section, and none of the planted secrets', async () => {
  const buildingId = await api.importBuilding();
  const ticket = await api.as('agent@acme.test').post('/api/service-desk/requests', {
    buildingId,
    subject: planted.ticketText,
    description: `${planted.ticketText}, says ${planted.reporterName}`,
    reporterName: planted.reporterName,
    reporterEmail: planted.reporterMail,
  });
  expect(ticket.status).toBe(201);
  const key = await api.as('manager@acme.test').post('/api/v1/keys', { label: 'planted' });
  expect(key).toMatchObject({ status: 201 });
  const minted = JSON.stringify(key.body);
  const [apiKey] = /atr_\w+/.exec(minted)!;
  const stream = `ticket-${ticket.body.id}`;
  await runOnce(
    api.databaseUrl,
    `insert into consumers.parked
       (consumer, lane, stream, event_id, revision, position, reason, parked_at)
     values ('projection/ticket-list@1', '${stream}', '${stream}', gen_random_uuid(), 1, '1',
             'TypeError: ${planted.parkedReason}', now())`,
  );
  await runOnce(
    api.databaseUrl,
    `update consumers.checkpoint set last_error = 'TypeError: ${planted.consumerError}'`,
  );
  const log = join(directory, 'server.log');
  const err = { type: 'RangeError', message: planted.logMessage, code: '22003' };
  const line = { level: 50, time: 1, msg: 'request failed', err, by: planted.reporterMail };
  writeFileSync(log, `${JSON.stringify(line)}\n${planted.logPlain}\n`);

  const { file, text, sections } = await made(
    'whole.gz',
    {
      ATRIUM_SECRETS_KEY: planted.secretsKey,
      NATS_URL:
        `nats://atrium:${planted.natsPassword}@127.0.0.1:1,` +
        `nats://atrium:${planted.otherNatsPassword}@127.0.0.1:2`,
      AWS_SECRET_ACCESS_KEY: planted.awsSecret,
    },
    log,
  );
  const given = Object.entries({ ...planted, apiKey });
  expect(given.filter(([, secret]) => text.includes(secret))).toEqual([]);
  expect(text).not.toMatch(/planted/i);

  expect([...sections.keys()]).toEqual([
    'bundle',
    'installation',
    'machine',
    'configuration',
    'doctor',
    'database',
    'parked',
    'consumers',
    'metrics',
    'log',
  ]);
  const valueOf = (section: string) => sections.get(section)!.value;
  expect(valueOf('configuration')).toMatchObject({
    ATRIUM_SECRETS_KEY: 'set',
    NATS_URL: 'nats://127.0.0.1:1,nats://127.0.0.1:2',
    EVENTSTORE_URL: 'not set',
  });
  expect(valueOf('parked')).toContainEqual(expect.objectContaining({ stream }));
  const consumers = valueOf('consumers') as { name: string; lastError: string | null }[];
  expect(consumers.map(({ name }) => name)).toContain('ticket-list');
  // A consumer that has recovered meanwhile has no error any more.
  for (const { lastError } of consumers) expect([null, 'TypeError']).toContain(lastError);
  expect(valueOf('log')).toEqual({
    lines: [
      { level: 50, time: 1, msg: 'request failed', err: { type: 'RangeError', code: '22003' } },
    ],
    others: 1,
  });
  expect(valueOf('database')).toMatchObject({
    version: expect.any(String),
    tables: expect.arrayContaining([expect.objectContaining({ schema: 'es' })]),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('names unavailable parts, and has the rest', async () => {
  const DATABASE_URL = 'postgres://atrium:planted-pg,planted-too@127.0.0.1:1/atrium';
  const { text, sections } = await made('away.gz', { DATABASE_URL }, join(directory, 'no.log'));
  expect(text).not.toContain('planted');
  for (const away of ['database', 'parked', 'consumers', 'log'])
    expect(sections.get(away)!.error).toMatch(/\w/);
  for (const there of ['installation', 'machine', 'configuration', 'doctor'])
    expect(sections.get(there)!.value).toBeDefined();
  expect(sections.get('configuration')!.value).toMatchObject({
    DATABASE_URL: 'postgres://127.0.0.1:1',
  });
});

it.each([
  ['DATABASE_URL', 'postgres://u:a,b@c@db:5432/atrium', 'postgres://db:5432'],
  ['DATABASE_URL', 'postgres://db/atrium?user=u&password=a@b', 'set'],
  ['EVENTSTORE_URL', 'esdb://u:a,b@one:2113,two:2113?tls=false', 'esdb://one:2113,two:2113'],
  ['NATS_URL', 'nats://u:a@one:4222, nats://b@two', 'nats://one:4222,nats://two'],
])('shows of %s=%s only %s', (name, value, shown) =>
  expect(configurationSection({ [name]: value })[name]).toBe(shown),
);

it('stays JSON where a password is a part of it', async () => {
  const DATABASE_URL = 'postgres://atrium:1@127.0.0.1:1/atrium';
  const { text, sections } = await made('short.gz', { DATABASE_URL });
  expect(text).not.toContain(':1@');
  expect(sections.get('machine')!.value).toMatchObject({ versions: process.versions });
});

it('has the metrics of a server that listens on an address of its own', async () => {
  const server = createServer((_, response) => response.end('# HELP a_total\na_total 1\n'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.2', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { sections } = await made('host.gz', { HOST: '127.0.0.2', PORT: String(port) });
  expect(sections.get('metrics')).toMatchObject({ value: ['a_total 1'] });
});

it('overwrites no file', async () => {
  const file = join(directory, 'kept.gz');
  writeFileSync(file, 'mine');
  await expect(supportBundleCommand({ file, env: { ATRIUM_DATA: directory } })).rejects.toThrow(
    'EEXIST',
  );
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it.each([
  ['RangeError: planted words', 'RangeError'],
  ['planted words', 'an error'],
])('has of the error %s only its kind', (error, kind) => expect(kindOf(error)).toBe(kind));

it.each([
  ['postgres://a:b@c/d at postgres://e:f@g/h', 'postgres://***@c/d at postgres://***@g/h'],
  ['from ada@lovelace.example.org, please', 'from ***, please'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ['eyJhbGciOi.eyJzdWI.c2ln!', '***!'],
  ['atr_0123456789ab_secret and whsec_abc+/=', '*** and ***'],
  ['projection/ticket-list@7 is 61.0 s behind', 'projection/ticket-list@7 is 61.0 s behind'],
])('scrubs %s', (text, left) => expect(scrubbed(text)).toBe(left));
