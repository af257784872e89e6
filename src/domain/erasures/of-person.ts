/** What of a ticket is a person's, as their export has it. contract.md section 11. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { AttachedFile } from '../tickets/attachments.ts';
import { shownFacts } from '../tickets/expiry.ts';
import type { TicketFact } from '../tickets/events.ts';
import { timelineOf, type TimelineItem } from '../tickets/timeline.ts';
import { viewAfter, type RecordedTicketEvent, type TicketView } from '../tickets/view.ts';

export interface Persona {
  readonly userIds: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
}

/** The texts of a ticket as it was raised: others may have changed them since. */
export type AsRaised = Pick<
  TicketFact<'TicketOpened'>,
  'subject' | 'description' | 'formData' | 'metadata'
>;

/** A file that the person sent; of one that was removed the bytes are gone. */
export interface SentFile extends AttachedFile {
  readonly sentAt: Instant;
  readonly removed: boolean;
}

export interface OfPerson {
  /** As it is now. */
  readonly ticket: TicketView;
  /** `null`: they neither raised it nor are its reporter. */
  readonly asRaised: AsRaised | null;
  readonly items: readonly TimelineItem[];
  readonly files: readonly SentFile[];
}

/**
 * Pure. What a program wrote on a ticket belongs to its reporter, as it does when they are erased.
 *
 * @param recorded All facts of a ticket, oldest first.
 * @returns `null`: nothing of it is the person's.
 */
export const ofPersonIn = (
  recorded: readonly (RecordedTicketEvent & { readonly id: string })[],
  { userIds, emails }: Persona,
): OfPerson | null => {
  const facts = shownFacts(recorded);
  const [opening] = facts;
  if (opening?.event.type !== 'TicketOpened') return null;
  const { reporterEmail, subject, description, formData, metadata } = opening.event;
  const isPerson = ({ kind, id, erased }: Actor): boolean =>
    kind === 'user' && erased !== true && userIds.includes(id);
  const isReporter = reporterEmail !== null && emails.includes(reporterEmail.toLowerCase());
  const isTheirs = isPerson(opening.by) || isReporter;
  const wrote = (actor: Actor): boolean => isPerson(actor) || (isTheirs && actor.kind !== 'user');
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
