/** Who may command a ticket: only its own organisation and Atrium itself. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorityOf, mayAddress, systemAuthority } from '../../../src/domain/authority.ts';
import type { Authority } from '../../../src/domain/authority.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { noon } from '../../support/domain/specify.ts';
import { anyCommandToTicket, anyStory, stepsOf } from '../../support/domain/ticket-stories.ts';
import { acme, draft } from '../../support/domain/tickets.ts';

/** Names that a careless comparison confuses with another organisation's, or with none. */
const names = ['acme', 'Acme', 'acme ', 'acm', '', 'null', 'system', '__proto__'];
const name = fc.oneof(fc.constantFrom(...names), fc.string());

const always = (
  property: (decide: (authority: Authority) => unknown, other: string) => void,
): void =>
  fc.assert(
    fc.property(anyStory, anyCommandToTicket, name, (story, command, other) => {
      const ticket = stepsOf(story).at(-1)!.after;
      property((authority) => ticketDecider.decide({ ...command, authority }, ticket, noon), other);
    }),
    { numRuns: 300 },
  );

describe('an authority', () => {
  it('of an organisation may address only its own resources', () =>
    fc.assert(
      fc.property(name, name, (organisation, owner) => {
        expect(mayAddress(authorityOf(organisation), owner)).toBe(organisation === owner);
        expect(mayAddress(authorityOf(owner), owner)).toBe(true);
      }),
    ));

  it('of the system may address resources of any organisation', () =>
    fc.assert(
      fc.property(name, (owner) => {
        expect(mayAddress(systemAuthority, owner)).toBe(true);
      }),
    ));
});

describe('any command after any history of a ticket', () => {
  it('is refused with NOT_FOUND for another organisation', () =>
    always((decide, other) => {
      fc.pre(other !== draft.organisation);
      expect(decide(authorityOf(other))).toMatchObject({ refused: 'NOT_FOUND' });
    }));

  it('has the same outcome for the system as for the own organisation', () =>
    always((decide) => expect(decide(systemAuthority)).toEqual(decide(acme))));

  it('is refused with NOT_FOUND before the ticket is opened', () =>
    fc.assert(
      fc.property(anyCommandToTicket, (command) => {
        expect(ticketDecider.decide(command, null, noon)).toMatchObject({ refused: 'NOT_FOUND' });
      }),
    ));
});
