/** The view of a ticket for the holder of its status link. contract.md section 5. */
import type { z } from 'zod';
import { endOfStatusLink, isStatusLinkOpen } from '../../domain/public-reports/status-link.ts';
import type { TimelineItem } from '../../domain/tickets/timeline.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Timelines } from '../../projections/tickets/feed/timeline.ts';
import type { StatusLinks } from '../../use-cases/public-reports/status-links.ts';
import { isTokenOf, ticketIdIn } from '../../use-cases/public-reports/status-tokens.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { notThere } from '../http/problems.ts';
import { STATUS_NOTES_MAX, STATUS_READ_ITEMS } from './limits.ts';
import type { StatusBody } from './schemas.ts';

export interface StatusParts {
  readonly tickets: Pick<Aggregate<never, TicketView>, 'look'>;
  readonly timelines: Timelines;
  readonly links: StatusLinks;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly clock: Clock;
}

/** @throws {@link Problem} `NOT_FOUND` for any token that grants no access. */
export const statusShown = ({ tickets, timelines, links, desks, clock }: StatusParts) => {
  const publicNotes = async (ticketId: string) => {
    const notes: { at: string; body: string }[] = [];
    let after: number | null = -1;
    while (after !== null) {
      const page = await timelines.page({
        ticketId,
        after,
        limit: STATUS_READ_ITEMS,
        isShown: isPublicNote,
      });
      for (const item of page.items)
        if (isPublicNote(item)) notes.push({ at: item.at, body: item.body });
      notes.splice(0, notes.length - STATUS_NOTES_MAX);
      after = page.next;
    }
    return notes;
  };

  return async (token: string): Promise<z.infer<typeof StatusBody>> => {
    const ticketId = ticketIdIn(token);
    const link = ticketId === null ? null : ((await links.look(ticketId))?.view ?? null);
    if (link === null || !isTokenOf(token, link.tokenHash)) throw notThere();
    const [ticket, { requesterAccess }] = await Promise.all([
      tickets.look(link.ticketId),
      desks.configurationOf(link.organisation),
    ]);
    if (ticket === null || requesterAccess !== 'anyone') throw notThere();
    const { number, subject, state, createdAt, resolvedAt, closedAt } = ticket.view;
    if (!isStatusLinkOpen(link, closedAt, clock.now())) throw notThere();
    const notes = await publicNotes(link.ticketId);
    const expiresAt = endOfStatusLink(link, closedAt);
    return { number, subject, state, createdAt, resolvedAt, closedAt, notes, expiresAt };
  };
};

type NoteItem = Extract<TimelineItem, { kind: 'note' }>;

/** Only notes of people: those of rules and work orders are internal to the desk. */
const isPublicNote = (item: TimelineItem): item is NoteItem =>
  item.kind === 'note' && item.visibility === 'public';
