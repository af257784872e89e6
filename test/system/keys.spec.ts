/** Whole servers on the log in Postgres, while keys are revoked and processes killed. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { keysUnderLoad } from '../contract/keys-under-load.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { killPostgres } from '../support/postgres/server-processes.ts';
import { servers } from '../support/servers/servers.ts';
import { freshLog } from '../support/log/fresh-log.ts';
import { untilCount } from '../support/until.ts';

keysUnderLoad(async () => {
  const { url, log, drop } = await freshLog();
  return {
    // The same issuer's key for every process.
    env: { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('keys') },
    log,
    close: drop,
  };
});

it('every answered request has its record, though the database is killed under load', async () => {
  const running = servers();
  try {
    const ATRIUM_DATA = temporaryDirectory('keys');
    const server = await running.start({ ATRIUM_DATA });
    const body = { label: 'load' };
    const minted = await server.call('manager@acme.test', 'POST', '/api/v1/keys', { body });
    const statuses = new Map<string, number>();
    const ended = new AbortController();
    const caller = async () => {
      while (!ended.signal.aborted) {
        const agent = randomUUID();
        const headers = { authorization: `Bearer ${minted.body.token}`, 'user-agent': agent };
        const { status } = await fetch(`${server.url}/api/v1/sandboxes`, { headers });
        statuses.set(agent, status);
      }
    };
    const callers = Promise.all([caller(), caller(), caller(), caller()]);
    const doneSoFar = () => [...statuses.values()].filter((status) => status === 200).length;
    const more = () => untilCount(doneSoFar, doneSoFar() + 20, 'answers');
    await more();
    for (let kill = 0; kill < 3; kill += 1) {
      await killPostgres(ATRIUM_DATA);
      await more();
    }
    ended.abort();
    await callers;

    // Every answer is either a success or a 503.
    const answered = new Set(statuses.values());
    expect([...answered].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const done = [...statuses].flatMap(([agent, status]) => (status === 200 ? agent : []));
    expect(done.length).toBeGreaterThanOrEqual(80);
    const exported = async () => {
      const headers = { accept: 'application/x-ndjson' };
      const path = '/api/v1/keys/audit?action=key.used';
      const answer = await fetch(`${server.url}${path}`, {
        headers: {
          ...headers,
          authorization: `Bearer ${await server.tokenOf('auditor@acme.test')}`,
        },
      });
      return new Set(
        [...(await answer.text()).matchAll(/"userAgent":"([^"]+)"/g)].map((m) => m[1]),
      );
    };
    const missing = async () => {
      const kept = await exported();
      return done.filter((agent) => !kept.has(agent));
    };
    // The audit recovers a while after the database.
    await expect.poll(missing).toEqual([]);
  } finally {
    await running.release();
  }
});
