/** contract.md section 11: the erasure of a person from a ticket. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attachmentsAfter } from '../../../src/domain/tickets/attachment-list.ts';
import { erasedIn } from '../../../src/domain/tickets/erased-in.ts';
import { erasedActor, ERASED_TEXT, nothingErased } from '../../../src/domain/tickets/erasure.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import type { ShownEvent } from '../../../src/domain/tickets/expiry.ts';
import { notesIn } from '../../../src/domain/tickets/notes.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import { requestersActor } from '../../../src/domain/tickets/requesters.ts';
import { ticketDecider, type Ticket } from '../../../src/domain/tickets/ticket.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import { reporterOf, viewAfter, type TicketView } from '../../../src/domain/tickets/view.ts';
import type { ErasedPart } from '../../../src/engine/log/codec.ts';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import { ticketSearch, type TicketSearchRow } from '../../../src/projections/tickets/search.ts';
import { wordsOf } from '../../../src/projections/tickets/document.ts';
import { fold, noon } from '../../support/domain/specify.ts';
import { anyStory, stepsOf } from '../../support/domain/ticket-stories.ts';
import { acme, noteId, noted, opened, recordedOf } from '../../support/domain/tickets.ts';

const erasureId = '0d0d0d0d-0000-4000-8000-000000000001';
const attachmentId = '5b1c0d0e-0000-4000-8000-000000000001';
const person: Actor = { kind: 'user', id: 'zyx', name: 'Zyxwvut Qponm' };

const spoken = opened({
  subject: 'Zyxwvut',
  description: 'Qponm was here',
  reporterName: 'Zyxwvut Qponm',
  reporterEmail: 'zyx@example.com',
  reporterPhone: '4711',
  formData: { who: 'Zyxwvut' },
  metadata: { who: 'Zyxwvut' },
});
const file = {
  attachmentId,
  name: 'zyxwvut.png',
  mediaType: 'image/png',
  bytes: 1,
  sha256: 'a'.repeat(64),
  visibility: 'public',
} as const;
const history: readonly TicketEvent[] = [
  spoken,
  noted('Zyxwvut says'),
  { type: 'AttachmentAdded', ...file },
  { type: 'TicketEdited', changes: { metadata: { by: 'Zyxwvut' } } },
  { type: 'TicketRated', score: 1, comment: 'Zyxwvut' },
];

/** The facts as the log gives them back without the person's keys. */
const withoutKeys = (parts: readonly ErasedPart[]) =>
  recordedOf(history, { by: person }).map((fact) => ({
    ...fact,
    by: parts.includes('actor') ? erasedActor : fact.by,
    event: parts.includes('texts') ? standIn(fact.event) : fact.event,
    erased: parts,
  }));

const standIn = (event: TicketEvent): TicketEvent => {
  if (event.type === 'TicketOpened')
    return {
      ...event,
      subject: null,
      description: ERASED_TEXT,
      reporterName: null,
      reporterEmail: null,
      reporterPhone: null,
      formData: {},
      metadata: {},
    };
  if (event.type === 'TicketEdited') return { ...event, changes: { metadata: {} } };
  if (event.type === 'NoteAdded') return { ...event, body: ERASED_TEXT };
  if (event.type === 'AttachmentAdded') return { ...event, name: 'erased' };
  if (event.type === 'TicketRated') return { ...event, comment: null };
  return event;
};

const everything: readonly ErasedPart[] = ['actor', 'identity', 'texts'];

const erase = (ticket: Ticket | null, parts: readonly ErasedPart[]) => {
  const { erased, attachments: removed } = erasedIn(withoutKeys(parts));
  return ticketDecider.decide(
    { type: 'ErasePersonalData', authority: acme, erasureId, erased, removed },
    ticket,
    noon,
  ) as readonly TicketEvent[];
};

const folded = (events: readonly TicketEvent[]) => fold(ticketDecider, events);

const viewed = (facts: readonly Parameters<typeof viewAfter>[0][]) =>
  facts.reduce<TicketView | null>((view, fact) => viewAfter(fact, view), null)!;

