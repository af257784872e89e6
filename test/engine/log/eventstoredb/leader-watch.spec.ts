/** When connections are replaced: the test controls the calls and the gossip. */
import { EventStoreDBClient } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  LOG_LEADER_LOOKED_UP_MS,
  LOG_LEADER_LOOK_MS,
  LOG_SILENT_MS,
} from '../../../../src/engine/limits.ts';
import { silent } from '../../../../src/engine/observe/report.ts';
import { leaderWatch } from '../../../../src/engine/log/eventstoredb/leader-watch.ts';
import {
  ClientFailover,
  Replaced,
  type ActiveClient,
} from '../../../../src/engine/log/eventstoredb/client-failover.ts';

const never = () => new Promise<never>(() => {});
const noAnswer = () => false;

let leader: string | null;
let looks: number;
let watch: ReturnType<typeof leaderWatch>;
let clients: ClientFailover;

beforeEach(() => {
  vi.useFakeTimers();
  leader = 'a';
  looks = 0;
  const gossip = {
    leader: async () => {
      looks += 1;
      return leader;
    },
  };
  watch = leaderWatch(gossip, silent);
  const open = () => EventStoreDBClient.connectionString('esdb://127.0.0.1:1?tls=false');
  clients = new ClientFailover(open, watch);
  watch.watched.add(clients);
});
afterEach(async () => {
  watch.stop();
  vi.useRealTimers();
  await clients.dispose();
});

const answered = () => clients.ask(async () => 'answer', noAnswer);
const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('an unanswered call', () => {
  it('ends as soon as another server leads, and the next call has another client', async () => {
    await answered();
    await passes(0);
    const before = clients.current;
    const outcome = clients.ask(never, noAnswer).catch((error: unknown) => error);
    await passes(LOG_SILENT_MS + 10 * LOG_LEADER_LOOK_MS);
    expect(clients.current).toBe(before);
    leader = null;
    await passes(LOG_LEADER_LOOK_MS);
    expect(clients.current).toBe(before);
    leader = 'b';
    await passes(LOG_LEADER_LOOK_MS);
    expect(await outcome).toBeInstanceOf(Replaced);
    expect(clients.current).not.toBe(before);
    expect([before.replaced.aborted, clients.current.replaced.aborted]).toEqual([true, false]);
    expect(clients.waitingSince).toBeNull();
  });

  it('continues while the same server leads, however long', async () => {
    await answered();
    await passes(0);
    const before = clients.current;
    void clients.ask(never, noAnswer);
    await passes(60_000);
    expect(clients.current).toBe(before);
  });

  it('replaces the connection once where the previous leader is unknown', async () => {
    const seen = new Set<ActiveClient>([clients.current]);
    const call = () => clients.ask(never, noAnswer).catch(() => {});
    void call();
    for (let times = 0; times < 20; times += 1) {
      await passes(LOG_SILENT_MS);
      seen.add(clients.current);
      void call();
    }
    expect(seen.size).toBe(2);
  });
});

describe('the leader', () => {
  it('is looked up only now and then while calls are answered', async () => {
    for (let ms = 0; ms < 3 * LOG_LEADER_LOOKED_UP_MS; ms += 100) {
      await answered();
      await passes(100);
    }
    expect(looks).toBe(3);
  });

  it('is looked up again after a failed call: the client may have failed over itself', async () => {
    await answered();
    await passes(0);
    leader = 'b';
    const fails = clients.ask(() => Promise.reject(new Error('gone')), noAnswer);
    await expect(fails).rejects.toThrow('gone');
    await answered();
    await passes(0);
    const before = clients.current;
    void clients.ask(never, noAnswer).catch(() => {});
    await passes(10 * LOG_SILENT_MS);
    expect(clients.current).toBe(before);
    leader = 'a';
    await passes(LOG_LEADER_LOOK_MS);
    expect(clients.current).not.toBe(before);
  });
});
