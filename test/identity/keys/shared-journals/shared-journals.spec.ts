/** The guarantees of shared journals under failures. docs/decisions/0055. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SHARED_JOURNALS } from '../../../../src/domain/keys/shared-journals.ts';
import {
  SHARED_JOURNALS_OF_PROCESS,
  SHARED_JOURNALS_OPEN_MAX,
} from '../../../../src/identity/keys/limits.ts';
import { LOG_APPEND_LEFT_MIN_MS, LOG_CALL_TIMEOUT_MS } from '../../../../src/engine/limits.ts';
import { systemClock } from '../../../../src/engine/time/clock.ts';
import {
  GuardMoved,
  LogUnavailable,
  type Appended,
  type EventStore,
} from '../../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../../src/engine/log/memory/store.ts';
import { serialised } from '../../../../src/engine/log/serialised.ts';
import { SharedJournals } from '../../../../src/identity/keys/shared-journals/shared-journals.ts';
import {
  chanceOf,
  unsteadyChannel,
  type UnsteadyOptions,
} from '../../../support/log/unsteady-channel.ts';
import { allEvents } from '../../../support/log/all-events.ts';

let log: EventStore;
beforeEach(() => {
  log = memoryEventStore();
});
afterEach(() => vi.restoreAllMocks());

const meta = { commandId: randomUUID(), at: '2026-03-01T09:00:00.000Z', by: 'user:ana' };
const happened = (type: string, data: object = {}, id = randomUUID()) => ({ id, type, data, meta });

const processOn = (options: Omit<UnsteadyOptions, 'log'> = { chance: () => 0 }) => {
  const channel = unsteadyChannel({ log, ...options });
  return { channel, journals: new SharedJournals(channel, systemClock) };
};

/** A use of a key, checked against the keyring at `revision`. */
const use = (
  journals: SharedJournals,
  keyring: string,
  revision: number | null,
  { period = '202603', id = randomUUID() } = {},
): Promise<Appended> => {
  const stream = `keyuse-acme.${period}`;
  const events = serialised(stream, [happened('KeyUsed', { keyring, revision }, id)]);
  const family = { category: 'keyuse', period };
  const guard = { stream: keyring, revision };
  return journals.append({ stream, expected: 'any', events, guard, family });
};

/** Appends a change and then announces it, as a backend does. */
const change = async (journals: SharedJournals, keyring: string): Promise<number> => {
  const { revision } = await log.append(keyring, 'any', [happened('KeyRevoked')]);
  await journals.announce(keyring, revision);
  return revision;
};

const uses = async () => (await allEvents(log)).filter(({ type }) => type === 'KeyUsed');
const openJournals = async () => {
  const open = new Set<string>();
  for (const { type, data } of await log.readStream(SHARED_JOURNALS, { limit: 10_000 })) {
    const { journal } = data as { journal: string };
    if (type === 'JournalOpened') open.add(journal);
    else open.delete(journal);
  }
  return [...open];
};

