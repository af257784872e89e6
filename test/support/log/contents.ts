/** Varied logs to move to another database, and the properties that the move must keep. */
import type { EventStore, NewEvent, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { isOwn } from '../../../src/engine/log/log-identity.ts';
import { happened } from './events.ts';
import { allEvents } from './all-events.ts';

/** Texts of JSON and UTF-8 that break code which assumes ASCII. */
const texts = [
  'plain',
  'Ünïcödé «3. OG» – 温度 🌡️',
  'line\nbreaks\r\nand \u2028 the other \u2029 ones',
  'nul \u0000 and lone \uD800 surrogates',
  '{"json":"within"}',
];

const eventOf = (n: number): NewEvent =>
  happened(n % 7 === 0 ? 'TicketÄndert' : 'TicketUpdated', {
    n,
    text: texts[n % texts.length],
    // Most are small; a few are large.
    ...(n % 997 === 0 ? { big: 'ß'.repeat(60_000) } : {}),
    nested: { list: [1, -0.5, 1e21, null, true, { deep: [] }], empty: {}, '2': 'b', '1': 'a' },
  });

/**
 * Fills `log` with `events` events in `streams` streams of several categories, interleaved at short
 * and long distances, in appends of one and of several events.
 */
export const fill = async (log: EventStore, events: number, streams: number): Promise<void> => {
  const categories = ['ticket', 'keyuse', 'building'];
  const revisions = new Map<string, number>();
  for (let n = 0; n < events;) {
    const batch = new Map<string, NewEvent[]>();
    for (let slot = 0; slot < 200 && n < events; slot += 1) {
      // A walk that meets its own steps again.
      const at = (n * n + 31 * slot) % streams;
      const stream = `${categories[at % 3]}-${at}`;
      const events = batch.get(stream) ?? [];
      batch.set(stream, events);
      events.push(eventOf(n));
      n += 1;
    }
    await Promise.all(
      [...batch].map(async ([stream, appended]) => {
        const expected = revisions.get(stream) ?? 'no_stream';
        const { revision } = await log.append(stream, expected, appended);
        revisions.set(stream, revision);
      }),
    );
  }
};

/** All events of the log to move, in its order. */
export const everythingIn = async (log: EventStore): Promise<StoredEvent[]> => {
  const events = await allEvents(log);
  return events.filter(({ stream }) => !isOwn(stream));
};

/** An event without the members that depend on the log: position and time of recording. */
export const lasting = (events: readonly StoredEvent[]): string[] =>
  events.map(({ stream, revision, id, type, data, meta }) =>
    JSON.stringify([stream, revision, id, type, data, meta]),
  );
