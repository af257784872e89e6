/** How a command waits for the owner that carries out its request. */
import { expect, it } from 'vitest';
import { requested } from '../../../src/operator/projections/requested.ts';
import type { ProjectionRequest } from '../../../src/engine/projections/read-models.ts';

const verification: ProjectionRequest = {
  id: '1',
  name: 'key-audit',
  version: 2,
  kind: 'verify',
  stream: null,
  acceptParked: false,
  state: 'waiting',
  askedAt: '2026-03-02T09:00:00.000Z',
  askedBy: 'test',
  endedAt: null,
  progress: null,
  result: null,
  error: null,
};
const progress = { phase: 'reading', done: 1, total: 2, perSecond: 1, secondsLeft: 1 } as const;
const done = { ...verification, state: 'done', endedAt: verification.askedAt } as const;

/** @param looks The requests returned by each poll; the last one is repeated. */
const asking = async (...looks: readonly (readonly ProjectionRequest[])[]) => {
  const cancelled: string[] = [];
  let look = 0;
  const models = {
    ask: async () => verification,
    requests: async () => looks[Math.min(look++, looks.length - 1)]!,
    async cancel(name: string) {
      cancelled.push(name);
      return null;
    },
  };
  const opened = { models, feed: async () => {}, signal: new AbortController().signal };
  const asked = { kind: 'verify', by: 'test' } as const;
  const limits = { begunWithinMs: 0.001 };
  const outcome = await requested(opened, 'key-audit', asked, limits).catch(String);
  return { outcome, cancelled };
};

it('cancels a request that no process begins within the limit, and reports so', async () => {
  const { outcome, cancelled } = await asking([verification]);
  expect(outcome).toMatch(
    /^OperatorError: no process has begun the verify of key-audit within 0.000001 s: .*$/,
  );
  expect(cancelled).toEqual(['key-audit']);
});

it('keeps waiting while the owner works, on this request or on another', async () => {
  const { outcome, cancelled } = await asking(
    [verification, { ...verification, id: '2', progress }],
    [done],
  );
  expect([outcome, cancelled]).toEqual([done, []]);
});