describe('an append under a guard', () => {
  it('is stored with those of other guards, in one journal per process', async () => {
    const { journals } = processOn();
    for (const keyring of ['keyring-a', 'keyring-b']) await change(journals, keyring);
    await Promise.all([use(journals, 'keyring-a', 0), use(journals, 'keyring-b', 0)]);
    await use(journals, 'keyring-a', 0);
    const streams = new Set((await uses()).map(({ stream }) => stream));
    expect([...streams]).toEqual(await openJournals());
    expect([...streams][0]).toMatch(/^keyuse-@[0-9a-f]{12}\.202603$/);
  });

  it('is refused where its guard has moved, without failing others', async () => {
    const { journals } = processOn();
    await change(journals, 'keyring-a');
    await change(journals, 'keyring-b');
    const outcomes = await Promise.allSettled([
      use(journals, 'keyring-a', null),
      use(journals, 'keyring-b', 0),
      use(journals, 'keyring-none', null),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(outcomes[0]).toMatchObject({ reason: expect.any(GuardMoved) });
  });

  it('needs no call but the append while no guard changes', async () => {
    const { journals, channel } = processOn();
    await change(journals, 'keyring-a');
    await use(journals, 'keyring-a', 0);
    const asked: string[] = [];
    const ask = channel.ask.bind(channel);
    channel.ask = (what, ms, work) =>
      ask(what, ms, (calls) =>
        work({
          append: (request) => {
            asked.push('append');
            return calls.append(request);
          },
          read: () => Promise.reject(new Error('it reads')),
          revisionOf: () => Promise.reject(new Error('it reads')),
        }),
      );
    for (let times = 0; times < 5; times += 1)
      await Promise.all(Array.from({ length: 20 }, () => use(journals, 'keyring-a', 0)));
    expect(asked).toEqual(Array(5).fill('append'));
  });

  it('is idempotent', async () => {
    const { journals } = processOn();
    await change(journals, 'keyring-a');
    const id = randomUUID();
    const first = await use(journals, 'keyring-a', 0, { id });
    expect(await use(journals, 'keyring-a', 0, { id })).toEqual({ ...first, repeated: true });
    expect(await uses()).toHaveLength(1);
  });

  it('whose answer was lost is found, and not stored again', async () => {
    const { journals, channel } = processOn();
    await change(journals, 'keyring-a');
    const before = await use(journals, 'keyring-a', 0);
    channel.loseNextAnswer();
    const appended = await use(journals, 'keyring-a', 0);
    expect(appended).toMatchObject({ revision: before.revision + 1, repeated: true });
    expect(await uses()).toHaveLength(2);
  });

  it('is refused alone where its time is over while others are sent', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { journals, channel } = processOn();
    await change(journals, 'keyring-a');
    /** Queued, and put into a group if a journal is idle. */
    const queued = async () => {
      const appended = use(journals, 'keyring-a', 0);
      for (let turns = 0; turns < 4; turns += 1) await turn();
      return { appended };
    };
    const queuedInEach = async () => {
      const all = [];
      for (let nth = 0; nth < SHARED_JOURNALS_OF_PROCESS; nth += 1) all.push(await queued());
      return all.map(({ appended }) => appended);
    };
    const opened = channel.freeze();
    const first = await queuedInEach();
    opened();
    await Promise.all(first);
    const open = await openJournals();
    expect(open).toHaveLength(SHARED_JOURNALS_OF_PROCESS);
    const thaw = channel.freeze();
    const sent = await queuedInEach();
    const late = Promise.allSettled([(await queued()).appended]);
    now = LOG_CALL_TIMEOUT_MS - LOG_APPEND_LEFT_MIN_MS;
    const fresh = await queued();
    now += 1;
    thaw();
    expect(await late).toMatchObject([{ reason: expect.any(LogUnavailable) }]);
    await Promise.all([...sent, fresh.appended]);
    expect(await openJournals()).toEqual(open);
  });

  it('of a later month is in another journal; of an earlier month it need not be', async () => {
    const { journals } = processOn();
    await change(journals, 'keyring-a');
    await use(journals, 'keyring-a', 0, { period: '202612' });
    await use(journals, 'keyring-a', 0, { period: '202701' });
    await use(journals, 'keyring-a', 0, { period: '202612' });
    const periods = (await uses()).map(({ stream }) => stream.slice(-6));
    expect(periods).toEqual(['202612', '202701', '202701']);
    expect((await openJournals()).map((name) => name.slice(-6))).toEqual(['202701']);
  });
});

describe('a change of a guard', () => {
  it('refuses, once announced, appends that another process has checked before it', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 0);
    expect(await change(others.journals, 'keyring-a')).toBe(1);
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
    await use(own.journals, 'keyring-a', 1);
  });

  it('accepts appends checked against it, though none has met the announcement yet', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 0);
    await change(others.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 1);
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
  });

  it('refuses the append of a process that was frozen during the change', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 0);
    const thaw = own.channel.freeze();
    const late = use(own.journals, 'keyring-a', 0);
    await change(others.journals, 'keyring-a');
    thaw();
    await expect(late).rejects.toBeInstanceOf(GuardMoved);
    expect(await uses()).toHaveLength(1);
  });

  it('is announced by the process that finds it, where its own has died before', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 0);
    const { revision } = await log.append('keyring-a', 'any', [happened('KeyRevoked')]);
    await others.journals.announce('keyring-a', revision);
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
  });

  it('is announced only on a log that includes it, with all journals opened before', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    const { position } = await log.head();
    await use(own.journals, 'keyring-a', 0);
    const catchUp = others.channel.fallBehind(position);
    const changed = change(others.journals, 'keyring-a');
    for (let turns = 0; turns < 20; turns += 1) await turn();
    catchUp();
    await changed;
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
  });

  it('is seen by a process that opens its journal during the change', async () => {
    const others = processOn();
    await change(others.journals, 'keyring-a');
    // The change is stored and the journals are listed before the other process opens one.
    const { revision } = await log.append('keyring-a', 'any', [happened('KeyRevoked')]);
    await others.journals.announce('keyring-a', revision);
    const own = processOn();
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
  });
});

