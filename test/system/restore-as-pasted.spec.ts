/**
 * docs/operating/backup-and-restore.md as an operator pastes it: a dump of a separate Postgres,
 * restored into another cluster that has never contained Atrium.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkout, paste, shellBlocksOf } from '../support/pasted.ts';
import { runOnce } from '../support/postgres/database.ts';
import { ownCluster, postgresPrograms, type OwnCluster } from '../support/postgres/own-cluster.ts';
import { servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, REQUESTS, settled } from '../support/servers/ticket-load.ts';

const PAGE = 'docs/operating/backup-and-restore.md';
const programs = postgresPrograms();
const running = servers();
const endings: (() => void)[] = [];

afterAll(async () => {
  await running.release();
  for (const end of endings.reverse()) end();
});

const sectionOf = (title: string): readonly string[] =>
  shellBlocksOf(PAGE, (section) => section === title);

/** Roles and a database as their owner would have made them, once. */
const prepared = async ({ port }: OwnCluster): Promise<string> => {
  const admin = `postgres://postgres@localhost:${port}/postgres`;
  await runOnce(admin, 'create role atrium login createdb createrole');
  await runOnce(admin, 'create database atrium owner atrium');
  return `postgres://atrium@localhost:${port}/atrium`;
};

it.skipIf(programs === null)(
  'brings every ticket back in a fresh cluster, where PostgreSQL (initdb, pg_dump, psql) is there',
  async () => {
    const directory = checkout('restore');
    endings.push(() => rmSync(directory, { recursive: true, force: true }));
    const cluster = async () => {
      const made = await ownCluster(programs!, directory);
      endings.push(made.stop);
      return made;
    };
    const data = join(directory, '.atrium');
    const before = { DATABASE_URL: await prepared(await cluster()), ATRIUM_DATA: data };
    let server = await running.start(before);
    const tickets = await settled(server);
    expect(tickets.length).toBeGreaterThan(3);

    const [backUp, restore] = sectionOf('By hand');
    const path = `${programs!}:${process.env['PATH'] ?? ''}`;
    await paste(backUp!, directory, { ...before, PATH: path });
    await server.signal('SIGTERM');

    const fresh = await cluster();
    const here = restore!.replaceAll('db.example', `localhost:${fresh.port}`);
    const settle = sectionOf('After a restore').join('\n');
    const said = await paste(`${here}\n${settle}`, directory, {
      ATRIUM_DATA: data,
      PATH: path,
    });
    expect(said).toContain('nothing was changed');
    expect(said).toContain('start the servers');

    const url = `postgres://atrium@localhost:${fresh.port}/atrium`;
    const after = { DATABASE_URL: url, ATRIUM_DATA: data };
    server = await running.start(after);
    const shown = await settled(server);
    expect(shown.map(({ id }) => id).toSorted()).toEqual(tickets.map(({ id }) => id).toSorted());
    const body = { buildingId: await buildingOf(server), description: 'After the restore' };
    expect((await server.call(AGENT, 'POST', REQUESTS, { body })).status).toBe(201);
    expect(await settled(server)).toHaveLength(tickets.length + 1);
  },
);
