/**
 * The log of a platform is restored from a backup that is older than its database, as an operator
 * does it: the same on every log.
 */
import { expect } from 'vitest';
import { runAtrium } from '../support/servers/cli.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import type { Servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, listed, REQUESTS, settled } from '../support/servers/ticket-load.ts';
import { readFeed } from '../support/feed.ts';

const MANAGER = 'manager@acme.test';
const CHANGES = '/api/service-desk/changes';
const KEYS = '/api/v1/keys';
const AUDIT = '/api/v1/keys/audit';

export interface Rehearsal {
  readonly env: Record<string, string>;
  readonly running: Servers;
  /** Copies the log while no server runs. */
  readonly backUp: () => Promise<void>;
  /** Replaces the log by the copy. */
  readonly putBack: () => Promise<void>;
}

export const rehearseRestore = async ({ env, running, backUp, putBack }: Rehearsal) => {
  let server = await running.start(env);
  const kept = await raised(server, 3);
  const revoked = await minted(server, 'revoked', 'full');
  await settled(server);
  await server.signal('SIGTERM');
  await backUp();

  server = await running.start(env);
  const keyLost = await mint(server, 'lost');
  expect((await withKey(server, revoked.token)).status).toBe(200);
  const ended = await server.call(MANAGER, 'DELETE', `/api/v1/keys/${revoked.keyId}`);
  expect(ended.status).toBe(204);
  expect((await withKey(server, revoked.token)).status).toBe(401);
  const { revokedAt } = await keyOf(server, revoked.keyId);
  const lost = await raised(server, 5);
  const settledTickets = await settled(server);
  const { end: changes } = await followed(server, CHANGES, '0');
  const { end: audit } = await followed(server, AUDIT, 'start');
  await server.signal('SIGTERM');
  await putBack();

  server = await running.spawn(env);
  await expect.poll(() => reasonsOf(server)).toContain('give the command: atrium log restored');
  const buildingId = await buildingOf(server);
  const refused = await server.call(AGENT, 'POST', REQUESTS, { body: ticketIn(buildingId) });
  expect(refused.status).toBe(503);
  const before = {
    status: (await server.call(AGENT, 'GET', `${CHANGES}?after=${changes}`)).status,
  };
  expect(before).toEqual({ status: 503 });
  const second = await running.spawn({ ...env, ATRIUM_ROLES: 'api' });
  await expect.poll(() => reasonsOf(second)).toContain('atrium log restored');
  for (const one of [server, second]) expect((await withKey(one, revoked.token)).status).toBe(503);
  await second.signal('SIGTERM');

  const rehearsed = await runAtrium(env, 'log', 'restored', '--dry-run');
  expect(rehearsed).toMatchObject({ code: 0, out: expect.stringContaining('5 tickets are lost') });
  expect(rehearsed.out).toContain(`key ${revoked.keyId} of acme was revoked at ${revokedAt}`);
  expect(rehearsed.out).toContain(`key ${keyLost} of acme (lost) is lost`);
  expect(rehearsed.out).toContain('nothing was changed');
  expect(await reasonsOf(server)).toContain('atrium log restored');
  // It is the reason of refused requests, and of a start that is not ready after ten seconds.
  const said = server
    .output()
    .split('\n')
    .filter((line) => line.includes('atrium log restored'))
    .filter((line) => !/"(request could|Atrium is not ready)/.test(line));
  expect(said).toHaveLength(1);

  const restored = await runAtrium(env, 'log', 'restored', '--skip-numbers', '7');
  expect(restored).toMatchObject({ code: 0, err: '' });
  expect(restored.out.replace('nothing was changed', '')).toContain('5 tickets are lost');
  await server.ready();

  const shown = new Set((await settled(server)).map(({ id }) => id));
  expect(kept.filter((id) => !shown.has(id))).toEqual([]);
  expect(lost.filter((id) => shown.has(id))).toEqual([]);

  const [id] = await raised(server, 1);
  const ticket = (await server.call(AGENT, 'GET', `${REQUESTS}/${id}`)).body;
  const highest = Math.max(...settledTickets.map(({ number }) => numberIn(number)));
  expect(numberIn(ticket.number)).toBe(highest + 8);

  const gone = await server.call(AGENT, 'GET', `${CHANGES}?after=${changes}`);
  expect(gone).toMatchObject({ status: 410, body: { code: 'CURSOR_LOST' } });
  const again = await followed(server, CHANGES, gone.body.restartAt);
  const changed = again.items.map(({ ticketId }) => ticketId);
  // The SLA clocks of other tickets continue.
  expect(changed.filter((one) => !shown.has(one))).toEqual([id]);
  const next = await server.call(AGENT, 'GET', `${CHANGES}?after=${again.end}`);
  expect(next.status).toBe(200);

  const keyId = await mint(server, 'after the restore');
  const auditGone = await server.call(MANAGER, 'GET', `${AUDIT}?after=${audit}`);
  expect(auditGone).toMatchObject({ status: 410, body: { code: 'CURSOR_LOST' } });
  const recorded = async () => {
    const path = `${AUDIT}?after=${auditGone.body.restartAt}`;
    return (await server.call(MANAGER, 'GET', path)).body.items;
  };
  const recordedAgain = { action: 'key.revoked', keyId: revoked.keyId, reason: 'restored' };
  await expect.poll(recorded).toMatchObject([
    { ...recordedAgain, at: revokedAt, actor: { kind: 'user' } },
    { action: 'key.issued', keyId },
  ]);
  const denied = await withKey(server, revoked.token);
  expect(denied).toMatchObject({ status: 401, body: { code: 'KEY_REVOKED' } });
  expect(await keyOf(server, revoked.keyId)).toMatchObject({ status: 'revoked', revokedAt });

  const busy = await runAtrium(env, 'log', 'restored');
  expect(busy).toMatchObject({ code: 1, err: expect.stringContaining('a server still runs') });
  const status = await runAtrium(env, 'projections', 'status', '--json');
  const { items: models } = JSON.parse(status.out) as { items: { state: string }[] };
  expect(new Set(models.map(({ state }) => state))).toEqual(new Set(['live']));
  const rebuilt = await runAtrium(env, 'projections', 'rebuild', 'ticket-list');
  expect(rebuilt).toMatchObject({ code: 0 });
  expect(new Set((await listed(server)).map((one) => one.id))).toEqual(new Set([...shown, id]));
  await server.signal('SIGTERM');

  const reader = await running.spawn({ ...env, ATRIUM_ROLES: 'api' });
  await reader.ready();
  const beside = await runAtrium(env, 'log', 'restored');
  expect(beside).toMatchObject({ code: 1, err: expect.stringContaining('with the roles api') });
  await reader.signal('SIGTERM');
};

const ticketIn = (buildingId: string) => ({ buildingId, description: 'The door does not close' });

const raised = async (server: ServerProcess, count: number): Promise<string[]> => {
  const body = ticketIn(await buildingOf(server));
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const answer = await server.call(AGENT, 'POST', REQUESTS, { body });
    expect(answer.status).toBe(201);
    ids.push(answer.body.id);
  }
  return ids;
};

