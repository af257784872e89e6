/** `atrium subjects export`, as somebody types it. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { commandLine } from '../support/cli/command-line.ts';
import { temporaryFiles } from '../support/files.ts';
import { opened } from '../support/domain/tickets.ts';
import { ticketLog } from '../support/log/ticket-log.ts';
import { startAtrium, runAtrium } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const platform = testApi();
const { as } = commandLine(platform);
const exported = (...words: readonly string[]) =>
  as('manager@acme.test', 'subjects', 'export', ...words);
const files = temporaryFiles();
let directory = '';
let file = '';
let runs = 0;

beforeEach(() => {
  directory = files.path(`run-${(runs += 1)}`);
  mkdirSync(directory);
  file = join(directory, 'person.ndjson');
});

describe('atrium subjects export', () => {
  it('writes everything of a person to a file of its owner', async () => {
    const buildingId = await platform.importBuilding();
    const manager = platform.as('manager@acme.test');
    await manager.post('/api/service-desk/requests', {
      buildingId,
      description: 'It is cold',
      reporterEmail: 'tenant@example.com',
    });
    const made = await exported('--email', 'tenant@example.com', '--out', file);
    expect(made).toMatchObject({ code: 0 });
    expect(made.json()).toEqual({ tickets: 1, unreadable: 0, file });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const sections = lines.map((line) => (JSON.parse(line) as { section: string }).section);
    expect(sections[0]).toBe('subject');
    expect(sections).toContain('ticket');
    expect(sections.at(-1)).toBe('end');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['person.ndjson']);
  });

  it('names tickets that the server cannot read, and fails with the file written', async () => {
    const reporterEmail = 'newer@example.com';
    const ticketId = randomUUID();
    const tickets = ticketLog(platform.log);
    await tickets.command(ticketId, [opened({ ticketId, reporterEmail })]);
    await tickets.raw(ticketId, { type: 'TicketEnchanted', data: {} });
    const made = await exported('--email', reporterEmail, '--out', file);
    expect(made).toMatchObject({ code: 1 });
    expect(made.json()).toEqual({ tickets: 0, unreadable: 1, file });
    expect(made.err).toContain(ticketId);
    expect(readFileSync(file, 'utf8')).toContain(`"unreadable","value":{"ticketId":"${ticketId}"}`);
  });

  it('replaces a file with --force alone', async () => {
    writeFileSync(file, 'mine');
    const who = ['--user', 'somebody', '--out', file];
    const refused = await exported(...who);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--force replaces it');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await exported(...who, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('"section":"end"');
  });

  it.each([[[]], [['--email', 'a@example.com', '--user', 'a']]])(
    'refuses %j, which is not one person',
    async (who) => {
      const refused = await exported(...who, '--out', file);
      expect(refused).toMatchObject({ code: 2, out: '' });
      expect(refused.err).toContain('either --email or --user');
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it('reports in one line that --force cannot replace a directory', async () => {
    mkdirSync(file);
    const refused = await exported('--user', 'somebody', '--out', file, '--force');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^atrium: \S+ cannot be written: EISDIR: [^\n]*\n$/);
    expect(readdirSync(directory)).toEqual(['person.ndjson']);
  });

  it('leaves no file where the caller may not', async () => {
    const words = ['subjects', 'export', '--user', 'a', '--out', file];
    const refused = await as('agent@acme.test', ...words);
    expect(refused.code).not.toBe(0);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('an archive that breaks off', () => {
  const LINE = '{"section":"subject","value":{}}\n';
  let server: Server;
  const answering = async (answer: RequestListener) => {
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'x-request-id': 'r' });
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { ATRIUM_TOKEN: 't', ATRIUM_URL: `http://127.0.0.1:${port}` };
    return [env, 'subjects', 'export', '--user', 'a', '--out', file, '--force'] as const;
  };
  beforeEach(() => writeFileSync(file, 'of before'));
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const expectAsBefore = () => {
    expect(readdirSync(directory)).toEqual(['person.ndjson']);
    expect(readFileSync(file, 'utf8')).toBe('of before');
  };

  it('is none where its last line is missing', async () => {
    const command = await answering((_, response) => void response.end(LINE));
    expect(await runAtrium(...command)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the export is incomplete: it has no line'),
    });
    expectAsBefore();
  });

  it('is none where the connection is lost', async () => {
    const command = await answering((_, response) => {
      response.write(LINE, () => response.destroy());
    });
    const ended = await runAtrium(...command);
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('interrupted') });
    expectAsBefore();
  });

  it('is none where a file of its name appeared meanwhile, without --force', async () => {
    rmSync(file);
    const [env, ...words] = await answering((_, response) => {
      writeFileSync(file, 'of before');
      response.end('{"section":"end","value":{"tickets":0}}\n');
    });
    const unforced = words.filter((word) => word !== '--force');
    expect(await runAtrium(env, ...unforced)).toEqual({
      code: 1,
      out: '',
      err: `atrium: ${file} already exists\n`,
    });
    expectAsBefore();
  });

  it('is none where Ctrl-C ended the lookup of the sandbox', async () => {
    let isAsked = false;
    const command = await answering(({ url }) => void (isAsked ||= url === '/api/v1/sandboxes'));
    const running = startAtrium(...command, '--sandbox', 'x');
    onTestFinished(() => void running.process.kill('SIGKILL'));
    await until(() => isAsked, 'the request for the sandboxes');
    expectAsBefore();
    running.process.kill('SIGINT');
    expect(await running.ended).toEqual({ code: 130, out: '', err: '' });
    expectAsBefore();
  });

  it('is none where Ctrl-C ended it', async () => {
    const command = await answering((_, response) => void response.write(LINE));
    const running = startAtrium(...command);
    const isWriting = async () => readdirSync(directory).some((name) => name.endsWith('.part'));
    await until(isWriting, 'the file is begun');
    running.process.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
    expectAsBefore();
  });
});
