/** contract.md section 11: the personal data of one person in a ticket. */
import { describe, expect, it } from 'vitest';
import { ofPersonIn } from '../../../src/domain/erasures/of-person.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import { moved, noted, opened, recordedOf } from '../../support/domain/tickets.ts';

const zyx: Actor = { kind: 'user', id: 'zyx' };
const other: Actor = { kind: 'user', id: 'other' };
const program: Actor = { kind: 'key', id: 'k1' };
const person = { userIds: ['zyx'], emails: ['zyx@example.com'] };

const by = (...facts: readonly (readonly [Actor, TicketEvent])[]) =>
  recordedOf(facts.map(([, event]) => event)).map((fact, at) => ({ ...fact, by: facts[at]![0] }));

const note = (body: string, n: number): TicketEvent => ({
  ...noted(body),
  noteId: `7d0c1a52-8c0e-4f0c-9d39-00000000000${n}`,
});

describe('the personal data of a person in a ticket', () => {
  it('includes no ticket that they imported for others', () => {
    const facts = by([zyx, opened({ description: 'Of a tenant' })], [program, note('Called', 1)]);
    const imported = facts.map((fact) => ({ ...fact, origin: 'import' as const }));
    expect(ofPersonIn(imported, person)).toBeNull();
    expect(ofPersonIn(facts, person)).not.toBeNull();
  });

  it('includes their tickets as raised, and their own entries', () => {
    const found = ofPersonIn(
      by(
        [zyx, opened({ description: 'Mine' })],
        [other, { type: 'TicketEdited', changes: { description: 'Changed' } }],
        [zyx, note('My note', 1)],
        [other, note('Their note', 2)],
        [zyx, moved('new', 'cancelled')],
      ),
      person,
    );
    expect(found).toMatchObject({
      ticket: { description: 'Changed' },
      asRaised: { description: 'Mine' },
      items: [{ body: 'My note' }, { kind: 'state' }],
    });
    expect(found!.items).toHaveLength(2);
  });

  it('includes texts written by a program when they are the reporter', () => {
    const opening = opened({ reporterEmail: 'ZYX@example.com' });
    const facts = by([program, opening], [program, note('By mail', 1)]);
    expect(ofPersonIn(facts, person)).toMatchObject({
      asRaised: {},
      items: [{ body: 'By mail' }],
    });
    expect(ofPersonIn(facts, { userIds: [], emails: ['else@example.com'] })).toBeNull();
  });

  it('includes nothing that a program wrote on a ticket that they raised for others', () => {
    const facts = by([zyx, opened({ reporterEmail: 'x@x.test' })], [program, note('Called', 1)]);
    expect(ofPersonIn(facts, person)).toMatchObject({ asRaised: {}, items: [] });
  });

  it('includes only their own actions in a ticket of others', () => {
    const found = ofPersonIn(by([other, opened()], [zyx, note('Helping', 1)]), person);
    expect(found).toMatchObject({ asRaised: null, items: [{ body: 'Helping' }] });
    expect(ofPersonIn(by([other, opened()]), person)).toBeNull();
  });

  it('does not confuse an erased user with a person called "erased"', () => {
    const facts = by([{ kind: 'user', id: 'erased', erased: true }, opened()]);
    expect(ofPersonIn(facts, { userIds: ['erased'], emails: [] })).toBeNull();
  });
});
