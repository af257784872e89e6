import { expect, it } from 'vitest';
import { z } from 'zod';
import type { EventType } from '../../../src/engine/log/codec.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { writtenVersions } from '../../../src/engine/log/written-versions.ts';
import { isWrittenSealed } from '../../../src/engine/personal/written-sealed.ts';

const typeOf = (version: number, since: number | null): EventType => ({
  schema: z.object({}),
  version,
  writtenBefore: { version: version - 1, data: (data) => data },
  ...(since === null ? {} : { personal: { since, partsOf: () => [] } }),
});
const isSealed = async (types: ReadonlyMap<string, EventType>, raises = false) => {
  const versions = writtenVersions(memoryEventStore(), types);
  if (raises) await versions.raise({ kind: 'system', id: 'test' }, '2026-05-01T00:00:00.000Z');
  return isWrittenSealed(versions, types);
};

it('is true once no type with personal data is written in an unsealed version', async () => {
  const sealedLater = new Map([['Opened', typeOf(2, 2)]]);
  expect(await isSealed(sealedLater)).toBe(false);
  expect(await isSealed(sealedLater, true)).toBe(true);
});

it('ignores older written versions of types without personal data, or sealed ones', async () => {
  expect(await isSealed(new Map([['Counted', typeOf(2, null)]]))).toBe(true);
  expect(await isSealed(new Map([['Opened', typeOf(3, 2)]]))).toBe(true);
});