describe('journals of ended processes', () => {
  it('are closed when their process stops', async () => {
    const { journals } = processOn();
    await change(journals, 'keyring-a');
    await use(journals, 'keyring-a', 0);
    await journals.close();
    expect(await openJournals()).toEqual([]);
    expect((await allEvents(log)).at(-2)).toMatchObject({ type: 'JournalClosed' });
  });

  it('are closed before they are deleted', async () => {
    const { journals } = processOn();
    await change(journals, 'keyring-a');
    await use(journals, 'keyring-a', 0);
    const [journal] = await openJournals();
    await journals.retire('keyuse-acme.202603');
    expect(await openJournals()).toEqual([journal]);
    await journals.retire(journal!);
    expect(await openJournals()).toEqual([]);
    await use(journals, 'keyring-a', 0);
    expect(await openJournals()).toHaveLength(1);
  });

  it('are abandoned by a frozen process if they were closed before its first append', async () => {
    const [own, others] = [processOn(), processOn()];
    await change(others.journals, 'keyring-a');
    let closed: string | undefined;
    own.channel.beforeAppendTo('keyuse', async () => {
      [closed] = await openJournals();
      await others.journals.retire(closed!);
    });
    await use(own.journals, 'keyring-a', 0);
    const [stored] = await uses();
    expect(stored?.stream).not.toBe(closed);
    await change(others.journals, 'keyring-a');
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(GuardMoved);
  });

  it('are closed when there are too many, and a running process opens another one', async () => {
    const first = processOn();
    await change(first.journals, 'keyring-a');
    await use(first.journals, 'keyring-a', 0);
    for (let nth = 0; nth < SHARED_JOURNALS_OPEN_MAX; nth += 1)
      await use(processOn().journals, 'keyring-a', 0);
    expect(await openJournals()).toHaveLength(SHARED_JOURNALS_OPEN_MAX);
    await use(first.journals, 'keyring-a', 0);
    const journals = (await uses()).map(({ stream }) => stream);
    expect(journals.at(-1)).not.toBe(journals[0]);
    expect(await openJournals()).toContain(journals.at(-1));
  });
});

describe('a process whose log was unavailable for too long', () => {
  const afterOutage = async () => {
    const own = processOn();
    await change(own.journals, 'keyring-a');
    await use(own.journals, 'keyring-a', 0);
    const back = own.channel.goAway();
    await expect(use(own.journals, 'keyring-a', 0)).rejects.toBeInstanceOf(LogUnavailable);
    return { ...own, back };
  };

  it('closes its journal when it opens the next one', async () => {
    const { journals, back } = await afterOutage();
    const before = await openJournals();
    back();
    await use(journals, 'keyring-a', 0);
    expect(await openJournals()).toHaveLength(1);
    expect(await openJournals()).not.toEqual(before);
    await journals.close();
    expect(await openJournals()).toEqual([]);
  });

  it('closes its journal when it stops before it opens another one', async () => {
    const { journals, back } = await afterOutage();
    back();
    await journals.close();
    expect(await openJournals()).toEqual([]);
  });

  it('continues though the journal has been deleted meanwhile', async () => {
    const { journals, back } = await afterOutage();
    const [journal] = await openJournals();
    const other = processOn();
    await other.journals.retire(journal!);
    await log.deleteStream(journal!);
    back();
    await use(journals, 'keyring-a', 0);
    expect(await log.readStream(journal!)).toEqual([]);
    expect(await openJournals()).toHaveLength(1);
  });
});

