/** Tickets with their files, from one server to another, by the command line. contract.md 5. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { compareText } from '../../src/domain/compare-text.ts';
import { formHeaders, formOf } from '../support/api/form.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const TICKETS = 4;
const FILES_EACH = 3;

const running = servers();
afterAll(() => running.release());

const start = async () => {
  const { url } = await freshDatabase();
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('files-transfer') };
  return { server: await running.start(env), env };
};

const cliEnv = async (server: ServerProcess) => ({
  ATRIUM_URL: server.url,
  ATRIUM_TOKEN: await server.tokenOf(AGENT),
  XDG_CONFIG_HOME: temporaryDirectory('files-transfer-home'),
});

const buildingOf = async (server: ServerProcess): Promise<string> =>
  (await server.call(AGENT, 'GET', '/api/v1/buildings')).body.items[0].id;

const attach = async (server: ServerProcess, ticketId: string, name: string, content: string) => {
  const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
  const headers = { ...formHeaders, authorization, 'idempotency-key': randomUUID() };
  const visibility = name.startsWith('public') ? 'public' : 'internal';
  const body = formOf(
    { name: 'visibility', content: visibility },
    { name: 'file', fileName: name, content },
  );
  const path = `${server.url}${REQUESTS}/${ticketId}/attachments`;
  expect((await fetch(path, { method: 'POST', headers, body })).status).toBe(201);
};

/** `name visibility content` of each attachment, by the number that its ticket had at first. */
const filesBy = async (server: ServerProcess, numberOf: (ticket: Exported) => string) => {
  const found: Record<string, string[]> = {};
  const authorization = `Bearer ${await server.tokenOf(AGENT)}`;
  const all = await (
    await fetch(`${server.url}${REQUESTS}/export?category=moved`, { headers: { authorization } })
  ).text();
  for (const ticket of all.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))) {
    const hashes = ticket.attachments.map(
      async ({ name, visibility, url, sha256 }: Record<string, string>) => {
        const answer = await fetch(`${server.url}${url}`, { headers: { authorization } });
        const text = await answer.text();
        expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
        return `${name} ${visibility} ${text}`;
      },
    );
    found[numberOf(ticket)] = (await Promise.all(hashes)).toSorted(compareText);
  }
  return found;
};

interface Exported {
  readonly number: string;
  readonly metadata: { readonly imported: { readonly originalNumber: string } };
}

it('moves tickets with their files, each once, through kills of server and command', async () => {
  const { server: from } = await start();
  const { server: to, env } = await start();
  const building = await buildingOf(from);
  for (let at = 0; at < TICKETS; at += 1) {
    const { body: ticket } = await from.call(AGENT, 'POST', REQUESTS, {
      body: { buildingId: building, description: `Leak ${at}`, category: 'moved' },
    });
    for (let file = 0; file < FILES_EACH; file += 1) {
      const name = `${file === 0 ? 'public' : 'internal'} ${at} ü.txt`;
      // The same bytes on each ticket, too.
      await attach(from, ticket.id, name, file === 2 ? 'the same' : `${at} ${file}`);
    }
  }
  const filesFrom = () => filesBy(from, ({ number }) => number);
  await expect
    .poll(async () => Object.values(await filesFrom()).map(({ length }) => length))
    .toEqual(Array.from({ length: TICKETS }, () => FILES_EACH));
  const before = await filesFrom();

  const place = temporaryDirectory('files-moved');
  const [exported, moved, files] = ['out.ndjson', 'in.ndjson', 'files'].map((name) =>
    join(place, name),
  ) as [string, string, string];
  const outEnv = await cliEnv(from);
  const out = ['tickets', 'export', '--category', 'moved', '--files', files];
  const ended = await runAtrium(outEnv, ...out, exported);
  expect([ended.code, ended.err]).toEqual([
    0,
    expect.stringContaining(`${TICKETS * 2 + 1} files were downloaded to ${files}`),
  ]);
  const again = await runAtrium(outEnv, ...out, join(place, 'again.ndjson'));
  expect(again.err).toContain(
    `0 files were downloaded to ${files}, ${TICKETS * FILES_EACH} were already there`,
  );
  expect(readdirSync(files)).toHaveLength(TICKETS * 2 + 1);

  const elsewhere = await buildingOf(to);
  writeFileSync(moved, readFileSync(exported, 'utf8').replaceAll(building, elsewhere));
  const inEnv = await cliEnv(to);
  const into = ['tickets', 'import', moved, '--files', files, '--no-routing'];
  const attachedCount = async (server: ServerProcess) => {
    const files = await filesBy(server, ({ metadata }) => metadata.imported.originalNumber);
    return Object.values(files).flat().length;
  };
  // The command is killed, then the server under the next one.
  const command = startAtrium(inEnv, ...into);
  await until(async () => (await attachedCount(to)) >= 2, 'two files');
  command.process.kill('SIGKILL');
  const second = runAtrium(inEnv, ...into);
  await until(async () => (await attachedCount(to)) >= 5, 'five files');
  await to.signal('SIGKILL');
  await second;
  const next = await running.start({ ...env, PORT: new URL(to.url).port });
  const last = await runAtrium(inEnv, ...into);
  expect([last.code, JSON.parse(last.out)]).toEqual([
    0,
    { created: 0, exists: TICKETS, failed: 0 },
  ]);
  const filesAfter = () => filesBy(next, ({ metadata }) => metadata.imported.originalNumber);
  await expect.poll(filesAfter).toEqual(before);
  const once = await runAtrium(inEnv, ...into);
  expect(once.err).toContain(`0 files attached, ${TICKETS * FILES_EACH} already there`);
  expect(await filesAfter()).toEqual(before);
});
