/** The order in which an import processes its lines, and its backpressure. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { importTickets, type ImportingParts } from '../../../src/api/tickets/importing.ts';
import type { ImportOutcome } from '../../../src/api/tickets/import-schemas.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import { TICKETS_UNSHOWN_MAX } from '../../../src/api/tickets/limits.ts';

const buildingId = randomUUID();
const linesOf = async function* (keys: readonly string[]) {
  for (const [at, importKey] of keys.entries()) {
    const json = Buffer.from(JSON.stringify({ importKey, buildingId, description: 'x' }));
    yield { number: at + 1, json };
  }
};

/** Runs it; `isFollowed` says whether lists follow. */
const importing = async (
  keys: readonly string[],
  open: (importKey: string) => Promise<boolean>,
  isFollowed = true,
) => {
  const outcomes: ImportOutcome[] = [];
  const awaited: string[] = [];
  let position = 0;
  const parts: ImportingParts = {
    async open({ importKey }) {
      const replayed = await open(importKey);
      position += 1;
      const view = { id: randomUUID(), number: importKey } as TicketView;
      return { view, revision: 0, position: String(position), replayed, recorded: [] };
    },
    visibility: {
      async waitFor(_, at) {
        awaited.push(at);
        return isFollowed;
      },
      near: async () => true,
      commandWaitMs: 500,
      readWaitMs: 2_000,
      isPosition: () => true,
    },
  };
  const imported = await importTickets(parts, {
    lines: linesOf(keys),
    organisation: 'acme',
    occasion: () => ({
      at: '2026-03-02T12:00:00.000Z',
      by: { kind: 'user', id: 'ana' },
      origin: 'api',
    }),
    opening: {},
    report: pino({ level: 'silent' }),
    onAnswer: async (answer) => void outcomes.push(answer),
  });
  return { ...imported, outcomes, awaited };
};

it('works on lines of one key one after the other, beside those of others', async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const { outcomes, summary } = await importing(['a', 'a', 'b', 'a'], async (key) => {
    const isThere = begun.includes(key);
    begun.push(key);
    if (key === 'b') first.resolve();
    // The first line of the key waits for a line that follows the second.
    if (begun.length === 1) await first.promise;
    return isThere;
  });
  expect(begun).toEqual(['a', 'b', 'a', 'a']);
  expect(outcomes.map(({ status }) => status)).toEqual(['created', 'exists', 'created', 'exists']);
  expect(summary).toEqual({ created: 2, exists: 2, failed: 0 });
});

describe('an import', () => {
  const many = Array.from({ length: 4 * TICKETS_UNSHOWN_MAX }, (_, at) => String(at));

  it('waits until the lists show earlier tickets of the import', async () => {
    const { awaited, outcomes } = await importing(many, async () => false);
    expect(outcomes).toHaveLength(many.length);
    expect(awaited).toEqual([1, 2, 3].map((nth) => String(nth * TICKETS_UNSHOWN_MAX)));
  });

  it('waits only once for read models that do not catch up', async () => {
    const { awaited, outcomes } = await importing(many, async () => false, false);
    expect([outcomes.length, awaited.length]).toEqual([many.length, 1]);
  });

  it('does not wait when it opens no ticket', async () => {
    const { awaited, position } = await importing(many, async () => true);
    expect([awaited, position]).toEqual([[], null]);
  });
});
