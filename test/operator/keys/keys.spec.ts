/** `atrium keys …` and `atrium audit …` beside a running server. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { keyUseCodec } from '../../../src/domain/keys/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { noon } from '../../support/domain/specify.ts';
import { authorityOn, keysOf } from '../../support/log/keys.ts';
import { testApi } from '../../support/api/api.ts';
import { runAtrium, startAtrium, type Environment } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';

const platform = testApi();
let log: EventStore;
let env: Environment;
beforeAll(() => {
  ({ log } = platform);
  env = { DATABASE_URL: platform.databaseUrl };
});

/** Unique to this test. */
let organisation: string;
beforeEach(() => {
  organisation = `org-${randomUUID().slice(0, 8)}`;
});

const atrium = (...words: readonly string[]) => runAtrium(env, ...words);
const mint = (...words: readonly string[]) =>
  atrium('keys', 'mint', '--organisation', organisation, '--label', 'ops', ...words);
const keysShownTo = async (token: string) =>
  (await platform.with(token).get('/api/v1/keys')).body.items;
const sandboxesWith = async (token: string) =>
  (await platform.with(token).get('/api/v1/sandboxes')).status;

describe('atrium keys mint', () => {
  it('prints only the token, which the running server accepts at once', async () => {
    const { code, out, err } = await mint('--scope', 'full');
    expect([code, out]).toEqual([0, expect.stringMatching(/^atr_\w{22}_\w{49}\n$/)]);
    const token = out.trim();
    expect(err).toContain(`key ${token.slice(4, 26)} of ${organisation}, scope full`);
    expect(err).not.toContain(token);
    await expect
      .poll(() => keysShownTo(token))
      .toMatchObject([
        { label: 'ops', scope: 'full', expiresAt: null, createdBy: { kind: 'system' } },
      ]);
  });

  it('with --json prints the key record', async () => {
    const { code, out } = await mint('--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      organisation,
      keyId: expect.stringMatching(/^\w{22}$/),
      label: 'ops',
      scope: 'sandbox',
      status: 'active',
      createdAt: expect.any(String),
      createdBy: { kind: 'system', id: 'atrium-keys' },
      expiresAt: null,
      token: expect.stringMatching(/^atr_/),
    });
  });

  it('counts toward the 5-active-keys limit', async () => {
    const keys = keysOf(log, systemClock, organisation);
    for (let place = 0; place < 5; place += 1) await keys.mint();
    const { code, out, err } = await mint();
    expect([code, out]).toEqual([1, '']);
    const message = 'The organisation has 5 active keys; revoke one first. (KEY_LIMIT_REACHED)';
    expect(err).toBe(`atrium: ${message}\n`);
    const json = await mint('--json');
    expect(JSON.parse(json.err)).toEqual({ error: { code: 'KEY_LIMIT_REACHED', message } });
  });

  it.each([
    ['an unknown scope', ['--scope', 'admin'], 'there is no scope admin'],
    ['a blank label', ['--label', ' '], 'the label must not be blank'],
    ['an organisation with blanks', ['--organisation', 'a b'], 'named by its alias'],
    ['an organisation that is not an alias', ['--organisation', '__proto__'], 'named by its alias'],
  ])('refuses %s in one line', async (_, words, said) => {
    const { code, out, err } = await mint(...words);
    expect([code, out, err.split('\n').length]).toEqual([2, '', 2]);
    expect(err).toContain(said);
  });

  it('with --without-scope records the key as before scopes existed', async () => {
    const { out } = await mint('--without-scope', '--json');
    const { token } = JSON.parse(out) as { token: string };
    const stored = await log.readStream(`keyring-${keyringOf(organisation)}`);
    expect(stored.at(-1)).toMatchObject({ type: 'KeyIssued', meta: { schema: '1' } });
    expect(stored.at(-1)!.data).not.toHaveProperty('scope');
    await expect.poll(() => keysShownTo(token)).toMatchObject([{ scope: 'full' }]);
  });

  it('refuses --without-scope in production', async () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://atrium.test',
      OIDC_ISSUER: 'https://issuer.test',
      ATRIUM_SECRETS_KEY: randomBytes(32).toString('base64'),
    };
    const words = ['keys', 'mint', '--organisation', 'x', '--label', 'x', '--without-scope'];
    const { code, err } = await runAtrium({ ...env, ...production }, ...words);
    expect([code, err]).toEqual([1, 'atrium: --without-scope is for development alone\n']);
  });
});

