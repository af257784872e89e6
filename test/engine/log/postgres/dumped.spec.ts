/** A log whose dump was restored into a cluster without its roles: the grants are lost. */
import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { embeddedPostgres } from '../../../../src/engine/postgres/embedded/embedded.ts';
import {
  LogNotSeparated,
  postgresEventStore,
  prepareLog,
} from '../../../../src/engine/log/postgres/store.ts';
import { separationFault } from '../../../../src/engine/log/postgres/schema.ts';
import { temporaryDirectory } from '../../../support/directory.ts';
import { happened } from '../../../support/log/events.ts';
import { runOnce } from '../../../support/postgres/database.ts';

const OWNER = 'clerk';
const ROLES = 'atrium_log, atrium_log_retention';

let directory: string;
let server: Awaited<ReturnType<typeof embeddedPostgres>>;

beforeAll(async () => {
  directory = temporaryDirectory('dumped');
  server = await embeddedPostgres(directory);
  await prepareLog(server.url);
  await runOnce(server.url, `create role ${OWNER} login`);
});
afterAll(async () => {
  await server.release();
  rmSync(directory, { recursive: true, force: true });
});

/** The state in which `pg_restore` leaves a log whose roles are missing. */
beforeEach(async () => {
  const there = `select from pg_roles where rolname = 'atrium_log'`;
  await runOnce(
    server.url,
    `do $$ begin if exists (${there}) then drop owned by ${ROLES}; drop role ${ROLES}; end if;
     end $$`,
  );
});

const loginUrl = (login: string): string => {
  const url = new URL(server.url);
  url.username = login;
  return url.href;
};

const asLogRole = async (statement: string) => {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query('set role atrium_log');
    return await client.query(statement);
  } finally {
    await client.end();
  }
};

describe('a log without its roles', () => {
  it('regains them and their grants at the next start, with all of its events', async () => {
    await prepareLog(server.url);
    const log = postgresEventStore({ url: server.url });
    await log.append('s-1', 'any', [happened('A')]);
    expect(await log.readStream('s-1')).not.toEqual([]);
    await log.deleteStream('s-2');
    await log.close();
    await expect(asLogRole(`update es.event set type = 'B'`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('regains the grants where only the roles were created', async () => {
    await runOnce(server.url, 'create role atrium_log nologin');
    await runOnce(server.url, 'create role atrium_log_retention nologin');
    await prepareLog(server.url);
    await expect(asLogRole('select count(*) from es.event')).resolves.toBeTruthy();
  });

  it('is refused to a login that could write and may not assume the role', async () => {
    const all = `all tables in schema es`;
    await runOnce(
      server.url,
      `grant all on schema es to ${OWNER}; grant all on ${all} to ${OWNER}`,
    );
    await runOnce(server.url, 'create role atrium_log nologin');
    await runOnce(server.url, 'create role atrium_log_retention nologin');
    await prepareLog(server.url);
    const refused = prepareLog(loginUrl(OWNER));
    await expect(refused).rejects.toThrow(LogNotSeparated);
    await expect(refused).rejects.toThrow(`grant ${ROLES} to "${OWNER}"`);
    await runOnce(server.url, `grant ${ROLES} to ${OWNER}`);
    await prepareLog(loginUrl(OWNER));
  });
});

describe('the fault of a login', () => {
  const rolesMade = 'create role atrium_log nologin; create role atrium_log_retention nologin';

  it.each([
    ['', true],
    [rolesMade, true],
    [`${rolesMade}; alter role ${OWNER} createrole`, true],
    [`${rolesMade}; grant ${ROLES} to ${OWNER}`, false],
    [`${rolesMade}; grant ${ROLES} to ${OWNER} with admin true, set false`, false],
    [`alter role ${OWNER} createrole`, false],
    [`alter role ${OWNER} superuser`, false],
  ])('after "%s" is known before a start: %s', async (rights, isFault) => {
    await runOnce(server.url, `create database fresh owner ${OWNER}`);
    const url = new URL(loginUrl(OWNER));
    url.pathname = '/fresh';
    const client = new Client({ connectionString: url.href });
    try {
      if (rights !== '') await runOnce(server.url, rights);
      await client.connect();
      const fault = await separationFault(client);
      const refusal = await prepareLog(url.href).catch((error: unknown) => error);
      expect(fault?.message).toBe((refusal as Error | undefined)?.message);
      expect(fault !== null).toBe(isFault);
    } finally {
      await client.end();
      await runOnce(server.url, `drop database fresh`);
      await runOnce(server.url, `alter role ${OWNER} nocreaterole nosuperuser`);
    }
  });
});
