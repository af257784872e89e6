import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GuardMoved,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../src/engine/log/event-store.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { keyUseLog, type KeyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { currentVersions } from '../support/log/keys.ts';
import { happened } from '../support/log/events.ts';
import { allEvents } from '../support/log/all-events.ts';

/** The guarantees of a key use's record, on every backend of the log. docs/decisions/0055. */
export const keyUseLogContract = (
  name: string,
  open: () => Promise<{
    store: EventStore;
    /** The same log, as another process opens it. */
    other: EventStore;
    close(): Promise<void>;
  }>,
) =>
  describe(`a use of a key on ${name}`, () => {
    let logs: readonly EventStore[];
    let processes: readonly KeyUseLog[];
    let close: () => Promise<void>;
    let category: string;
    let keyring: string;
    let start: Position | null;
    beforeEach(async () => {
      const opened = await open();
      logs = [opened.store, opened.other];
      processes = logs.map((log) =>
        keyUseLog({ log, clock: systemClock, versions: currentVersions }),
      );
      close = async () => {
        for (const uses of processes) await uses.close();
        await opened.close();
      };
      category = `c${randomUUID().replaceAll('-', '').slice(0, 12)}`;
      keyring = `keyring-${category}`;
      ({ position: start } = await logs[0]!.append(keyring, 'no_stream', [happened('Issued')]));
    });
    afterEach(() => close());

    const record = (
      [uses, organisation]: readonly [KeyUseLog, string],
      revision: number | null,
      event = happened('Used'),
    ) =>
      uses.record({
        journal: `${category}-${organisation}.202603`,
        family: { category, period: '202603' },
        event,
        guard: { stream: keyring, revision },
      });
    const recorded = async () => {
      const events = await allEvents(logs[0]!, { categories: [category] }, start);
      return events.filter(({ type }) => type === 'Used');
    };

    it('is stored under its own guard', async () => {
      const [one, other] = processes;
      const answers = await Promise.allSettled([
        record([one!, 'a'], 0),
        record([other!, 'b'], 0),
        record([one!, 'c'], null),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(answers[2]).toMatchObject({ reason: expect.any(GuardMoved) });
      expect(await recorded()).toHaveLength(2);
    });

    it('is refused in every process once a change of its keyring was announced', async () => {
      const [one, other] = processes;
      for (const uses of processes) await record([uses, 'a'], 0);
      const { revision } = await logs[1]!.append(keyring, 0, [happened('Revoked')]);
      await other!.announce(keyring, revision);
      for (const uses of processes)
        await expect(record([uses, 'a'], 0)).rejects.toBeInstanceOf(GuardMoved);
      expect(await recorded()).toHaveLength(2);
      await record([one!, 'a'], 1);
    });

    it('is stored once, though it is repeated later or concurrently', async () => {
      const once = happened('Used');
      const give = () => record([processes[0]!, 'a'], 0, once);
      const answers = [...(await Promise.all([give(), give(), give()])), await give()];
      expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
      expect(new Set(answers.map(({ position }) => position)).size).toBe(1);
      expect(await recorded()).toHaveLength(1);
    });

    it('is stored after a change that was announced twice', async () => {
      for (const revision of [0, 0]) await processes[0]!.announce(keyring, revision);
      await record([processes[0]!, 'a'], 0);
      expect(await recorded()).toHaveLength(1);
    });

    it('is stored in another journal once one was retired and deleted', async () => {
      const [uses] = processes;
      await record([uses!, 'a'], 0);
      const [{ stream }] = (await recorded()) as [StoredEvent];
      await uses!.retire(stream);
      await uses!.retire(stream);
      await logs[0]!.deleteStream(stream);
      const april = { category, period: '202604' };
      const [journal, guard] = [`${category}-a.202604`, { stream: keyring, revision: 0 }];
      await uses!.record({ journal, family: april, event: happened('Used'), guard });
      expect((await recorded()).at(-1)!.stream).toContain('.202604');
    });
  });
