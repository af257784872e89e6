/** The commands for users, run as processes. contract.md section 10. */
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { instantBuilder } from '../support/api/instant-builder.ts';
import { commandLine, followed } from '../support/cli/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium } from '../support/servers/cli.ts';
import { freePort } from '../support/servers/port.ts';
import { programEnvironment } from '../support/servers/environment.ts';

const platform = testApi(() => ({ sandboxBuilder: instantBuilder() }));
const { as, withToken, environment } = commandLine(platform);
const home = temporaryDirectory('cli');
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const namesIn = (printed: Record<string, unknown>, member: string) =>
  (printed['items'] as Record<string, string>[]).map((item) => item[member]);

describe('atrium sandbox', () => {
  const developer = (...words: readonly string[]) => as('developer@acme.test', 'sandbox', ...words);

  it('creates with every shaping option of the interface', async () => {
    const shape = `--type mall --storeys 4 --area 2500.5 --ttl-days 3 --telemetry-days 0
      --spaces-min 2 --spaces-max 5 --density dense --occupancy 24x7 --seed s-1
      --time-zone Asia/Kolkata --fault-kinds night-fan silent-sensor
      --no-live-telemetry`.split(/\s+/);
    const { code, json } = await developer('create', '--name', 'Shaped', ...shape);
    expect(code).toBe(0);
    const { parameters, expiresAt, createdAt } = json() as Record<string, string>;
    expect(parameters).toEqual({
      buildingType: 'mall',
      storeys: 4,
      areaSqm: 2500.5,
      seedTelemetryDays: 0,
      spacesMin: 2,
      spacesMax: 5,
      equipmentDensity: 'dense',
      occupancyProfile: '24x7',
      seed: 's-1',
      liveTelemetry: false,
      timeZone: 'Asia/Kolkata',
      faultKinds: ['night-fan', 'silent-sensor'],
    });
    const sound = await developer('create', '--name', 'Sound', '--fault-kinds', 'none');
    expect(sound.json()).toMatchObject({ parameters: { faultKinds: [] } });
    const { sandboxId } = sound.json() as { readonly sandboxId: string };
    expect(await developer('delete', sandboxId, '--yes')).toMatchObject({ code: 0 });
    expect(Date.parse(expiresAt!) - Date.parse(createdAt!)).toBe(3 * 86_400_000);
  });

  it('exits with 3 while provisioning continues, and prints how to wait again', async () => {
    const late = await developer('create', '--name', 'waits', '--wait', '--timeout', '0');
    expect([late.code, late.out]).toEqual([3, '']);
    const again = /wait again with: atrium sandbox (get sbx_\w+) --wait\n$/.exec(late.err)![1]!;
    const got = await developer(...again.split(' '));
    expect(got.json()).toMatchObject({ name: 'waits', status: 'provisioning' });
    const { sandboxId } = got.json() as Record<string, string>;
    expect(await developer('delete', sandboxId!, '--yes')).toMatchObject({ code: 0 });
  });

  it('is found by id, slug or name, extended, reset and deleted', async () => {
    const made = (await developer('create', '--name', 'Kept', '--ttl-days', '2')).json();
    const { sandboxId, slug, expiresAt } = made as Record<string, string>;
    await followed(
      () => developer('get', slug!),
      ({ status }) => status === 'ready',
    );
    const extended = (await developer('extend', slug!, '--days', '5')).json();
    expect(Date.parse(String(extended['expiresAt'])) - Date.parse(expiresAt!)).toBe(5 * 86_400_000);
    expect(await developer('reset', 'Kept')).toMatchObject({ code: 2, out: '' });
    expect((await developer('reset', 'Kept', '--yes')).json()).toMatchObject({ sandboxId });
    expect((await developer('open', 'Kept')).json()).toEqual({
      url: `http://${slug}.sandbox.test/`,
    });
    expect((await developer('open', sandboxId!, '--docs')).json()).toEqual({
      url: `http://${slug}.sandbox.test/docs`,
    });
    expect(await developer('delete', 'Kept')).toMatchObject({ code: 2, out: '' });
    expect((await developer('delete', sandboxId!, '--yes')).json()).toEqual({
      sandboxId,
      deleted: true,
    });
    await followed(
      () => developer('list'),
      (list) => namesIn(list, 'name').join() === 'Shaped',
    );
    const gone = await developer('get', 'Kept');
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('no sandbox') });
  });

  it('is not guessed where several have the name: they are listed', async () => {
    const other = platform.as('developer2@acme.test');
    const made = await Promise.all(
      [1, 2].map(async () => (await other.post('/api/v1/sandboxes', { name: 'Twin' })).body),
    );
    const listed = async () => (await other.get('/api/v1/sandboxes')).body.items.length;
    await expect.poll(listed).toBe(2);
    const refused = await as('developer2@acme.test', 'tickets', 'list', '--sandbox', 'Twin');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('2 sandboxes are called Twin');
    for (const { slug, sandboxId } of made) expect(refused.err).toContain(`${slug} (${sandboxId})`);
    const none = await as('developer2@acme.test', 'tickets', 'list', '--sandbox', 'sbx_none');
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('atrium sandbox list') });
  });
});