describe('the erasure of a person from a ticket', () => {
  it('lists the lost parts, and removes the files', () => {
    expect(erase(folded(history), everything)).toEqual([
      {
        type: 'TicketPersonalDataErased',
        erasureId,
        reporter: true,
        createdBy: true,
        texts: ['subject', 'description', 'formData', 'metadata', 'rating'],
        notes: [noteId],
        attachments: [attachmentId],
      },
      { type: 'AttachmentRemoved', ...file, name: 'erased' },
    ]);
  });

  it('keeps texts and files where only the person is erased', () => {
    expect(erase(folded(history), ['actor', 'identity'])).toEqual([
      {
        type: 'TicketPersonalDataErased',
        erasureId,
        reporter: true,
        createdBy: true,
        texts: [],
        notes: [noteId],
        attachments: [attachmentId],
      },
    ]);
  });

  describe('from answers that others have edited, whose edits copy them', () => {
    const edit = (formData: object): TicketEvent => ({
      type: 'TicketEdited',
      changes: { formData: formData as never },
    });
    const erasureOf = (texts: TicketEvent[]) => {
      const [opening, ...others] = recordedOf([spoken, ...texts], { by: person });
      const first = { ...opening!, event: standIn(opening!.event), erased: ['texts'] as const };
      return erasedIn([first, ...others]).erased.texts;
    };
    const before = edit({ who: 'Zyxwvut', floor: 3 });
    const erased = (...texts: ('formData' | 'metadata')[]): TicketEvent => ({
      type: 'TicketPersonalDataErased',
      erasureId,
      ...nothingErased,
      texts,
    });

    it.each([
      ['takes them all', [before], true],
      ['takes none that followed when they were emptied', [edit({}), edit({ floor: 3 })], false],
      ['takes none that were written after an erasure', [erased('formData'), before], false],
      ['takes those that an erasure has left', [before, erased('metadata'), before], true],
    ] as const)('%s', (_, events, isTaken) => {
      expect(erasureOf([...events]).includes('formData')).toBe(isTaken);
    });
  });

  it('is idempotent, and erases texts written since', () => {
    const after = folded([...history, ...erase(folded(history), everything)]);
    expect(erase(after, everything)).toEqual([]);
    const edited = ticketDecider.evolve(
      { type: 'TicketEdited', changes: { subject: 'Zyxwvut again' } },
      after,
      noon.at,
    );
    const [fact] = erase(edited, everything);
    expect(fact).toMatchObject({ type: 'TicketPersonalDataErased', texts: ['subject'] });
  });

  it.each([[everything], [['actor', 'identity'] as const]])(
    'shows the same live and after a rebuild: %j',
    (parts) => {
      const erasure = erase(folded(history), parts);
      const last = recordedOf([...history, ...erasure]).slice(history.length);
      const live = viewed([...recordedOf(history, { by: person }), ...last]);
      const rebuilt = viewed([...withoutKeys(parts), ...last]);
      const texts = parts.includes('texts');
      expect(live).toEqual(texts ? rebuilt : { ...rebuilt, ...pick(live) });
      expect(JSON.stringify(publicTicket(rebuilt))).toContain('"erased":true');
      expect(reporterOf(live)).toBeNull();
      expect(live).toMatchObject({ reporterErased: true, createdBy: erasedActor });
      expect(/Zyx|Qponm|4711/.test(JSON.stringify(live))).toBe(!texts);
    },
  );

  it.each([[everything, true] as const, [['actor', 'texts'] as const, false] as const])(
    'shows facts recorded before the erasure without the person: %j, reporterErased %j',
    (parts, erased) =>
      expect(viewed(withoutKeys(parts).slice(0, 1))).toMatchObject({ reporterErased: erased }),
  );

  it('leaves nothing of the person in decisions, attachments, timeline and search', () => {
    const erasure = erase(folded(history), everything);
    const last = recordedOf([...history, ...erasure]).slice(history.length);
    const live = [...recordedOf(history, { by: person }), ...last];
    const rebuilt = [...withoutKeys(everything), ...last];
    expect(JSON.stringify(folded([...history, ...erasure]))).not.toMatch(/Zyx|zyx|Qponm|4711/);
    const attachments = live.reduce<Parameters<typeof attachmentsAfter>[1]>(
      (view, fact) => attachmentsAfter(fact, view),
      null,
    );
    expect(attachments).toMatchObject({ reporterUserId: null, attachments: [] });
    const items = timelineOf(rebuilt);
    expect(JSON.stringify(items)).not.toMatch(/Zyx|zyx|Qponm|4711/);
    expect(items[0]).toMatchObject({ body: ERASED_TEXT, erased: true, actor: erasedActor });
    const row = live.reduce<TicketSearchRow | null>(
      (before, fact) => ticketSearch.rowAfter(stored(fact), before),
      null,
    );
    for (const word of ['Zyxwvut', 'Qponm'])
      expect(row!.document).not.toContain(wordsOf(word)[0]![0]);
  });

  it('shows a note without its text as erased', () => {
    const facts: ShownEvent[] = [
      { event: opened(), erased: ['texts', 'identity'] },
      { event: noted('(erased)'), erased: ['actor', 'texts'] },
      { event: noted('Called.'), erased: ['actor'] },
    ];
    const notes = notesIn({ facts, at: noon.at, actor: erasedActor });
    expect(notes.map(({ body, erased }) => [body, erased])).toEqual([
      ['(erased)', true],
      ['Called.', undefined],
    ]);
  });

  it('does not confuse a user called "erased" with the erased person', () => {
    expect(requestersActor(erasedActor, 'erased')).toMatchObject({ kind: 'system' });
  });

  it("changes no ticket without the person's data, whatever its history", () =>
    fc.assert(
      fc.property(anyStory, (story) => {
        const last = stepsOf(story).at(-1)!;
        const command = {
          type: 'ErasePersonalData',
          authority: acme,
          erasureId,
          erased: nothingErased,
          removed: [],
        } as const;
        expect(ticketDecider.decide(command, last.after, last.occasion)).toEqual([]);
      }),
      { numRuns: 30 },
    ));
});

const pick = ({ subject, description, formData, metadata, rating }: TicketView) => ({
  subject,
  description,
  formData,
  metadata,
  rating,
});

const stored = (fact: ReturnType<typeof recordedOf>[number]) => ({
  ...fact,
  stream: `ticket-${spoken.ticketId}`,
  position: String(fact.revision),
  recordedAt: fact.at,
  commandId: fact.id,
  origin: 'api' as const,
});
