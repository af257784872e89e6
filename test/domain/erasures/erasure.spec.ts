/** Repeated erasure requests for the same person. contract.md section 11, decision 0124. */
import { expect, it } from 'vitest';
import { erasureDecider, type Erasure } from '../../../src/domain/erasures/erasure.ts';
import type { ErasureEvent, ErasureRequested } from '../../../src/domain/erasures/events.ts';

const AT = '2026-05-01T08:00:00.000Z';
const asked = (texts: ErasureRequested['texts'], textKeys: string[] = []): ErasureRequested => ({
  type: 'ErasureRequested',
  erasureId: '0f6c1f4e-6d7c-4a80-9f2b-6b8f5d3c2a10',
  organisation: 'acme',
  identityKeys: ['5b0c7a1e-2f43-4b7e-8f60-9d1c3e5a7b90'],
  textKeys,
  texts,
  sessions: 0,
  reason: 'Letter',
});
const finished = (requests: number): ErasureEvent => ({
  type: 'ErasureFinished',
  erasureId: asked('keep').erasureId,
  requests,
  found: { tickets: 0, notes: 0, attachments: 0, sessions: 0 },
});
const after = (...events: readonly ErasureEvent[]): Erasure | null =>
  events.reduce<Erasure | null>((state, one) => erasureDecider.evolve(one, state, AT), null);
const TEXTS = ['c2a7d1f0-8e35-4f6b-b0a9-1d2e3f405162'];
const repeat = (erasure: Erasure | null, texts: ErasureRequested['texts'], isUndone = false) => {
  const { type: _, ...request } = asked(texts, TEXTS);
  const occasion = {
    at: AT,
    by: { kind: 'system', id: 'log-restored' },
    origin: 'system',
  } as const;
  return erasureDecider.decide({ type: 'RepeatErasure', ...request, isUndone }, erasure, occasion);
};

it('is repeated once when the log lacks the erasure of texts', () => {
  const restored = after(asked('keep', TEXTS), finished(1));
  const [again] = repeat(restored, 'erase') as readonly ErasureEvent[];
  expect(again).toMatchObject({ type: 'ErasureRequested', texts: 'erase' });
  const repeated = after(asked('keep', TEXTS), finished(1), again!, finished(2));
  expect(repeat(repeated, 'erase')).toEqual([]);
  expect(repeat(repeated, 'keep')).toEqual([]);
});

it('keeps no erased texts after any later request', () => {
  expect(after(asked('erase', TEXTS), asked('keep', TEXTS))).toMatchObject({ texts: 'erase' });
  expect(after(asked('keep', TEXTS), asked('erase', TEXTS))).toMatchObject({ texts: 'erase' });
});
