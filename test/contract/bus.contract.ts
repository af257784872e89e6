import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnusableMessage, type Bus, type Handler, type Message } from '../../src/bus/bus.ts';
import type { Subject } from '../../src/domain/bus/subject.ts';
import { PROCESS_ATTEMPTS_MAX } from '../../src/engine/limits.ts';
import { LogUnavailable } from '../../src/engine/log/event-store.ts';
import { until } from '../support/until.ts';
import type { RunningBus } from '../support/consumers/bus.ts';

/** A bus and the processes that use it. */
export interface BusUnderTest {
  /** The bus as a further process opens it. */
  process(): Promise<RunningBus>;
  /** The `eventId`s that the consumer of this name has parked, in the order of parking. */
  parked(consumer: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The guarantees of every bus. A bus's spec file calls this, and adds its own guarantees. */
export const busContract = (name: string, open: () => Promise<BusUnderTest>) =>
  describe(`${name} keeps the bus contract`, () => {
    let under: BusUnderTest;
    let own: RunningBus;
    let bus: Bus;
    let consumer: string;
    let ending: (() => Promise<void>)[];

    beforeEach(async () => {
      under = await open();
      ending = [];
      consumer = `test-${randomUUID().slice(0, 8)}`;
      own = await another();
      ({ bus } = own);
    });
    afterEach(async () => {
      for (const end of ending.splice(0).reverse()) await end();
      await under.close();
    });

    const another = async () => {
      const process = await under.process();
      ending.push(process.close);
      return process;
    };

    const subject = (type = 'test.rang', buildingId: string = randomUUID()): Subject => ({
      buildingId,
      type,
    });
    const ring = (to: Subject, eventId: string, data = { eventId }) =>
      bus.publish(to, data, { eventId, at: new Date().toISOString() });

    /** Consumes until it is stopped, or the test is over. */
    const consuming = (handle: Handler, on = own, name = consumer, types = ['test.rang']) => {
      const { stop } = on.consume({ name, types, handle });
      ending.push(stop);
      return stop;
    };
    const collecting = (on?: RunningBus, as?: string) => {
      const messages: Message[] = [];
      const end = consuming(
        async (message) => {
          messages.push(message);
        },
        on,
        as,
      );
      const eventIds = () => messages.map(({ eventId }) => eventId);
      return { messages, eventIds, end };
    };
    /** Registers the consumer, which then misses no message. */
    const registered = async () => {
      const first = collecting();
      const to = subject();
      // The first of them may be published before the registration.
      let rings = 0;
      const heard = async () => {
        await ring(to, `first-${(rings += 1)}`);
        return first.messages.length > 0;
      };
      await until(heard, 'the first message', { everyMs: 50 });
      await ring(to, 'known');
      await until(() => first.eventIds().includes('known'));
      return first;
    };

    it('delivers a message as it was published', async () => {
      const consumer = await registered();
      const to = subject();
      const data = { text: 'Zażółć 漢字 🏢', list: [1, null, { deep: true }] };
      const by = { kind: 'client', id: 'cafm' } as const;
      const at = new Date().toISOString();
      await bus.publish(to, data, { eventId: 'e', at, by });
      await until(() => consumer.eventIds().includes('e'));
      expect(consumer.messages.at(-1)).toMatchObject({ subject: to, eventId: 'e', data, at, by });
    });

    it('delivers only the subscribed types', async () => {
      const consumer = await registered();
      const { buildingId } = subject();
      await ring(subject('test.other', buildingId), 'other');
      await ring(subject('test.rang', buildingId), 'this');
      await until(() => consumer.eventIds().includes('this'));
      expect(consumer.eventIds()).not.toContain('other');
    });

    it('keeps the order of a building', async () => {
      const consumer = await registered();
      const to = [subject(), subject()];
      const names = Array.from({ length: 20 }, (_, n) => `${n % 2}-${n}`);
      for (const [n, name] of names.entries()) await ring(to[n % 2]!, name);
      const seen = (of: string) => consumer.eventIds().filter((id) => id.startsWith(of));
      await until(() => seen('0-').length + seen('1-').length === 20);
      for (const of of ['0-', '1-'])
        expect(seen(of)).toEqual(names.filter((id) => id.startsWith(of)));
    });

    it('delivers an event of a building once, as it was first published', async () => {
      const consumer = await registered();
      const [one, other] = [subject(), subject()];
      await ring(one, 'same');
      await ring(one, 'same', { eventId: 'changed' });
      await ring(other, 'same');
      await ring(other, 'last');
      await ring(one, 'last');
      await until(() => consumer.eventIds().filter((id) => id === 'last').length === 2);
      const same = consumer.messages.filter(({ eventId }) => eventId === 'same');
      expect(same.map(({ data }) => data)).toEqual([{ eventId: 'same' }, { eventId: 'same' }]);
      expect(new Set(same.map(({ id }) => id)).size).toBe(2);
    });

    it('keeps messages published while no consumer runs', async () => {
      const first = await registered();
      await first.end();
      const to = subject();
      for (const id of ['a', 'b']) await ring(to, id);
      const again = collecting();
      await until(() => again.messages.length >= 2);
      expect(again.eventIds()).toEqual(['a', 'b']);
    });

    it('redelivers an unacknowledged message under the same id', async () => {
      const first = await registered();
      await first.end();
      const received: Message[] = [];
      const doomed = await another();
      const to = subject();
      await ring(to, 'a');
      doomed.consume({
        name: consumer,
        types: ['test.rang'],
        handle: async (message) => {
          received.push(message);
          throw new LogUnavailable('it is gone');
        },
      });
      await until(() => received.length > 0);
      // As if the process ended while handling the message.
      ending.splice(ending.indexOf(doomed.close), 1);
      await doomed.close();
      const again = collecting();
      await until(() => again.messages.length > 0);
      expect(again.messages[0]).toMatchObject({ eventId: 'a', id: received[0]!.id });
    });

    it('redelivers a message without limit while a dependency of its handler is away', async () => {
      await (await registered()).end();
      let attempts = 0;
      const done: string[] = [];
      consuming(async ({ eventId }) => {
        attempts += 1;
        if (attempts <= PROCESS_ATTEMPTS_MAX + 1) throw new LogUnavailable('it is away');
        done.push(eventId);
      });
      await ring(subject(), 'a');
      await until(() => done.length > 0);
      expect(done).toEqual(['a']);
      expect(await under.parked(consumer)).toEqual([]);
    });

    it('parks an unusable message at once, and continues with the building', async () => {
      await (await registered()).end();
      const tried: string[] = [];
      consuming(async ({ eventId }) => {
        tried.push(eventId);
        if (eventId === 'poison') throw new UnusableMessage('no handle');
      });
      const to = subject();
      for (const id of ['poison', 'next']) await ring(to, id);
      await until(() => tried.includes('next'));
      expect(tried).toEqual(['poison', 'next']);
      await expect.poll(() => under.parked(consumer)).toEqual(['poison']);
    });

    it('parks a message that fails repeatedly', async () => {
      await (await registered()).end();
      const tried: string[] = [];
      consuming(async ({ eventId }) => {
        tried.push(eventId);
        if (eventId === 'bug') throw new TypeError('undefined is not a function');
      });
      const to = subject();
      for (const id of ['bug', 'next']) await ring(to, id);
      await until(() => tried.includes('next'));
      const attempts = tried.filter((id) => id === 'bug').length;
      expect(attempts).toBe(PROCESS_ATTEMPTS_MAX);
      await expect.poll(() => under.parked(consumer)).toEqual(['bug']);
    });

    it('runs one consumer of a name at a time, in any process', async () => {
      const first = await registered();
      const elsewhere = await another();
      const second = collecting(elsewhere);
      const to = subject();
      const ids = Array.from({ length: 10 }, (_, n) => `n${n}`);
      for (const id of ids) await ring(to, id);
      const both = () => [...first.eventIds(), ...second.eventIds()];
      const all = () => both().filter((id) => id.startsWith('n'));
      await until(() => all().length >= ids.length);
      await first.end();
      await ring(to, 'n-last');
      await until(() => second.eventIds().includes('n-last'));
      expect(all()).toEqual([...ids, 'n-last']);
    });
  });