describe('atrium keys', () => {
  it('lists and revokes, with a key that may', async () => {
    const manager = platform.as('manager@acme.test');
    const { body: full } = await manager.post('/api/v1/keys', { label: 'ops', scope: 'full' });
    const { body: other } = await manager.post('/api/v1/keys', { label: 'ci', scope: 'sandbox' });
    await followed(
      () => withToken(full.token, 'keys', 'list'),
      (list) => ['ci', 'ops'].every((label) => namesIn(list, 'label').includes(label)),
    );

    const denied = await withToken(other.token, 'keys', 'list');
    expect(denied).toMatchObject({ code: 1, out: '' });
    expect(denied.err).toContain('(SCOPE_DENIED)');
    expect(await withToken(full.token, 'keys', 'revoke', other.keyId)).toMatchObject({ code: 2 });
    const revoked = await withToken(full.token, 'keys', 'revoke', other.keyId, '--yes');
    expect(revoked.json()).toEqual({ keyId: other.keyId, status: 'revoked' });
    const after = await withToken(other.token, 'sandbox', 'list');
    expect(after).toMatchObject({ code: 4, err: expect.stringContaining('(KEY_REVOKED)') });
  });

  it('mints one for who is signed in, and prints its token alone, once', async () => {
    const mint = (...words: readonly string[]) =>
      as('developer@acme.test', 'keys', 'mint', '--label', 'script', ...words);
    const minted = await mint('--expires-in-days', '30', '--idempotency-key', 'm-1');
    expect(minted.out).toMatch(/^atr_\w+\n$/);
    expect(minted.err).toMatch(/^Key \w{22}, scope sandbox, expires .+ printed only once:\n$/);
    const token = minted.out.trim();
    expect(await withToken(token, 'sandbox', 'list')).toMatchObject({ code: 0 });
    const again = await mint('--expires-in-days', '30', '--idempotency-key', 'm-1');
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toMatch(/only the first answer had its token; .+ atrium keys revoke \w{22},/);
    const whole = (await mint('--scope', 'full', '--json')).json();
    expect(whole).toMatchObject({ label: 'script', scope: 'full' });
    expect(whole.token).toMatch(/^atr_/);
    const byKey = await withToken(whole.token, 'keys', 'mint', '--label', 'x');
    expect(byKey).toMatchObject({ code: 1, err: expect.stringContaining('(SCOPE_DENIED)') });
  });

  it('keeps the ways to mint of users and of operators apart', async () => {
    const mint = (...words: readonly string[]) =>
      as('developer@acme.test', 'keys', 'mint', ...words);
    const both = await mint('--label', 'x', '--organisation', 'acme', '--expires-in-days', '3');
    expect(both).toMatchObject({ code: 2, out: '' });
    expect(both.err).toContain('not with --organisation: --expires-in-days');
    const neither = await mint('--label', 'x', '--without-scope');
    expect(neither.err).toContain('only with --organisation: --without-scope');
  });
});

describe('atrium tickets', () => {
  const agent = (...words: readonly string[]) => as('agent@acme.test', 'tickets', ...words);

  it('raises a ticket once under a key, finds it by number, and moves it', async () => {
    const words = ['create', '--description', 'Too \u001b[2Jwarm', '--priority', 'high'];
    const raised = (await agent(...words, '--idempotency-key', 'k-1')).json();
    expect(raised).toMatchObject({ buildingId, priority: 'high', state: 'new' });
    expect((await agent(...words, '--idempotency-key', 'k-1')).json()).toEqual(raised);
    const number = String(raised['number']);
    const got = await followed(() => agent('get', number.toLowerCase()));
    expect(got).toMatchObject({ id: raised['id'] });
    const moved = await agent('transition', number, 'triaged', '--note', 'Looked at.');
    expect(moved.json()).toMatchObject({ state: 'triaged' });
    const refused = await agent('transition', number, 'closed');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('(TRANSITION_NOT_ALLOWED)');
    await followed(
      () => agent('list', '--state', 'triaged,waiting', '--search', 'warm'),
      (list) => namesIn(list, 'number').join() === number,
    );
    expect((await agent('list', '--overdue', '--limit', '1')).json()).toEqual({ items: [] });
  });

  const hasTerminal = spawnSync('script', ['--version']).status === 0;

  it.skipIf(!hasTerminal)('prints a table, without control characters', async () => {
    const program = fileURLToPath(new URL('../../packages/cli/src/atrium.ts', import.meta.url));
    const command = `${process.execPath} ${program} tickets list --search warm`;
    const env = {
      ...programEnvironment(),
      ...environment(await platform.issuer.tokenOf('agent@acme.test')),
    };
    const script = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: 'pipe' });
    script.stdin.end();
    expect(await text(script.stdout)).toMatch(
      /NUMBER.*STATE.*PRIORITY.*SUBJECT.*\r?\n.*SR-\d+ .*Too +\[2Jwarm/,
    );
  });
});

describe('the words', () => {
  it('have help with examples', async () => {
    const create = await runAtrium({}, 'sandbox', 'create', '--help');
    expect(create.out).toContain('Examples:\n  $ atrium sandbox create');
  });

  it('without a credential end with 4', async () => {
    const { code, out, err } = await runAtrium({ XDG_CONFIG_HOME: home }, 'keys', 'list');
    expect([code, out]).toEqual([4, '']);
    expect(err).toBe('atrium: not signed in; run atrium login, or set ATRIUM_TOKEN\n');
  });

  it('to a server that is not there say so', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const env = { ATRIUM_TOKEN: 't', ATRIUM_URL: nowhere, XDG_CONFIG_HOME: home };
    const { code, err } = await runAtrium(env, 'whoami');
    expect([code, err]).toEqual([1, `atrium: no server answers at ${nowhere}\n`]);
  });
});