describe('atrium audit replay', () => {
  it("prints a key's history, and the key as of any time", async () => {
    const keys = keysOf(log, systemClock, organisation);
    const [{ keyId, token }, other] = [await keys.mint(), await keys.mint()];
    expect(await sandboxesWith(token)).toBe(200);
    expect(await sandboxesWith(other.token)).toBe(200);
    const between = systemClock.now();
    await until(() => systemClock.now() > between, 'the next millisecond');
    expect((await platform.with(token).get('/api/v1/keys')).status).toBe(403);
    await keys.revoke(keyId);
    expect(await sandboxesWith(token)).toBe(401);

    const { code, out } = await atrium('audit', 'replay', '--key', keyId);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.slice(0, 5)).toEqual([
      expect.stringMatching(/^2\S+Z {2}issued {2}by user ana$/),
      expect.stringMatching(/Z {2}used {2}allowed {2}GET \/api\/v1\/sandboxes {2}from 127/),
      expect.stringMatching(/Z {2}used {2}denied \(scope\) {2}GET \/api\/v1\/keys {2}from 127/),
      expect.stringMatching(/Z {2}revoked {2}by user ana$/),
      expect.stringMatching(/Z {2}used {2}denied \(revoked\) {2}GET/),
    ]);
    expect(lines[5]).toMatch(new RegExp(`^as of .* the key ${keyId} is revoked$`));

    const then = await atrium('audit', 'replay', '--key', keyId, '--as-of', between, '--json');
    const parsed = then.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(parsed).toMatchObject([
      { action: 'key.issued', keyId },
      { action: 'key.used', outcome: 'allowed' },
      { asOf: between, key: { keyId, organisation, status: 'active', revokedAt: null } },
    ]);
    const { at } = parsed[1] as { at: string };
    expect(parsed[2]).toMatchObject({ key: { lastUsedAt: at } });
  });

  it('prints no control characters that a sender chose', async () => {
    const { keyId, token } = await keysOf(log, systemClock, organisation).mint();
    const use = { needs: null, route: 'GET /x', sourceIp: '::1', userAgent: '\u001B[2J\u009B1m' };
    await authorityOn(log, systemClock).check(token, use);
    const { out } = await atrium('audit', 'replay', '--key', keyId);
    expect(out).toContain('[2J');
    for (const escape of ['\u001B', '\u009B']) expect(out).not.toContain(escape);
  });

  it.each([
    [['--key', 'nonsense'], 2, 'a key id has 22 letters and digits'],
    [['--key', 'a'.repeat(22)], 1, 'there is no key'],
    [['--key', 'a'.repeat(22), '--as-of', 'yesterday'], 2, 'yesterday is no time'],
    [['--key', 'a'.repeat(22), '--as-of', '2026-02-30'], 2, '2026-02-30 is no time'],
    [['--key', 'a'.repeat(22), '--as-of', '9999-12-31T23:00:00-14:00'], 2, 'is no time'],
    [['--key', 'a'.repeat(22), '--as-of', '2999-01-01'], 1, 'is in the future'],
  ])('refuses %j with %i in one line', async (words, expected, said) => {
    const { code, err } = await atrium('audit', 'replay', ...words);
    expect({ code, err }).toEqual({
      code: expected,
      err: expect.stringMatching(/^atrium: [^\n]*\n$/) as string,
    });
    expect(err).toContain(said);
  });

  it('finds no key before it was issued', async () => {
    const { keyId } = await keysOf(log, systemClock, organisation).mint();
    const words = ['--key', keyId, '--as-of', '2020-01-01'];
    const { code, err } = await atrium('audit', 'replay', ...words);
    expect([code, err]).toEqual([1, expect.stringContaining('was not issued before')]);
  });
});

