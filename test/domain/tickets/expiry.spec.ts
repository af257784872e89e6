/** contract.md section 11: the personal data of a ticket that was closed for long expires. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asExpired,
  expiryOf,
  mayHaveExpired,
  shownFacts,
  restartsTerm,
} from '../../../src/domain/tickets/expiry.ts';
import { erasedActor, ERASED_TEXT } from '../../../src/domain/tickets/erasure.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import { viewAfter, type TicketView } from '../../../src/domain/tickets/view.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import { fold, noon } from '../../support/domain/specify.ts';
import { anyStory, stepsOf } from '../../support/domain/ticket-stories.ts';
import { acme, moved, noted, opened, recordedOf } from '../../support/domain/tickets.ts';

const erasureId = '0d0d0d0d-0000-4000-8000-000000000001';
const person: Actor = { kind: 'user', id: 'zyx', name: 'Zyxwvut' };
const file = {
  attachmentId: '5b1c0d0e-0000-4000-8000-000000000001',
  name: 'zyxwvut.png',
  mediaType: 'image/png',
  bytes: 1,
  sha256: 'a'.repeat(64),
  visibility: 'public',
} as const;
const history: readonly TicketEvent[] = [
  opened({ subject: 'Zyx', description: 'Zyx', reporterName: 'Zyx', formData: { who: 'Zyx' } }),
  noted('Zyxwvut says'),
  { type: 'AttachmentAdded', ...file },
  { type: 'TicketEdited', changes: { metadata: { by: 'Zyxwvut' } } },
  { type: 'TicketRated', score: 1, comment: 'Zyxwvut' },
  moved('new', 'cancelled'),
];

const retention: Actor = { kind: 'system', id: 'personal-data-expiry' };
/** Of the person, but for an expiry and the removal of its files. */
const facts = (events: readonly TicketEvent[]) =>
  recordedOf(events, { by: person }).map((fact) =>
    ['TicketPersonalDataErased', 'AttachmentRemoved'].includes(fact.event.type)
      ? { ...fact, by: retention }
      : fact,
  );

const expire = (events: readonly TicketEvent[]) => {
  const { erased, attachments: removed } = expiryOf(facts(events));
  return ticketDecider.decide(
    {
      type: 'ErasePersonalData',
      authority: acme,
      erasureId,
      erased,
      removed,
      unchangedSince: noon.at,
    },
    fold(ticketDecider, events),
    noon,
  ) as readonly TicketEvent[];
};

const viewed = (recorded: readonly Parameters<typeof viewAfter>[0][]) =>
  recorded.reduce<TicketView | null>((view, fact) => viewAfter(fact, view), null)!;

describe('the expiry of personal data', () => {
  it('includes the note of a work-order system, and not one of a rule', () => {
    const note = { type: 'SystemNoteAdded', noteId: erasureId, body: 'Zyx is at home' } as const;
    const [fact] = recordedOf([note], { by: retention });
    expect(asExpired({ ...fact!, origin: 'work_order' })).toMatchObject({
      event: { ...note, body: ERASED_TEXT },
      erased: ['texts'],
    });
    expect(expiryOf([{ ...fact!, origin: 'work_order' }]).erased.notes).toEqual([erasureId]);
    expect(asExpired({ ...fact!, origin: 'api' })).toEqual({ ...fact!, origin: 'api' });
  });

  it('names all persons and texts, and removes the files', () => {
    expect(expire(history)).toMatchObject([
      {
        type: 'TicketPersonalDataErased',
        expired: true,
        reporter: true,
        createdBy: true,
        texts: ['subject', 'description', 'formData', 'metadata', 'rating'],
        notes: [expect.any(String)],
      },
      { type: 'AttachmentRemoved', name: 'erased' },
    ]);
  });

  it('records nothing a second time, and again after something was added', () => {
    const after = [...history, ...expire(history)];
    expect(expire(after)).toEqual([]);
    const more: TicketEvent = { ...noted('Zyx again'), noteId: erasureId };
    expect(expire([...after, more])).toMatchObject([{ expired: true, notes: [erasureId] }]);
  });

  it('restarts its term after a removal by a user, not after its own', () => {
    const removed = (name: string): TicketEvent => ({ type: 'AttachmentRemoved', ...file, name });
    expect(restartsTerm({ event: removed('plan.pdf') })).toBe(true);
    expect(restartsTerm({ event: removed('erased'), erased: ['texts'] })).toBe(true);
    expect(expire(history).map((event) => restartsTerm({ event }))).toEqual([false, false]);
  });

  it('shows the same live, after a rebuild and in the timeline, with nothing of the person', () => {
    const all = facts([...history, ...expire(history)]);
    const live = viewed(all);
    expect(JSON.stringify(live)).not.toMatch(/zyx/i);
    expect(live).toMatchObject({ reporterErased: true, createdBy: erasedActor });
    expect(viewed(shownFacts(all))).toEqual(live);
    const items = timelineOf(shownFacts(all));
    expect(JSON.stringify(items)).not.toMatch(/zyx/i);
    expect(items[0]).toMatchObject({ body: ERASED_TEXT, erased: true, actor: erasedActor });
  });

  it('keeps later additions', () => {
    const more: TicketEvent = { ...noted('Zyx again'), noteId: erasureId };
    const all = shownFacts(facts([...history, ...expire(history), more]));
    expect(all.at(-1)).toMatchObject({ event: { body: 'Zyx again' }, by: person });
  });

  it('keeps reports of the platform itself', () => {
    const [fact] = recordedOf([opened({ channel: 'system' })], {
      by: { kind: 'system', id: 'faults' },
    });
    expect(asExpired(fact!)).toEqual(fact);
  });

  it('follows no fact of the last 28 days', () => {
    expect(mayHaveExpired('2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z')).toBe(false);
    expect(mayHaveExpired('2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z')).toBe(true);
  });

  it('is idempotent over any history', () =>
    fc.assert(
      fc.property(anyStory, (story) => {
        const last = stepsOf(story).at(-1)!;
        const command = {
          type: 'ErasePersonalData',
          authority: acme,
          erasureId,
          erased: expiryOf([]).erased,
          removed: [],
          unchangedSince: last.occasion.at,
        } as const;
        const events = ticketDecider.decide(command, last.after, last.occasion);
        const after = (events as readonly TicketEvent[]).reduce(
          (ticket, event) => ticketDecider.evolve(event, ticket, noon.at),
          last.after,
        );
        expect(ticketDecider.decide(command, after, last.occasion)).toEqual([]);
      }),
      { numRuns: 30 },
    ));
});
