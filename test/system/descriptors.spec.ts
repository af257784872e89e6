/** A whole server whose file descriptors are used up by connections. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { programOnPath } from '../support/programs.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

/** Descriptors that the server has left, and connections that ask for more than that. */
const LEFT = 40;
const CONNECTIONS = 120;

const { start, release } = servers();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await release();
});

const hasPrlimit = programOnPath(['prlimit']) !== null;

describe.skipIf(!hasPrlimit)('file descriptors (skipped without prlimit)', () => {
  it('that are used up are logged, and the server recovers when they are free', async () => {
    const { url, drop } = await freshDatabase();
    const server = await start({
      DATABASE_URL: url,
      ATRIUM_DATA: temporaryDirectory('descriptors'),
      LOG_LEVEL: 'info',
    });
    const pid = server.process.pid!;
    const open = () => readdirSync(`/proc/${pid}/fd`).length;
    const limit = open() + LEFT;
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:${limit}`]);
    const { hostname, port } = new URL(server.url);
    for (let at = 0; at < CONNECTIONS; at += 1) {
      const socket = connect(Number(port), hostname);
      // The server may close it for want of a descriptor.
      socket.on('error', () => {});
      sockets.push(socket);
    }
    await until(
      () => server.output().includes('file descriptors are running out'),
      'the line of the log',
    );
    expect(server.output().split('file descriptors are running out')).toHaveLength(2);

    for (const socket of sockets.splice(0)) socket.destroy();
    await until(
      () => server.output().includes('file descriptors are free again'),
      'the end of the shortage',
    );
    await until(async () => (await fetch(`${server.url}/health/ready`)).ok, 'readiness');
    const answer = await server.call('agent@acme.test', 'GET', '/api/service-desk/requests');
    expect(answer.status).toBe(200);
    await server.signal('SIGKILL');
    await drop();
  });
});
