/** The input of requesters to the routes of tickets, and their responses. contract.md section 5. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { FIELD_FILTER } from '../../domain/service-desk/field-filters.ts';
import type { Attachment } from '../../domain/tickets/attachments.ts';
import type { Visibility } from '../../domain/tickets/events.ts';
import { requestersActor, requestersTicket } from '../../domain/tickets/requesters.ts';
import { reporterOf, type TicketView } from '../../domain/tickets/view.ts';
import { addressText } from '../../domain/tickets/words.ts';
import { etagOf } from '../http/conditional.ts';
import { invalid, type FieldError } from '../http/problems.ts';
import { callerIn, organisationIn } from '../sessions/authenticate.ts';
import type { Requester } from '../sessions/requesters.ts';
import { REPORTER_CHARACTERS_MAX } from './limits.ts';
import type { CreateTicketBody, ListQuery, TicketBody } from './schemas.ts';
import { ticketBodyOf } from './wire.ts';

/** The owner of the tickets: an organisation, or a requester, who has raised them. */
export interface TicketOwner {
  readonly organisation: string;
  /** `null`: the caller is staff. */
  readonly requester: Requester | null;
}

/** Whether the ticket exists for the caller. */
export const isWithin = (
  ticket: Pick<TicketView, 'organisationId' | 'createdBy'>,
  { organisation, requester }: TicketOwner,
): boolean =>
  ticket.organisationId === organisation &&
  (requester === null || reporterOf(ticket) === requester.userId);

export const ownerIn = (request: FastifyRequest): TicketOwner => ({
  organisation: organisationIn(request),
  requester: request.requester,
});

/**
 * The visibility of a note or an attachment of the caller. Staff: `internal` by default.
 * Requesters: `public`.
 *
 * @throws {@link Problem} `VALIDATION_FAILED` for an internal one of a requester.
 */
export const readersOf = (
  { requester }: Pick<FastifyRequest, 'requester'>,
  sent: Visibility | undefined,
): Visibility => {
  if (requester === null) return sent ?? 'internal';
  if (sent === 'internal') refuseAny([{ path: 'visibility', message: 'must be public' }]);
  return 'public';
};

/** The ticket as the caller may see it. */
export const ticketShownTo = (
  { requester }: Pick<FastifyRequest, 'requester'>,
  view: TicketView,
): z.input<typeof TicketBody> =>
  ticketBodyOf(requester === null ? view : requestersTicket(view, requester.desk));

/** {@link ticketShownTo} with its tag: what requesters are shown follows from the desk too. */
export const answeredTicket = (
  request: Pick<FastifyRequest, 'requester'>,
  reply: FastifyReply,
  view: TicketView,
): z.input<typeof TicketBody> => {
  const shown = ticketShownTo(request, view);
  void reply.header('etag', etagOf(view.revision, request.requester === null ? null : shown));
  return shown;
};

/** The attachment as the caller may see it, if they may. */
export const attachmentShownTo = (
  { requester }: Pick<FastifyRequest, 'requester'>,
  attachment: Attachment,
): Attachment =>
  requester === null
    ? attachment
    : { ...attachment, createdBy: requestersActor(attachment.createdBy, requester.userId) };

/**
 * The ticket that a requester raises: they are its reporter, and its request type determines the
 * defaults.
 *
 * @throws {@link Problem} `VALIDATION_FAILED` for members that are for staff.
 */
export const requestersBody = (
  request: FastifyRequest,
  { email }: Requester,
  body: z.output<typeof CreateTicketBody>,
) => {
  const { priority, category, channel, metadata, ...asked } = body;
  const own = isAddress(email) ? email : null;
  const errors: readonly (FieldError | false)[] = [
    priority !== undefined && forStaff('priority'),
    category != null && forStaff('category'),
    channel !== 'portal' && forStaff('channel'),
    Object.keys(metadata).length > 0 && forStaff('metadata'),
    asked.reporterEmail != null &&
      asked.reporterEmail.toLowerCase() !== own?.toLowerCase() && {
        path: 'reporterEmail',
        message: 'must be the address with which you signed in',
      },
  ];
  refuseAny(errors);
  return {
    ...asked,
    channel,
    reporterName: asked.reporterName ?? callerIn(request).actor.name ?? null,
    reporterEmail: asked.reporterEmail ?? own,
    byRequester: true,
  };
};

/** The members of a list's query that reveal nothing internal. `search` is not among them. */
const LISTED: readonly string[] = [
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
  'state',
  'priority',
  'number',
  'sort',
  'page',
  'limit',
] satisfies (keyof z.output<typeof ListQuery>)[];

/** @throws {@link Problem} `VALIDATION_FAILED` for filters and orders that are for staff. */
export const refuseStaffFilters = ({
  sort,
  fields = {},
  ...query
}: z.output<typeof ListQuery>): void =>
  refuseAny([
    ...Object.keys(fields).map((key) => forStaff(`${FIELD_FILTER}${key}`)),
    ...Object.entries(query).map(
      ([path, value]) => value !== undefined && !LISTED.includes(path) && forStaff(path),
    ),
    sort.endsWith('dueAt') && forStaff('sort'),
  ]);

const isAddress = (email: string | null): email is string => address.safeParse(email).success;

const address = addressText(REPORTER_CHARACTERS_MAX);

const forStaff = (path: string): FieldError => ({
  path,
  message: 'is not available to requesters',
});

const refuseAny = (errors: readonly (FieldError | false)[]): void => {
  const found = errors.filter((error) => error !== false);
  if (found.length > 0) throw invalid(found);
};
