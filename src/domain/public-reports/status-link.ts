/**
 * The status link of a ticket that was reported without sign-in, in `statusLink-<ticketId>`. It
 * ends when it expires, some days after the ticket was closed, or when it is revoked. contract.md
 * section 5.
 */
import { daysAfter } from '../../engine/time/calendar.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
  type Occasion,
} from '../../engine/aggregates/decider.ts';
import type { StatusLinkEvent } from './events.ts';
import { STATUS_LINK_AFTER_CLOSE_MAX_DAYS, STATUS_LINK_MAX_DAYS } from './limits.ts';

export interface StatusLink {
  readonly ticketId: string;
  readonly organisation: string;
  readonly tokenHash: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  /** `null`: it was not revoked. */
  readonly revokedAt: Instant | null;
}

export type StatusLinkCommand =
  | {
      readonly type: 'IssueStatusLink';
      readonly ticketId: string;
      readonly organisation: string;
      readonly tokenHash: string;
    }
  /** `organisation`: the caller's. */
  | { readonly type: 'RevokeStatusLink'; readonly organisation: string };

const decide = tableOf<StatusLinkCommand, [StatusLink | null, Occasion], Decision<StatusLinkEvent>>(
  {
    IssueStatusLink: ({ ticketId, organisation, tokenHash }, link, { at }) => {
      if (link !== null) return [];
      const expiresAt = daysAfter(at, STATUS_LINK_MAX_DAYS);
      return [{ type: 'StatusLinkIssued', ticketId, organisation, tokenHash, expiresAt }];
    },

    RevokeStatusLink: ({ organisation }, link) => {
      if (link?.organisation !== organisation)
        return refuse('NOT_FOUND', 'The ticket has no status link.');
      const { ticketId, revokedAt } = link;
      return revokedAt === null ? [{ type: 'StatusLinkRevoked', ticketId }] : [];
    },
  },
);

const evolve = tableOf<StatusLinkEvent, [StatusLink | null, Instant], StatusLink | null>({
  StatusLinkIssued: ({ ticketId, organisation, tokenHash, expiresAt }, _, at) => ({
    ticketId,
    organisation,
    tokenHash,
    issuedAt: at,
    expiresAt,
    revokedAt: null,
  }),
  StatusLinkRevoked: (_, link, at) => link && { ...link, revokedAt: at },
});

/**
 * A link is issued once: a repeat records nothing, even after a revocation. Refuses `NOT_FOUND` for
 * the revocation of a link that does not exist or belongs to another organisation.
 */
export const statusLinkDecider: Decider<StatusLinkCommand, StatusLink | null, StatusLinkEvent> = {
  initial: null,
  decide,
  evolve,
};

/** @throws Error for a revocation before the issue: the stream is broken. */
export const statusLinkAfter = (
  { event, at }: { readonly event: StatusLinkEvent; readonly at: Instant },
  before: StatusLink | null,
): StatusLink => {
  const link = evolve(event, before, at);
  if (link === null) throw new Error(`${event.type} before StatusLinkIssued`);
  return link;
};

/**
 * When the link expires. A cancelled ticket has no time of closing: its link ends at the end of its
 * term.
 *
 * @param closedAt When its ticket was closed.
 */
export const endOfStatusLink = (
  { expiresAt }: Pick<StatusLink, 'expiresAt'>,
  closedAt: Instant | null,
): Instant => {
  if (closedAt === null) return expiresAt;
  const afterClose = daysAfter(closedAt, STATUS_LINK_AFTER_CLOSE_MAX_DAYS);
  return afterClose < expiresAt ? afterClose : expiresAt;
};

/** Whether the link still grants access to its ticket at this time. */
export const isStatusLinkOpen = (
  link: Pick<StatusLink, 'expiresAt' | 'revokedAt'>,
  closedAt: Instant | null,
  at: Instant,
): boolean => link.revokedAt === null && at < endOfStatusLink(link, closedAt);
