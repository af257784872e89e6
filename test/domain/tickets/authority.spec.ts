/** Who may command a ticket: its own organisation and Atrium itself, and nobody else. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorityOf, mayAddress, systemAuthority } from '../../../src/domain/authority.ts';
import type { Authority } from '../../../src/domain/authority.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { noon } from '../../support/domain/specify.ts';
import { anyCommandToTicket, anyStory, stepsOf } from '../../support/domain/ticket-stories.ts';
import { acme, draft } from '../../support/domain/tickets.ts';

/** Names that a careless comparison takes for another organisation's, or for none. */
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
  it('of an organisation may address what is its own, and nothing else', () =>
    fc.assert(
      fc.property(name, name, (organisation, owner) => {
        expect(mayAddress(authorityOf(organisation), owner)).toBe(organisation === owner);
        expect(mayAddress(authorityOf(owner), owner)).toBe(true);
      }),
    ));

  it('of the system may address what is of any organisation', () =>
    fc.assert(
      fc.property(name, (owner) => {
        expect(mayAddress(systemAuthority, owner)).toBe(true);
      }),
    ));
});

describe('whatever has happened to a ticket, and whatever the command', () => {
  it('another organisation is told that there is none', () =>
    always((decide, other) => {
      fc.pre(other !== draft.organisation);
      expect(decide(authorityOf(other))).toMatchObject({ refused: 'NOT_FOUND' });
    }));

  it('the system gets what the own organisation gets', () =>
    always((decide) => expect(decide(systemAuthority)).toEqual(decide(acme))));

  it('of a ticket that nobody has opened, everybody is told that there is none', () =>
    fc.assert(
      fc.property(anyCommandToTicket, (command) => {
        expect(ticketDecider.decide(command, null, noon)).toMatchObject({ refused: 'NOT_FOUND' });
      }),
    ));
});
