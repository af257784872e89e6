/** A person's data in a ticket, for the export of their data. contract.md section 11. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { subjectOfAddress, subjectOfUser } from '../../engine/log/personal-data.ts';
import type { AttachedFile } from '../tickets/attachments.ts';
import { shownFacts } from '../tickets/expiry.ts';
import { reporterSubjectOf } from '../tickets/personal.ts';
import type { TicketFact } from '../tickets/events.ts';
import { timelineOf, type TimelineItem } from '../tickets/timeline.ts';
import { viewAfter, type RecordedTicketEvent, type TicketView } from '../tickets/view.ts';

export interface Persona {
  readonly userIds: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
}

/** The texts of a ticket as it was raised: other users may have changed them since. */
export type AsRaised = Pick<
  TicketFact<'TicketOpened'>,
  'subject' | 'description' | 'formData' | 'metadata'
>;

/** A file that the person sent; the bytes of a removed file are gone. */
export interface SentFile extends AttachedFile {
  readonly sentAt: Instant;
  readonly removed: boolean;
}

export interface OfPerson {
  /** In its current state. */
  readonly ticket: TicketView;
  /** `null`: they neither raised it nor are its reporter. */
  readonly asRaised: AsRaised | null;
  readonly items: readonly TimelineItem[];
  readonly files: readonly SentFile[];
}

/**
 * Pure. Texts that a program wrote on a ticket belong to its reporter, as in an erasure.
 *
 * @param recorded All events of a ticket, oldest first.
 * @returns `null`: the ticket has no data of the person.
 */
export const ofPersonIn = (
  recorded: readonly (RecordedTicketEvent &
    Pick<Recorded, 'id'> &
    Partial<Pick<Recorded, 'origin'>>)[],
  { userIds, emails }: Persona,
): OfPerson | null => {
  const facts = shownFacts(recorded);
  const [opening] = facts;
  if (opening?.event.type !== 'TicketOpened') return null;
  const { by: actor, origin } = opening;
  const { subject, description, formData, metadata } = opening.event;
  const isPerson = ({ kind, id, erased }: Actor): boolean =>
    kind === 'user' && erased !== true && userIds.includes(id);
  const users = isPerson(actor) ? userIds.map(subjectOfUser) : [];
  const subjects = [...users, ...emails.map(subjectOfAddress)];
  const isReporter = subjects.includes(
    reporterSubjectOf({ stream: '', data: { ...opening.event }, actor, origin }),
  );
  const isTheirs = (isPerson(actor) && origin !== 'import') || isReporter;
  const wrote = (writer: Actor): boolean =>
    isPerson(writer) || (isReporter && writer.kind !== 'user');
  const items = timelineOf(facts).filter(({ kind, actor }) =>
    kind === 'note' || kind === 'rating' ? wrote(actor) : isPerson(actor),
  );
  const files = filesBy(facts, wrote);
  if (!isTheirs && items.length === 0 && files.length === 0) return null;
  const ticket = facts.reduce<TicketView | null>((view, fact) => viewAfter(fact, view), null)!;
  const asRaised = isTheirs ? { subject, description, formData, metadata } : null;
  return { ticket, asRaised, items, files };
};

const filesBy = (
  facts: readonly RecordedTicketEvent[],
  wrote: (actor: Actor) => boolean,
): readonly SentFile[] => {
  const removed = new Set(
    facts.flatMap(({ event }) => (event.type === 'AttachmentRemoved' ? event.attachmentId : [])),
  );
  return facts.flatMap(({ event, at, by }) => {
    if (event.type !== 'AttachmentAdded' || !wrote(by)) return [];
    const { type: _, ...file } = event;
    return [{ ...file, sentAt: at, removed: removed.has(file.attachmentId) }];
  });
};
