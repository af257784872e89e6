import { expect, it } from 'vitest';
import { chainListOf, chainListsAt, chainOf } from '../../../src/domain/keys/audit-chain.ts';
import { auditTerm, isChainKeptForEver } from '../../../src/domain/keys/retention.ts';
import { retiresAt as retiresAtOf } from '../../../src/engine/retention/terms.ts';

const retiresAt = (stream: string) => retiresAtOf(auditTerm, stream);
const AT = '2027-09-30T23:59:59.999Z';

it.each([
  ['keyuse-acme.202603', 'auditchains-202603'],
  ['keyuse-a.b-c.202601.202603', 'auditchains-202603'],
  ['keyuse-@3f0c1d5a9b21.202603', 'auditchains-202603'],
  ['keydenial-202603', 'auditchains-202603'],
  ['keycount-202603', 'auditchains-202603'],
  ['keyring-abcdefghijkl', 'auditchains-keyring'],
])('lists the chain of %s in %s', (journal, list) => expect(chainListOf(journal)).toBe(list));

it.each(['keyuse-acme.202603', 'keydenial-202603', 'keycount-202603'])(
  'keeps the chain of %s and its list as long as the journal itself, and finds both until then',
  (journal) => {
    expect(retiresAt(chainOf(journal))).toBe(retiresAt(journal));
    expect(retiresAt(chainListOf(journal))).toBe(retiresAt(journal));
    expect(chainListsAt(AT)).toContain(chainListOf(journal));
  },
);

it('keeps the chains of keyrings for ever', () => {
  for (const stream of ['auditchain-keyring-abcdefghijkl', 'auditchains-keyring'])
    expect([retiresAt(stream), isChainKeptForEver(stream)]).toEqual([null, true]);
  expect(isChainKeptForEver('auditchain-keyuse-acme.202603')).toBe(false);
});

it('looks for a chain in the month to come, where another clock is ahead', () =>
  expect(chainListsAt(AT)).toContain('auditchains-202710'));
