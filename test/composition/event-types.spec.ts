import { expect, it } from 'vitest';
import { eventTypesOf } from '../../src/composition/event-types.ts';
import { release } from '../../src/compose.ts';
import { keyringCodec } from '../../src/domain/keys/codecs.ts';
import { ticketCodec } from '../../src/domain/tickets/codecs.ts';
import { filesOf, text } from '../support/sources.ts';

/** Of types that others own too, or that are stored in no log. */
const NOT_STORED = new Set(['Unread', 'MessageUnreadable']);

it('every type of event that a schema of the domain has is among those of this release', () => {
  const declared = filesOf('src/domain/**/*.ts').flatMap((path) =>
    [...text(path).matchAll(/type: z\.literal\('([A-Z]\w+)'\)/g)].map(([, type]) => type!),
  );
  expect(declared.length).toBeGreaterThan(40);
  const missing = declared.filter((type) => !NOT_STORED.has(type) && !release.eventTypes.has(type));
  expect(missing).toEqual([]);
});

it('a type of event belongs to one codec', () => {
  expect(() => eventTypesOf([ticketCodec, keyringCodec])).not.toThrow();
  expect(() => eventTypesOf([ticketCodec, keyringCodec, ticketCodec])).toThrow(/TicketOpened/);
});

it('the versions are those of the codecs', () => {
  expect(release.versionsRead).toMatchObject({
    KeyIssued: 2,
    DeliveryAttempted: 2,
    TicketOpened: 2,
    SandboxRequested: 1,
  });
});