const minted = async (server: ServerProcess, label: string, scope: string) => {
  const answer = await server.call(MANAGER, 'POST', KEYS, { body: { label, scope } });
  expect(answer.status).toBe(201);
  return answer.body as { readonly keyId: string; readonly token: string };
};

const mint = async (server: ServerProcess, label: string): Promise<string> =>
  (await minted(server, label, 'sandbox')).keyId;

const withKey = async (server: ServerProcess, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(server.url + KEYS, { headers });
  return { status: answer.status, body: await answer.json() };
};

const keyOf = async (server: ServerProcess, keyId: string) => {
  const { body } = await server.call(MANAGER, 'GET', KEYS);
  return body.items.find((key: { keyId: string }) => key.keyId === keyId);
};

/** The items of a feed after `start`, and the cursor at its end. */
const followed = (server: ServerProcess, path: string, start: string) =>
  readFeed<{ readonly ticketId: string }>(async (after) => {
    const { status, body } = await server.call(MANAGER, 'GET', `${path}?after=${after}&limit=50`);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    // The audit has no `caughtUp`: its cursor stays the same at the end.
    return { caughtUp: body.nextCursor === after, ...body };
  }, start);

const reasonsOf = async (server: ServerProcess): Promise<string> => {
  const answer = await fetch(`${server.url}/health/ready`).catch(() => null);
  return answer === null ? 'no answer' : answer.text();
};

const numberIn = (number: string): number => Number(number.replace('SR-', ''));
