/** A server started on a log of another installation: the same on every log. */
import { expect } from 'vitest';
import { runAtrium } from '../support/servers/cli.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import type { Servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, REQUESTS, settled } from '../support/servers/ticket-load.ts';

export interface WrongLogRehearsal {
  /** The environment with the installation's own log. */
  readonly env: Record<string, string>;
  readonly running: Servers;
  /** Replaces the log by the wrong one. @returns The changes to the environment. */
  readonly exchange: () => Promise<Record<string, string>>;
  /** Restores the right log. */
  readonly putBack: () => Promise<void>;
  /** The reason why the log is refused. */
  readonly reason: string;
}

const WAY_OUT = 'atrium log adopt';

export const rehearseWrongLog = async (rehearsal: WrongLogRehearsal) => {
  const { env, running, exchange, putBack, reason } = rehearsal;
  let server = await running.start(env);
  const body = { buildingId: await buildingOf(server), description: 'The door does not close' };
  const [{ body: own }, key] = await Promise.all([
    server.call(AGENT, 'POST', REQUESTS, { body }),
    mintFull(server),
  ]);
  await settled(server);
  await server.signal('SIGTERM');
  const other = { ...env, ...(await exchange()) };

  expect(await doctorOn(other)).toContain(reason);
  server = await running.spawn(other);
  await expect.poll(() => readinessOf(server)).toContain(reason);
  expect(await readinessOf(server)).toContain(WAY_OUT);
  expect(server.output()).toContain(WAY_OUT);
  expect(await doctorOn(other)).toContain(WAY_OUT);

  const refused = await server.call(AGENT, 'POST', REQUESTS, { body });
  expect(refused.status).toBe(503);
  const read = await server.call(AGENT, 'GET', `${REQUESTS}/${own.id}`);
  expect(read.status).toBe(503);
  expect(await statusWith(server, key)).toBe(503);
  const prepared = await runAtrium(other, 'projections', 'prepare');
  expect(prepared).toMatchObject({ code: 1, err: expect.stringContaining(WAY_OUT) });
  const busy = await runAtrium(other, 'log', 'adopt', '--yes');
  expect(busy).toMatchObject({ code: 1, err: expect.stringContaining('a server still runs') });
  await server.signal('SIGTERM');

  await putBack();
  server = await running.start(env);
  expect(await statusWith(server, key)).toBe(200);
  expect((await settled(server)).map(({ id }) => id)).toContain(own.id);
  await server.signal('SIGTERM');

  const again = { ...env, ...(await exchange()) };
  const tried = await runAtrium(again, 'log', 'adopt', '--dry-run');
  expect(tried).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') });
  const unasked = await runAtrium(again, 'log', 'adopt');
  expect(unasked).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  const adopted = await runAtrium(again, 'log', 'adopt', '--yes');
  expect(adopted).toMatchObject({ code: 0, out: expect.stringContaining('done: start') });
  server = await running.start(again);
  expect((await settled(server)).map(({ id }) => id)).not.toContain(own.id);
  expect(await statusWith(server, key)).toBe(401);
  await server.signal('SIGTERM');
};

const mintFull = async (server: ServerProcess): Promise<string> => {
  const body = { label: 'of this log', scope: 'full' };
  const minted = await server.call('manager@acme.test', 'POST', '/api/v1/keys', { body });
  expect(minted.status).toBe(201);
  return minted.body.token;
};

const statusWith = async (server: ServerProcess, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/v1/keys`, { headers })).status;
};

const doctorOn = async (env: Record<string, string>): Promise<string> =>
  (await runAtrium(env, 'doctor')).out;

const readinessOf = async (server: ServerProcess): Promise<string> => {
  const answer = await fetch(`${server.url}/health/ready`).catch(() => null);
  return answer === null ? 'no answer' : answer.text();
};
