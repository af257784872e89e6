/**
 * Erasures whose server is killed between their steps: listing, destroying keys, marking tickets.
 * Each ends exactly once, and a repeated request is idempotent. contract.md section 11.
 */
import { expect } from 'vitest';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { poolOf } from '../support/postgres/pool.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import type { Servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, REQUESTS } from '../support/servers/ticket-load.ts';
import { until } from '../support/until.ts';

const MANAGER = 'manager@acme.test';
const ERASURES = '/api/v1/erasures';
/** More than are marked in one batch. */
const TICKETS = 12;
const NAME = 'Zyxwvut Qponm';
const EMAIL = 'zyxwvut@qponm.example';
const PHONE = '+49 40815 4711';
const TEXT = 'Zyxwvut wrote that it is cold';

/** Personal data of the two persons, in upper or lower case: a writer and a reporter. */
export const TRACE = /zyxwvut|qponm|40815/i;

export interface KilledErasures {
  readonly env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  readonly running: Servers;
  readonly store: EventStore;
  /** Called before the first erasure is requested. */
  readonly written?: (ticketIds: readonly string[]) => Promise<void>;
}

/** The server that runs at the end has erased both persons. */
export const rehearseKilledErasures = async (parts: KilledErasures): Promise<void> => {
  const { env, running, store } = parts;
  const pool = poolOf(env.DATABASE_URL, { max: 1 });
  let server = await running.start(env);
  const call = async (email: string, method: string, path: string, body?: unknown) => {
    const answer = await server.call(email, method, path, body === undefined ? {} : { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const killed = async (): Promise<ServerProcess> => {
    await server.signal('SIGKILL');
    return running.start(env);
  };

  const buildingId = await buildingOf(server);
  const own: string[] = [];
  for (let n = 0; n < TICKETS; n += 1)
    own.push((await call(AGENT, 'POST', REQUESTS, { buildingId, description: TEXT })).id);
  const reporter = { reporterName: NAME, reporterEmail: EMAIL, reporterPhone: PHONE };
  const reported = { buildingId, description: 'It is cold', ...reporter };
  const called: string = (await call(MANAGER, 'POST', REQUESTS, reported)).id;
  const shown = await call(MANAGER, 'GET', `${REQUESTS}/${own[0]}`);
  expect(shown.description).toBe(TEXT);
  const userId: string = shown.createdBy.id;
  const tickets = [...own, called];
  await parts.written?.(tickets);

  const ask = async () =>
    Promise.all(
      [{ userId }, { email: EMAIL }].map((subject) =>
        call(MANAGER, 'POST', ERASURES, { subject, texts: 'erase', reason: 'Letter of 1 May.' }),
      ),
    );
  const erasureIds = (await ask()).map(({ erasureId }) => String(erasureId));
  server = await killed();

  const keys = async () => {
    const { rows } = await pool.query('select from personal.keys where subject = any($1)', [
      [`user:${userId}`, `email:${EMAIL}`],
    ]);
    return rows.length;
  };
  await until(async () => (await keys()) === 0, 'the keys are destroyed');
  server = await killed();

  const erasuresIn = async (ticketId: string) =>
    (await store.readStream(`ticket-${ticketId}`)).filter(
      ({ type }) => type === 'TicketPersonalDataErased',
    ).length;
  const marked = async () =>
    (await Promise.all(tickets.map(erasuresIn))).reduce((a, b) => a + b, 0);
  await until(async () => (await marked()) > 0, 'a ticket is marked');
  server = await killed();

  const erasures = () =>
    Promise.all(erasureIds.map((id) => call(MANAGER, 'GET', `${ERASURES}/${id}`)));
  await until(
    async () => (await erasures()).every(({ status }) => status === 'finished'),
    'the erasures are finished',
  );
  const ended = await erasures();
  expect(ended.map(({ found }) => found.tickets)).toEqual([TICKETS, 1]);
  expect(await Promise.all(tickets.map(erasuresIn))).toEqual(tickets.map(() => 1));
  for (const id of tickets) {
    const ticket = JSON.stringify(await call(MANAGER, 'GET', `${REQUESTS}/${id}`));
    expect(ticket).toMatch(/"(e|reporterE)rased":true/);
    expect(ticket).not.toMatch(TRACE);
  }

  expect((await ask()).map(({ erasureId, status }) => ({ erasureId, status }))).toEqual(
    erasureIds.map((erasureId) => ({ erasureId, status: 'finished' })),
  );
  for (const id of erasureIds) {
    const types = (await store.readStream(`erasure-${id}`)).map(({ type }) => type);
    expect(types).toEqual(['ErasureRequested', 'ErasureFinished']);
  }
  await pool.end();
};