// Each test runs several processes, one after the other.
describe('atrium audit verify', () => {
  const verify = async () => {
    const { code, out } = await atrium('audit', 'verify', '--json');
    return { code, ...(JSON.parse(out) as { differences: string[]; records: number }) };
  };
  const inDatabase = async <Row extends object>(statement: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: platform.databaseUrl });
    await client.connect();
    try {
      return await client.query<Row>(statement, values);
    } finally {
      await client.end();
    }
  };
  const table = async () => {
    const { rows } = await inDatabase<{ schema: string }>(
      `select table_schema as schema from information_schema.tables
       where table_name = 'record' and table_schema like '%audit%'`,
    );
    return `${rows[0]!.schema}.record`;
  };
  const used = async () => {
    const keys = keysOf(log, systemClock, organisation);
    const key = await keys.mint();
    for (let time = 0; time < 3; time += 1) await sandboxesWith(key.token);
    await sandboxesWith(`${key.token}x`);
    return { ...key, keys };
  };

  it('reports that the audit equals the log', async () => {
    await used();
    const { code, out } = await atrium('audit', 'verify');
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^the audit matches the log: \d+ records of \d+ organisations$/),
      expect.stringMatching(/^\d+ records of \d+ journals are chained/),
    ]);
    expect(code).toBe(0);
  });

  it('names a missing, an altered and a surplus record', async () => {
    const { keyId } = await used();
    expect(await verify()).toMatchObject({ code: 0, differences: [] });
    const name = await table();
    const { rows: own } = await inDatabase<{ id: string; action: string }>(
      `select id, action from ${name} where key_id = $1`,
      [keyId],
    );
    const idOf = (action: string) => own.find((row) => row.action === action)!.id;
    const different = (what: string) => ({
      code: 1,
      differences: [expect.stringMatching(new RegExp(`record: 1 keys differ of .*: ${what}$`))],
    });

    const issued = idOf('key.issued');
    await inDatabase(`update ${name} set label = 'forged' where id = $1`, [issued]);
    expect(await verify()).toMatchObject(different(`altered ${issued}`));
    await inDatabase(`update ${name} set label = 'ci' where id = $1`, [issued]);
    expect(await verify()).toMatchObject({ code: 0 });

    const use = idOf('key.used');
    await inDatabase(`create table kept as select * from ${name} where id = $1`, [use]);
    await inDatabase(`delete from ${name} where id = $1`, [use]);
    expect(await verify()).toMatchObject(different(`missing ${use}`));
    await inDatabase(`insert into ${name} select * from kept`);
    expect(await verify()).toMatchObject({ code: 0 });

    const ghost = randomUUID();
    await inDatabase(`update kept set id = $1, organisation_id = 'ghost'`, [ghost]);
    await inDatabase(`insert into ${name} select * from kept`);
    expect(await verify()).toMatchObject(different(`surplus ${ghost}`));
    await inDatabase(`delete from ${name} where id = $1`, [ghost]);
    await inDatabase('drop table kept');
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('names a use allowed after the revocation of its key', async () => {
    const { keyId, keys } = await used();
    await keys.revoke(keyId);
    const id = randomUUID();
    const at = systemClock.now();
    await log.append(useJournal(organisation, at), 'any', [
      keyUseCodec.encode(
        id,
        {
          type: 'KeyUsed',
          outcome: 'allowed',
          reason: null,
          keyId,
          label: 'ci',
          scope: 'sandbox',
          expiresAt: null,
          route: 'GET /api/v1/sandboxes',
          sourceIp: '192.0.2.1',
          userAgent: null,
          keyringRevision: 1,
        },
        { ...noon, commandId: id, at, organisation },
      ),
    ]);
    const { code, differences } = await verify();
    expect(code).toBe(1);
    expect(differences).toEqual([
      expect.stringMatching(
        new RegExp(
          `^key ${keyId} of ${organisation}: the use at position \\d+ is after the key's ` +
            'revocation at position \\d+, and was allowed$',
        ),
      ),
    ]);
  });

  it.each([
    ['SIGINT', 130, 'INTERRUPTED', ['audit', 'verify']],
    ['SIGTERM', 143, 'TERMINATED', ['audit', 'verify']],
    ['SIGINT', 130, 'INTERRUPTED', ['projections', 'verify', 'key-audit']],
  ] as const)('ends at %s with %i, while another process compares', async (...given) => {
    const [signal, exitCode, interruption, words] = given;
    await used();
    const client = new Client({ connectionString: platform.databaseUrl });
    await client.connect();
    try {
      // The lock blocks the comparison in the other process.
      await client.query(`begin; lock table ${await table()} in access exclusive mode`);
      const verifying = startAtrium(env, ...words, '--json');
      await until(() => verifying.err().startsWith('verify '), 'the comparison');
      verifying.process.kill(signal);
      await client.query('rollback');
      const { code, err } = await verifying.ended;
      expect(code).toBe(exitCode);
      const message = expect.stringMatching(/^interrupted/);
      expect(JSON.parse(err.split('\n').at(-2)!)).toEqual({
        error: { code: interruption, message },
      });
    } finally {
      await client.end();
    }
  });

  // The last test: no server feeds the audit from this log any more.
  it('names a gap in the log without waiting for a read model that it blocks', async () => {
    await used();
    await inDatabase(
      `insert into es.event (position, revision, id, stream, type, data, meta)
       select position + 4000, revision + 1, $2, stream, type, data, meta from es.event
       where stream = $1 order by position desc limit 1`,
      [useJournal(organisation, systemClock.now()), randomUUID()],
    );
    const { code, differences } = await verify();
    expect(code).toBe(1);
    expect(differences).toEqual([
      expect.stringMatching(/^the log has a hole between/),
      'the audit was not compared with the log: nothing follows a log that is broken',
    ]);
  });
});

it.each([
  ['keys', 'mint', 'never expires'],
  ['audit', 'replay', 'Issuance and revocation of any age'],
  ['audit', 'verify', 'exit code 1 if it'],
])('atrium %s %s --help describes it', async (...words) => {
  const said = words.pop()!;
  const { code, out } = await atrium(...words, '--help');
  expect([code, out]).toEqual([0, expect.stringContaining(said)]);
});
