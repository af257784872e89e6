/** Bytes in flight to a client, and the buffer for a client that does not read. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outbound, type Outbound } from '../../../src/api/live/outbound.ts';
import {
  LIVE_ACKNOWLEDGEMENT_BYTES,
  LIVE_KEPT_BYTES_MAX,
  LIVE_SENT_BYTES_MAX,
} from '../../../src/api/live/limits.ts';

const made = () => {
  const seen = { waiting: 0, sent: [] as string[], conflated: 0, overflows: 0 };
  const out = outbound({
    waiting: () => seen.waiting,
    conflated: () => (seen.conflated += 1),
    overflowed: () => (seen.overflows += 1),
  });
  return { out, seen };
};
const offer = (
  { out, seen }: { out: Outbound; seen: { sent: string[] } },
  name: string,
  supersededBy: string | null = null,
  { bytes = 1_000, at = '' } = {},
) =>
  out.offer({ supersededBy, at }, bytes, () => {
    seen.sent.push(name);
    return false;
  });
const stall = ({ out }: { out: Outbound }) => out.send(LIVE_SENT_BYTES_MAX + 1, () => false);

describe('data for a client', () => {
  it('is sent immediately while the client keeps up', () => {
    const client = made();
    offer(client, 'a');
    offer(client, 'b');
    expect(client.seen.sent).toEqual(['a', 'b']);
  });

  it('is kept when it is behind: the latest of each point in its order, and all else', () => {
    const client = made();
    stall(client);
    offer(client, 'A1', 'A');
    offer(client, 'alarm');
    offer(client, 'B1', 'B');
    offer(client, 'A2', 'A');
    offer(client, 'alarm again');
    expect(client.seen.sent).toEqual([]);
    client.out.drained();
    expect(client.seen.sent).toEqual(['alarm', 'B1', 'A2', 'alarm again']);
    expect(client.seen.conflated).toBe(1);
    offer(client, 'live');
    expect(client.seen.sent.at(-1)).toBe('live');
  });

  it('ends with the value that was observed last, whatever arrived late', () => {
    const step = fc.oneof(
      fc.record({ point: fc.constantFrom('A', 'B'), at: fc.integer({ min: 10, max: 20 }) }),
      fc.constant('drained' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const client = made();
        const offered: { name: string; point: string; at: number }[] = [];
        stall(client);
        for (const [index, taken] of steps.entries()) {
          if (taken === 'drained') {
            client.out.drained();
            stall(client);
          } else {
            const name = `${taken.point}${index}`;
            offered.push({ name, ...taken });
            offer(client, name, taken.point, { at: `${taken.at}` });
          }
        }
        client.out.drained();
        const { sent } = client.seen;
        const newest = ['A', 'B'].flatMap((point) => {
          const all = offered.filter((message) => message.point === point);
          const last = Math.max(...all.map(({ at }) => at));
          // Of two values of the same time the later one counts.
          return all.findLast(({ at }) => at === last)?.name ?? [];
        });
        expect(sent).toEqual(expect.arrayContaining(newest));
        expect(sent).toHaveLength(offered.length - client.seen.conflated);
      }),
    );
  });

  it('is sent in parts, and later data waits behind them', () => {
    const client = made();
    stall(client);
    const large = LIVE_SENT_BYTES_MAX;
    for (const name of ['a', 'b', 'c']) offer(client, name, null, { bytes: large });
    client.out.drained();
    expect(client.seen.sent).toEqual(['a', 'b']);
    offer(client, 'd');
    client.out.drained();
    expect(client.seen.sent).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is kept while its connection has too much to send, and follows when it has drained', () => {
    const client = made();
    client.seen.waiting = LIVE_SENT_BYTES_MAX + 1;
    offer(client, 'A1', 'A');
    offer(client, 'A2', 'A');
    client.out.drained();
    expect(client.seen.sent).toEqual([]);
    client.seen.waiting = 0;
    client.out.drained();
    expect(client.seen.sent).toEqual(['A2']);
  });

  it('is no load any more once the connection itself counts it', () => {
    const client = made();
    for (let count = 0; count < 10; count += 1) client.out.send(LIVE_SENT_BYTES_MAX, () => true);
    expect(client.out.isBehind()).toBe(false);
  });

  it('is dropped once when the buffer is full, and not sent any more', () => {
    const client = made();
    stall(client);
    const size = LIVE_KEPT_BYTES_MAX / 4;
    for (let index = 0; index < 10; index += 1)
      offer(client, `alarm ${index}`, null, { bytes: size });
    client.out.drained();
    expect(client.seen).toMatchObject({ sent: [], conflated: 0, overflows: 1 });
  });

  it('is given up as well when it asks on and does not read the answers', () => {
    const client = made();
    stall(client);
    const answers = LIVE_KEPT_BYTES_MAX / LIVE_ACKNOWLEDGEMENT_BYTES;
    for (let count = 0; count < answers; count += 1) client.out.afterwards(() => {});
    expect(client.seen.overflows).toBe(0);
    client.out.afterwards(() => {});
    expect(client.seen.overflows).toBe(1);
  });

  it('stays within the limit when only the same points update', () => {
    const client = made();
    stall(client);
    for (let index = 0; index < 100_000; index += 1) offer(client, `${index}`, `${index % 10}`);
    expect(client.seen.overflows).toBe(0);
    client.out.drained();
    expect(client.seen.sent).toHaveLength(10);
  });
});
