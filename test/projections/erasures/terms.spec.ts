/** contract.md section 11: since when a ticket is closed and unchanged. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { asExpired } from '../../../src/domain/tickets/expiry.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import {
  personalDataTerms,
  type PersonalDataTerm,
} from '../../../src/projections/erasures/terms.ts';
import { moved, opened, recordedOf } from '../../support/domain/tickets.ts';

const stream = `ticket-${randomUUID()}`;
const file = {
  attachmentId: randomUUID(),
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  bytes: 1,
  sha256: 'a'.repeat(64),
  visibility: 'public',
} as const;
const removed: TicketEvent = { type: 'AttachmentRemoved', ...file };
const expired: TicketEvent = {
  type: 'TicketPersonalDataErased',
  erasureId: randomUUID(),
  reporter: false,
  createdBy: false,
  texts: [],
  notes: [],
  attachments: [],
  expired: true,
};

const factsOf = (...events: readonly TicketEvent[]) =>
  recordedOf([
    opened({}),
    { type: 'AttachmentAdded', ...file },
    moved('new', 'cancelled'),
    ...events,
  ]).map((fact, at) => ({
    ...fact,
    stream,
    organisation: 'acme',
    position: String(at),
    recordedAt: fact.at,
    commandId: fact.id,
    origin: 'api' as const,
  }));
const termOf = (facts: ReturnType<typeof factsOf>) =>
  facts.reduce<PersonalDataTerm | null>((row, fact) => personalDataTerms.rowAfter(fact, row), null);

it('begins with the removal of a file, before and after the name of the file is erased', () => {
  const facts = factsOf(removed);
  expect(termOf(facts)?.since).toBe(facts.at(-1)!.at);
  const withoutNames = facts.map(asExpired);
  expect(withoutNames.at(-1)!.event).toMatchObject({ name: 'erased' });
  expect(termOf(withoutNames)).toEqual(termOf(facts));
});

it('ends with an expiry, and the files that it removes begin no other', () => {
  expect(termOf(factsOf(expired, { ...removed, name: 'erased' }))?.since).toBeNull();
});
