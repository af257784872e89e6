/** Events for one journal, some of which another process may have stored. */
import { beforeEach, expect, it } from 'vitest';
import { appendAny } from '../../../src/engine/log/append-any.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { happened, typesOf } from '../../support/log/events.ts';

let log: EventStore;
let appends: number;
let counted: Pick<EventStore, 'append'>;
beforeEach(() => {
  log = memoryEventStore();
  appends = 0;
  counted = {
    append: (...given) => {
      appends += 1;
      return log.append(...given);
    },
  };
});
const stored = async () => typesOf(await log.readStream('journal-a'));

it('stores them in one append, and repeated as a whole stores none again', async () => {
  const events = [happened('One'), happened('Two'), happened('Three')];
  expect(await appendAny(counted, 'journal-a', events)).toMatchObject([{ revision: 2 }]);
  await appendAny(counted, 'journal-a', events);
  expect(appends).toBe(2);
  expect(await stored()).toEqual(['One', 'Two', 'Three']);
});

it('stores each once, in order, where another process has stored some of them', async () => {
  const [one, two, three] = [happened('One'), happened('Two'), happened('Three')];
  await log.append('journal-a', 'any', [two]);
  const appended = await appendAny(counted, 'journal-a', [one, two, three]);
  expect(appended.map(({ revision }) => revision)).toEqual([1, 0, 2]);
  expect(await stored()).toEqual(['Two', 'One', 'Three']);
});

it('throws any error but a wrong revision, without a second append', async () => {
  const down = {
    append: async () => {
      appends += 1;
      throw new LogUnavailable('down');
    },
  };
  const appending = appendAny(down, 'journal-a', [happened('One'), happened('Two')]);
  await expect(appending).rejects.toThrow(LogUnavailable);
  expect(appends).toBe(1);
});