describe('many processes', () => {
  it('each keep their two journals open, one hundred and twenty-eight of them', async () => {
    const count = SHARED_JOURNALS_OPEN_MAX / SHARED_JOURNALS_OF_PROCESS;
    expect(count).toBe(128);
    const processes = Array.from({ length: count }, () => processOn());
    await change(processes[0]!.journals, 'keyring-a');
    /** A use is queued in the turn after the channel is ready, and sent at the end of it. */
    const sent = async () => {
      await turn();
      await turn();
    };
    const round = async () => {
      for (const { journals, channel } of processes) {
        const thaw = channel.freeze();
        const first = use(journals, 'keyring-a', 0);
        await sent();
        const second = use(journals, 'keyring-a', 0);
        await sent();
        thaw();
        await Promise.all([first, second]);
      }
    };
    await round();
    const open = await openJournals();
    expect(open).toHaveLength(SHARED_JOURNALS_OPEN_MAX);
    await round();
    expect(await openJournals()).toEqual(open);
  });
});

describe('while connections break, servers lag, and processes freeze and are killed', () => {
  const KEYRINGS = Array.from({ length: 5 }, (_, nth) => `keyring-${nth}`);

  it.each(Array.from({ length: 8 }, (_, nth) => nth + 1))(
    'no use follows the answer to a change that it was not checked against (seed %i)',
    async (seed) => {
      const chance = chanceOf(seed);
      const faults = { chance, breaks: 0.05, behind: 0.5 };
      for (const keyring of KEYRINGS)
        await log.append(keyring, 'no_stream', [happened('KeyIssued')]);
      /** For each answered change, the position of the log by then. */
      const answered: { keyring: string; revision: number; after: number }[] = [];
      const acknowledged = new Set<string>();
      const pick = () => KEYRINGS[Math.floor(chance() * KEYRINGS.length)]!;
      const over = new AbortController();

      const check = async ({ journals }: { journals: SharedJournals }) => {
        // Like the key check: uses the cached revision, and checks again where the guard has moved.
        const kept = new Map<string, number>();
        while (!over.signal.aborted) {
          const keyring = pick();
          const revision =
            kept.get(keyring) ??
            (await log.readStream(keyring, { backwards: true, limit: 1 }))[0]!.revision;
          kept.set(keyring, revision);
          const id = randomUUID();
          try {
            await use(journals, keyring, revision, { id });
            acknowledged.add(id);
          } catch (error) {
            if (error instanceof GuardMoved) kept.delete(keyring);
            // Frozen for longer than the deadline of an append, on a slow machine: no answer.
            else if (!(error instanceof LogUnavailable)) throw error;
          }
        }
      };
      const begin = () => {
        const one = processOn(faults);
        const lanes = Promise.all(Array.from({ length: 4 }, () => check(one)));
        return { ...one, lanes };
      };

      let checkers = [begin(), begin(), begin()];
      const changer = processOn(faults);
      for (let nth = 0; nth < 150; nth += 1) {
        const keyring = pick();
        const at = chance();
        if (at < 0.1) {
          checkers[0]!.channel.kill();
          checkers = [...checkers.slice(1), begin()];
        }
        const thaw = at < 0.4 ? checkers[1]!.channel.freeze() : () => {};
        if (at > 0.9) {
          // Stored by a process that is killed before it announces the change or answers.
          await log.append(keyring, 'any', [happened('KeyRevoked')]);
        }
        const revision = await change(changer.journals, keyring);
        answered.push({ keyring, revision, after: Number((await log.head()).position) });
        thaw();
      }
      over.abort();
      // Lanes of the killed ones never continue.
      await Promise.all(checkers.map(({ lanes }) => lanes));

      const stored = await uses();
      const late = stored.filter(({ position, data }) => {
        const judged = data as { keyring: string; revision: number };
        return answered.some(
          ({ keyring, revision, after }) =>
            keyring === judged.keyring && Number(position) > after && judged.revision < revision,
        );
      });
      expect(late).toEqual([]);
      const ids = stored.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect([...acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
      expect(acknowledged.size).toBeGreaterThan(100);
    },
  );
});
