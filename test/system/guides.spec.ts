/**
 * The guides, pasted into a shell: every shell block of a page, in its order, against a server
 * that has just been started. Each guide is walked from "Sign in" of docs/start.md.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_PAGE_MAX } from '../../src/api/keys/limits.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { keyIssued } from '../support/log/key-audit.ts';
import { blocksOf, checkout, paste as pasteIn, shellBlocksOf } from '../support/pasted.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { filesOf, text } from '../support/sources.ts';

const START = 'npm ci && npm start';
const IMPORT = 'docs/guides/import-a-building.md';
/** The import comes last: for all others the demo's building is the only one. */
const guides = [...filesOf('docs/guides/*.md').filter((page) => page !== IMPORT), IMPORT];

/** Refusals that a page shows on purpose. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'docs/start.md': ['POST /api/service-desk/requests/:id/transition 400'],
};

/** Commands that print the variables a page's reader needs later. */
const questions: Readonly<Record<string, string>> = {
  // It is answered once.
  'docs/guides/receive-webhooks.md': 'echo "kept: $SECRET"',
};

/** The final output of a page's commands. */
const results: Readonly<Record<string, string>> = {
  'docs/guides/command-line.md': '"status":204',
  'docs/guides/receive-webhooks.md': 'kept: whsec_',
  'docs/guides/work-with-tickets.md': '"body":"Seen; two photos."',
};

const shellOf = (page: string, inSection?: (section: string) => boolean): string =>
  shellBlocksOf(page, inSection)
    .filter((lines) => lines.trim() !== START)
    .join('\n');

const running = servers();
let directory: string;
let environment: Record<string, string>;
let port: string;
let server: ServerProcess;

beforeAll(async () => {
  directory = checkout('guides');
  const { url } = await freshDatabase();
  port = String(await freePort());
  environment = {
    PORT: port,
    DATABASE_URL: url,
    ATRIUM_DATA: join(directory, '.atrium'),
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  server = await running.start(environment);
});
afterAll(() => running.release());

/** Runs the script with only the port changed, and returns its output. */
const paste = (script: string): Promise<string> => {
  const { DATABASE_URL } = environment;
  const own = script.replaceAll('localhost:4000', `localhost:${port}`);
  return pasteIn(own, directory, { DATABASE_URL: DATABASE_URL! });
};

interface Line {
  readonly msg?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
}

/** Requests that were refused since so many characters of the server's output. */
const refusedSince = (from: number): readonly string[] =>
  server
    .output()
    .slice(from)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg, status }) => msg === 'request' && (status ?? 0) >= 400)
    // A device that waits for its sign-in asks until it is there.
    .filter(({ route }) => route !== '/dev/oidc/*')
    .map(({ method, route, status }) => `${method} ${route} ${status}`);

const walk = async (page: string, script: string) => {
  const from = server.output().length;
  for (const { file, lines } of blocksOf(page))
    if (file !== undefined) writeFileSync(join(directory, file), lines);
  const printed = await paste(script);
  expect(refusedSince(from)).toEqual(refusals[page] ?? []);
  return printed;
};

const signIn = () => shellOf('docs/start.md', (section) => section === 'Sign in');

describe('pasted against a server that has just been started', () => {
  it('the commands that it prints work on any port', async () => {
    const commands = server
      .output()
      .split('\n')
      .filter((line) => /^ {6}\S/.test(line))
      .join('\n');
    expect(commands).toContain('npx atrium dev-token');
    const { items } = JSON.parse(await paste(commands)) as { items: readonly unknown[] };
    expect(items.length).toBeGreaterThan(3);
  });

  it('README.md works', async () => {
    const printed = await walk('README.md', shellOf('README.md'));
    expect(printed).toContain('"total":1');
  });

  it('docs/start.md works, and loses nothing with the process', async () => {
    const page = 'docs/start.md';
    expect(blocksOf(page)[0]?.lines.trim()).toBe(START);
    const before = (section: string) => section !== 'Lose the process';
    const printed = await walk(page, shellOf(page, before));
    const number = /"number":"(SR-\d+)"/.exec(printed)![1]!;

    const ended = once(server.process, 'exit');
    await paste(shellOf(page, (section) => !before(section)));
    expect(await ended).toEqual([null, 'SIGKILL']);
    server = await running.start(environment);

    const raise = ['Sign in', 'Find the building', 'Raise a ticket'];
    const again = await paste(shellOf(page, (section) => raise.includes(section)));
    expect(again).toMatch(/idempotent-replayed: true/i);
    expect(again).toContain(number);
  });

  it('docs/guides/audit-keys.md replays a busy key to its revocation, page by page', async () => {
    const log = postgresEventStore({ url: environment['DATABASE_URL']! });
    const at = new Date().toISOString();
    const key = await keyIssued(log, 'acme', at);
    await key.usedBefore(Array.from({ length: AUDIT_PAGE_MAX }, () => key.use(at)));
    await key.revoked(at);
    await log.close();
    const page = 'docs/guides/audit-keys.md';
    const parts = ['', 'Replay a key'];
    const replay = shellOf(page, (section) => parts.includes(section));
    const printed = await walk(page, `${signIn()}\n${replay}`);
    expect(printed).toContain(`"keyId":"${key.keyId}"`);
    expect(printed.match(/"key\.(issued|used|revoked)"/g)).toHaveLength(AUDIT_PAGE_MAX + 2);
    expect(printed).toContain('"key.revoked"');
  });

  it.each(guides)(
    '%s works from "Sign in" on, each variable set before it is used',
    async (page) => {
      const printed = await walk(page, `${signIn()}\n${shellOf(page)}\n${questions[page] ?? ''}`);
      expect(printed).toContain(results[page] ?? '');
    },
  );
});

it.each(['docs/start.md', 'README.md', ...guides])(
  '%s has its commands in blocks that can be run',
  (page) => {
    expect(text(page)).not.toMatch(/^ {4}(curl|npx|call) /m);
    expect(text(page)).not.toContain('pgrep');
  },
);
