import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { countingJournal, denialJournal } from '../../src/domain/keys/journals.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import type { EventStore, Position } from '../../src/engine/log/event-store.ts';
import { keysOf, usesIn, usesOf, type Minted } from '../support/log/keys.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers, type Servers } from '../support/servers/servers.ts';
import { runAtrium } from '../support/servers/cli.ts';
import { letPass, untilCount } from '../support/until.ts';

interface Answered {
  /** Identifies the request: sent as its user agent. */
  readonly agent: string;
  /** Of `performance.now()`. */
  readonly sentAt: number;
  readonly status: number;
}

/** The log of the servers, and the same one opened by the test. */
export interface ServersLog {
  readonly env: Record<string, string>;
  readonly log: EventStore;
  close(): Promise<void>;
}

/** The answers of whole servers, compared with the log. contract.md section 3. */
export const keysUnderLoad = (open: () => Promise<ServersLog>) => {
  let shared: ServersLog;
  let log: EventStore;
  let running: Servers;
  const openLog = async () => {
    shared = await open();
    ({ log } = shared);
    running = servers();
  };
  const closeLog = async () => {
    await running.release();
    await shared.close();
  };

  const asked = async (server: ServerProcess, token: string): Promise<Answered | null> => {
    const agent = randomUUID();
    const sentAt = performance.now();
    const headers = { authorization: `Bearer ${token}`, 'user-agent': agent };
    // A connection that breaks with its server counts as no answer.
    const answer = await fetch(`${server.url}/api/v1/sandboxes`, { headers }).catch(() => null);
    return answer && { agent, sentAt, status: answer.status };
  };
  /** Four callers per server, one request after the other each, while `act` runs. */
  const load = async (
    of: readonly ServerProcess[],
    { token }: Minted,
    act: (more: () => Promise<void>) => Promise<void>,
  ) => {
    const answers: Answered[] = [];
    const ended = new AbortController();
    const more = () => untilCount(() => answers.length, answers.length + 200, 'answers');
    const acted = act(more).finally(() => ended.abort());
    const caller = async (server: ServerProcess) => {
      while (!ended.signal.aborted) {
        const answer = await asked(server, token);
        if (answer) answers.push(answer);
        else await letPass(20, 'a server that is gone is not asked without end');
      }
    };
    await Promise.all([acted, ...[...of, ...of, ...of, ...of].map(caller)]);
    return answers;
  };
  const usesOfKey = async ({ keyId }: Minted) =>
    (await usesOf(log, 'acme', systemClock.now())).flatMap(({ event, position }) =>
      event.type === 'KeyUsed' && event.keyId === keyId && event.outcome === 'allowed'
        ? { agent: event.userAgent, position }
        : [],
    );
  const allowed = (answers: readonly Answered[]) =>
    answers.filter(({ status }) => status === 200).map(({ agent }) => agent);

  describe('two processes on one log', () => {
    let both: readonly ServerProcess[];
    beforeAll(async () => {
      await openLog();
      both = [await running.start(shared.env), await running.start(shared.env)];
    });
    afterAll(closeLog);
    const mint = () => keysOf(log, systemClock, 'acme').mint();

    it('a key revoked under load is denied on its next request to any process', async () => {
      const minting = ['keys', 'mint', '--organisation', 'acme', '--label', 'load', '--json'];
      const key = JSON.parse((await runAtrium(shared.env, ...minting)).out) as Minted;
      let revokedAt = Infinity;
      let late: readonly (Answered | null)[] = [];
      const answers = await load(both, key, async (more) => {
        await more();
        const path = `/api/v1/keys/${key.keyId}`;
        expect((await both[0]!.call('manager@acme.test', 'DELETE', path)).status).toBe(204);
        revokedAt = performance.now();
        late = await Promise.all([...both, ...both].map((server) => asked(server, key.token)));
      });

      const after = [...late, ...answers.filter(({ sentAt }) => sentAt > revokedAt)];
      expect(new Set(after.map((answer) => answer?.status))).toEqual(new Set([401]));
      const agents = allowed(answers);
      expect(agents.length).toBeGreaterThan(0);
      expect(new Set((await usesOfKey(key)).map(({ agent }) => agent))).toEqual(new Set(agents));
      // No allowed use follows the revocation, and the audit table equals the log.
      const { code, out } = await runAtrium(shared.env, 'audit', 'verify', '--json');
      expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, differences: [] });
      const replayed = ['audit', 'replay', '--key', key.keyId];
      const replayLines = (await runAtrium(shared.env, ...replayed)).out.split('\n');
      expect(replayLines.filter((line) => line.includes('used  allowed'))).toHaveLength(
        agents.length,
      );
    });

    it('a check made by a process before it was stopped is never recorded later', async () => {
      const key = await mint();
      let revokedBy: Position | null = null;
      await load(both, key, async (more) => {
        await more();
        await both[1]!.signal('SIGSTOP');
        const path = `/api/v1/keys/${key.keyId}`;
        expect((await both[0]!.call('manager@acme.test', 'DELETE', path)).status).toBe(204);
        ({ position: revokedBy } = await log.head());
        await both[1]!.signal('SIGCONT');
        await more();
      });
      const uses = await usesOfKey(key);
      const late = uses.filter(({ position }) => log.compare(position, revokedBy) > 0);
      expect(late).toEqual([]);
      expect(uses.length).toBeGreaterThan(100);
    });

    // The last one: one of the two is gone.
    it('every answered request has its record, though a process is killed under load', async () => {
      const key = await mint();
      const answers = await load(both, key, async (more) => {
        await more();
        await both[0]!.signal('SIGKILL');
        await more();
      });
      const agents = allowed(answers);
      expect(agents.length).toBeGreaterThan(20);
      const kept = new Set((await usesOfKey(key)).map(({ agent }) => agent));
      expect(agents.filter((agent) => !kept.has(agent))).toEqual([]);
    });
  });

  it('denials counted by a killed process are reported as lost, once', async () => {
    onTestFinished(closeLog);
    await openLog();
    const first = await running.start(shared.env);
    // All denials must be in one minute, and the start may have used most of it.
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 20_000) await letPass(left, 'until the next minute begins');
    const began = systemClock.now();
    for (let tried = 0; tried < 9; tried += 1) {
      expect((await asked(first, 'atr_x'))?.status).toBe(401);
    }
    await first.signal('SIGKILL');
    const lost = async () =>
      (await usesIn(log, countingJournal(began))).filter(
        ({ event }) => event.type === 'DenialCountsLost',
      ).length;
    expect(await usesIn(log, denialJournal(began))).toHaveLength(5);
    expect(await lost()).toBe(0);

    const second = await running.start(shared.env);
    const body = { advance: 'PT3M' };
    const moved = await second.call('operator@atrium.test', 'POST', '/api/v1/clock', { body });
    expect(moved.status).toBe(200);
    await second.signal('SIGTERM');
    await Promise.all([running.start(shared.env), running.start(shared.env)]);
    await expect.poll(lost).toBe(1);
    await letPass(500, 'a second report of the loss would have been recorded');
    expect(await lost()).toBe(1);
  });
};
