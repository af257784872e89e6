import { expect, it } from 'vitest';
import {
  familyOfShared,
  periodAfter,
  sharedJournalOf,
} from '../../../src/domain/keys/shared-journals.ts';
import { mayHoldUsesOf, useFamily } from '../../../src/domain/keys/journals.ts';

it.each([
  ['keyuse-acme.202603', 'acme', true],
  ['keyuse-acme.202603', 'globex', false],
  ['keyuse-a.b-c.202603', 'a.b-c', true],
  ['keyuse-@3f0c1d5a9b21.202603', 'acme', true],
  ['keyuse-@3f0c1d5a9b21.202603', null, false],
  ['keydenial-202603', null, true],
  ['keydenial-202603', 'acme', false],
])('%s may hold uses of %s: %s', (journal, organisation, may) =>
  expect(mayHoldUsesOf(journal, organisation)).toBe(may),
);

it("distinguishes a shared journal, and its family, from an organisation's journal", () => {
  const family = useFamily('2026-03-31T23:59:59.999Z');
  expect(familyOfShared(sharedJournalOf(family, '3f0c1d5a9b21'))).toEqual(family);
  for (const other of ['keyuse-acme.202603', 'keyuse-a@b.202603', 'keyring-abc', 'keyuse-@x'])
    expect(familyOfShared(other)).toBeNull();
});

it.each([
  ['202603', '202604'],
  ['202612', '202701'],
])('after %s comes %s', (period, next) => expect(periodAfter(period)).toBe(next));
