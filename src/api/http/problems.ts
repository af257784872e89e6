/**
 * Every refusal of this API with its status. The only mapping of refusals to HTTP: the OpenAPI
 * responses, the pages under `/problems/` and `docs/reference/problems.md` are generated from this
 * table. If two apply to a request, the first in this table is answered.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9457 RFC 9457, Problem Details for HTTP APIs}
 */
import { z } from 'zod';
import type { Refusal, RefusalCode } from '../../engine/aggregates/decider.ts';
import { BUILDINGS_NAMED_MAX } from '../../domain/buildings/limits.ts';
import { SNAPSHOTS_OF_DEVELOPER_MAX } from '../../domain/sandboxes/snapshots/limits.ts';
import { RULES_OF_BUILDING_MAX, RULES_OF_POINT_MAX } from '../../domain/telemetry/limits.ts';
import { attachmentReasons } from '../../domain/tickets/attachments.ts';
import { ticketStates } from '../../domain/tickets/graph.ts';
import { VIEWS_OF_ORGANISATION_MAX, VIEWS_OF_PERSON_MAX } from '../../domain/views/limits.ts';
import {
  WEBHOOKS_OF_HOST_MAX,
  WEBHOOKS_OF_ORGANISATION_MAX,
} from '../../domain/webhooks/quota/limits.ts';
import { ERRORS_NAMED_MAX, KEYS_ACTIVE_MAX } from '../../limits.ts';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** For the problem's page: its meaning and its remedy. */
  readonly about: string;
  /** Members in addition to the common ones. */
  readonly members?: z.ZodRawShape;
}

const places = {
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }).meta({ id: 'FieldError' }))
    .max(ERRORS_NAMED_MAX)
    .optional()
    .describe('Path and message of each error, such as `building.storeys[0].code`.'),
};
const state = z.enum(ticketStates);

/** A new `RefusalCode` does not compile until it has a line here. */
export const problems = {
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'The request line and the headers are too large',
    about: 'Together they can be at most 16 KiB. The rest of the request was not read.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The body is too large',
    about: 'Bodies can be at most 1 MiB, imports at most 64 MiB. The rest was not read.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'The route does not accept this type of body',
    about:
      'Send `Content-Type: application/json`, or a type listed in the documentation of the route.',
  },
  CROSS_SITE: {
    status: 403,
    title: 'The request came from a page of another origin',
    about:
      'With a session cookie, only pages of this server may send requests that change ' +
      'something: the browser must send `Sec-Fetch-Site: same-origin`, or this server as ' +
      '`Origin`. Programs send an `Authorization` header instead of a cookie.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'No valid credential',
    about:
      'The request carries no credential, or one that is malformed, unknown, expired or not ' +
      'meant for this service. Sign in again, or ask for a new token.',
  },
  KEY_EXPIRED: {
    status: 401,
    title: 'The API key has expired',
    about: 'The secret is valid, but the key has expired. Mint a new one in the portal.',
  },
  KEY_REVOKED: {
    status: 401,
    title: 'The API key was revoked',
    about: 'The secret is valid, but the key was revoked. Mint a new one in the portal.',
  },
  SCOPE_DENIED: {
    status: 403,
    title: 'The scope of the API key does not allow this',
    about:
      'An API key allows only what its scope names: `sandbox` the sandbox lifecycle, ' +
      '`full` also listing and revoking keys, `publish` nothing yet. Minting keys, the ' +
      'audit trail and everything else need a signed-in session.',
  },
  ORGANISATION_REQUIRED: {
    status: 403,
    title: 'The token names no organisation',
    about:
      'All data belongs to an organisation. The token must carry exactly one in its ' +
      '`organization` claim: request the `organization` scope.',
  },
  PERSON_REQUIRED: {
    status: 403,
    title: 'Only a signed-in person may do this',
    about:
      'The token belongs to a machine client. This operation needs the token of a ' +
      'signed-in person.',
  },
  PERMISSION_DENIED: {
    status: 403,
    title: 'Your role does not allow this',
    about: 'The `detail` names the missing permission; a manager can give you a role that has it.',
  },
  REQUESTERS_OFF: {
    status: 403,
    title: 'Requesters are turned off for this organisation',
    about:
      'The role `requester` has no access until `requesterAccess` in the configuration of ' +
      'the service desk is `signed-in` or `anyone`. A manager sets it.',
  },
  VALIDATION_FAILED: {
    status: 400,
    title: 'The request does not fit its schema',
    about:
      '`errors` lists the path and message of each error. Unknown members and parameters ' +
      'are refused, so that a typing error cannot pass silently; so is a `search` that ' +
      'takes too long.',
    members: {
      ...places,
      buildings: z
        .array(z.object({ globalId: z.string(), name: z.string() }).meta({ id: 'FileBuilding' }))
        .max(BUILDINGS_NAMED_MAX)
        .optional()
        .describe('The buildings in the file: choose one with the parameter `building`.'),
    },
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
    about: 'An idempotency key belongs to one command. Generate a new key for a new command.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    about: 'It does not exist, or it belongs to another organisation or person.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The path does not accept this method',
    about: 'The `Allow` header lists the accepted ones.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'The resource has changed since you read it',
    about:
      'The `If-Match` header names an older revision, or other content. Read the resource again, ' +
      'and repeat the change if it still applies.',
  },
  REFERENCE_NOT_FOUND: {
    status: 400,
    title: 'An id in the request does not exist',
    about:
      'Building, storey, space, element and point ids are internal UUIDs of one building; ' +
      'an externalId is not accepted here. `fromSnapshot` is the id of a snapshot that is ' +
      'visible to the caller.',
    members: places,
  },
  WEBHOOK_URL_REFUSED: {
    status: 400,
    title: 'Webhooks are not sent to this URL',
    about:
      '`reason` is the first that applies of `not_a_url`, `not_https`, `has_credentials`, ' +
      '`has_fragment`, `blocked_port`, `reserved_name`, `odd_address`, `not_public` and ' +
      '`not_resolvable`. A receiver is a public https host: every address that its name ' +
      'resolves to must be public, now and at each delivery.',
    members: { reason: z.string() },
  },
  EVENT_NOT_SUBSCRIBABLE: {
    status: 400,
    title: 'One of the events cannot be subscribed to',
    about:
      '`events` lists the events that can be subscribed to; other events are internal. For ' +
      'changes of tickets and work orders, read their lists or the change feed.',
    members: { events: z.array(z.string()) },
  },
  EDGE_NOT_IN_GRAPH: {
    status: 400,
    title: 'A workflow adds a transition that the state graph does not have',
    about:
      "Workflows can only remove edges of the tickets' state graph. `errors` names each workflow " +
      'and edge.',
    members: places,
  },
  LOCATION_CONTRADICTION: {
    status: 400,
    title: 'Space, storey and element do not fit together',
    about: 'The most specific location implies the others. Send only the most specific one.',
    members: places,
  },
  TRANSITION_NOT_ALLOWED: {
    status: 400,
    title: 'The ticket cannot move to that state',
    about: '`from` is its state, `to` the requested one, and `allowed` lists the possible ones.',
    members: { from: state, to: state, allowed: z.array(state) },
  },
  REOPEN_TOO_LATE: {
    status: 409,
    title: 'The ticket can no longer be reopened',
    about:
      'The person who raised a ticket may reopen it within 14 days of its resolution; `until` is ' +
      'when that period ended. Raise another ticket.',
    members: { until: z.iso.datetime() },
  },
  RATING_NOT_ALLOWED: {
    status: 409,
    title: 'The ticket cannot be rated',
    about: 'A ticket can be rated once it is resolved or closed; `state` is its current state.',
    members: { state },
  },
  ALREADY_RATED: {
    status: 409,
    title: 'The ticket already has a rating',
    about:
      'A ticket is rated once, and the rating cannot be changed. Repeating the same rating ' +
      'is no error.',
  },
  TICKET_CLOSED: {
    status: 409,
    title: 'The ticket is closed or cancelled',
    about: 'A closed or cancelled ticket accepts notes and edits, but no assignment.',
  },
  TICKET_FULL: {
    status: 409,
    title: 'The ticket is full',
    about:
      'A ticket has at most 5,000 notes, 200 work orders and 16 MiB of text. It can still ' +
      'be resolved, closed or cancelled, without a note; continue in another ticket.',
  },
  ATTACHMENT_REFUSED: {
    status: 400,
    title: 'The file cannot be attached',
    about:
      '`reason` is `type` (the type of the content is not accepted, whatever the file ' +
      'name), `size` (over 25 MiB, empty, or over 250 MiB with the other files of the ' +
      'ticket), `count` (the ticket has 50 files, or the form has unknown or too many ' +
      'parts), `broken` (the form ended early or is malformed) or `infected`. No part of ' +
      'the form is stored.',
    members: { reason: z.enum(attachmentReasons) },
  },
  CONFLICT: {
    status: 409,
    title: 'The request conflicts with the current state',
    about:
      'A code, an identifier or an id in the request is already in use, or another advance ' +
      'of the clock is running.',
    members: places,
  },
  KEY_LIMIT_REACHED: {
    status: 409,
    title: 'The organisation has reached its limit of active keys',
    about:
      'An organisation has at most five active keys; revoked and expired keys do not ' +
      'count. Revoke one that is no longer needed.',
    members: { limit: z.int().describe(`${KEYS_ACTIVE_MAX}`) },
  },
  RULE_LIMIT_REACHED: {
    status: 409,
    title: 'The building has reached its limit of diagnostic rules',
    about:
      'A building has at most 200 diagnostic rules, of which at most 20 can match one ' +
      'point, by its id or by its class; `limit` is the limit that was reached. Delete a ' +
      'rule that is no longer needed.',
    members: { limit: z.int().describe(`${RULES_OF_BUILDING_MAX} or ${RULES_OF_POINT_MAX}`) },
  },
  WEBHOOK_LIMIT_REACHED: {
    status: 409,
    title: 'The organisation has reached its limit of webhooks',
    about:
      `An organisation has at most ${WEBHOOKS_OF_ORGANISATION_MAX} webhooks, and at most ` +
      `${WEBHOOKS_OF_HOST_MAX} to one host, whatever the port. \`limit\` is the one that was ` +
      'reached. Deleted webhooks do not count. Delete one, or give one webhook more events.',
    members: {
      limit: z.int().describe(`${WEBHOOKS_OF_ORGANISATION_MAX} or ${WEBHOOKS_OF_HOST_MAX}`),
    },
  },
  VIEW_LIMIT_REACHED: {
    status: 409,
    title: 'The limit of saved views is reached',
    about:
      `A person has at most ${VIEWS_OF_PERSON_MAX} views, and an organisation ` +
      `${VIEWS_OF_ORGANISATION_MAX}, shared or not; \`limit\` is the one that was reached. ` +
      'Delete one that is no longer needed. Managers can also delete private views of others: ' +
      '`others` of the list.',
    members: {
      limit: z.int().describe(`${VIEWS_OF_PERSON_MAX} or ${VIEWS_OF_ORGANISATION_MAX}`),
    },
  },
  TTL_TOO_LONG: {
    status: 400,
    title: 'The requested lifetime of the sandbox is too long',
    about: 'A sandbox expires at most 30 days from now; `latest` is the latest possible expiry.',
  },
  SANDBOX_TOO_LARGE: {
    status: 400,
    title: 'The requested sandbox is too large',
    about:
      '`estimatedBytes` is computed from the parameters; `maxBytes` is the limit for a ' +
      'sandbox. Request fewer storeys, spaces or days of telemetry, or sparser equipment.',
    members: { estimatedBytes: z.int(), maxBytes: z.int() },
  },
  SANDBOX_NOT_READY: {
    status: 409,
    title: 'The sandbox is not ready',
    about:
      'The sandbox is being provisioned, or provisioning has failed. Poll its record until ' +
      'it is `ready`; a failed sandbox can be reset. At the address of the sandbox itself ' +
      'the status is 503.',
  },
  SNAPSHOT_LIMIT_REACHED: {
    status: 409,
    title: 'The limit of snapshots is reached',
    about:
      `A developer has at most ${SNAPSHOTS_OF_DEVELOPER_MAX} snapshots of their sandboxes, ` +
      'including failed ones. Delete one that is no longer needed.',
    members: { limit: z.int().describe(`${SNAPSHOTS_OF_DEVELOPER_MAX}`) },
  },
  SNAPSHOT_NOT_READY: {
    status: 409,
    title: 'The snapshot is not ready',
    about:
      'The snapshot is being created, or its creation has failed. Poll its record until it ' +
      'is `ready`; delete a failed snapshot and create another one.',
  },
  SNAPSHOT_GONE: {
    status: 409,
    title: 'The snapshot of the sandbox no longer exists',
    about:
      'The sandbox was created from a snapshot that was deleted or has expired, so it ' +
      'cannot be reset. Delete it and create another one.',
  },
  SANDBOX_QUOTA_REACHED: {
    status: 429,
    title: 'You have reached your limit of sandboxes',
    about:
      'A developer has at most three sandboxes that are `provisioning` or `ready`. Delete ' +
      'one; `retryAt` is when the first of them expires.',
  },
  EXTENSION_LIMIT_REACHED: {
    status: 429,
    title: 'The sandbox cannot be extended again',
    about: 'A sandbox can be extended twice. Create another one.',
  },
  CURSOR_LOST: {
    status: 410,
    title: 'The events before the cursor were lost',
    about:
      'The server was restored from a backup that is older than this cursor. Discard what ' +
      'you have read since `restartAt`, or compare it with the lists, and continue with ' +
      '`restartAt` as `after`.',
    members: { restartAt: z.string() },
  },
  TIME_TRAVEL_REFUSED: {
    status: 409,
    title: 'This server does not allow the clock to be moved',
    about: 'Only a development server that runs all roles alone may move its virtual clock.',
  },
  PROOF_REQUIRED: {
    status: 403,
    title: 'The report needs a proof of work',
    about:
      '`reason` is `missing` (an organisation accepts 30 reports an hour without a proof), ' +
      '`invalid`, `expired` or `used` (a challenge is valid for one report). Get a ' +
      'challenge from `GET /api/service-desk/report/challenge`, solve it, and send the ' +
      'same report again with the same `Idempotency-Key`.',
    members: { reason: z.enum(['missing', 'invalid', 'expired', 'used']) },
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    about:
      'One of these limits was reached: concurrent searches, simulations, exports, ' +
      'imports, large batches of observations or long polls of you or your organisation; 32 MiB ' +
      "of bodies that you have not sent completely; a sandbox's share of its server; 732 days " +
      'of clock advances per hour in a sandbox; without sign-in, 5 reports per hour from an ' +
      'address or 20 for a room (`of` says which). Wait as long as `Retry-After` says.',
    members: { of: z.enum(['source', 'room']).optional() },
  },
  PERSONAL_DATA_NOT_SEALED: {
    status: 409,
    title: 'Personal data is not sealed yet',
    about:
      'An older release may still be running next to this one, so personal data is written ' +
      'in a form that erasures do not cover. The operator changes that with `atrium ' +
      'releases raise`; repeat the request then.',
  },
  NEWER_RELEASE_NEEDED: {
    status: 503,
    title: 'Only a newer release can answer this',
    about:
      'Two releases of the service run side by side, and the older one was asked for data ' +
      'that the newer one has written. No data was lost: send the same request again after ' +
      '`Retry-After`, with the same `Idempotency-Key` if it had one.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'The service is temporarily unavailable',
    about:
      'A part of the service that the request needs cannot be reached or is being built. ' +
      'No data was lost: send the same request again after `Retry-After`, with the same ' +
      '`Idempotency-Key` if it had one.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    about: 'A bug, logged with the `requestId`; please report that id.',
  },
} as const satisfies Record<RefusalCode, ProblemKind> & Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** Whether a retry may succeed. The response then has `Retry-After`; for a quota it has not. */
export const isTemporary = (code: ProblemCode): boolean =>
  problems[code].status === 503 || code === 'RATE_LIMITED';

export interface FieldError {
  /** `subject`, `metadata.externalId`, `observations[1].pointId`. */
  readonly path: string;
  readonly message: string;
}

/** A problem to be answered. `extra` holds further members, such as `allowed`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Readonly<Record<string, unknown>>;
  /** `Retry-After`; `null`: the default. */
  readonly retryAfterS: number | null;

  constructor(
    code: ProblemCode,
    detail: string,
    extra: Readonly<Record<string, unknown>> = {},
    retryAfterS: number | null = null,
  ) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extra = extra;
    this.retryAfterS = retryAfterS;
  }
}

/** Names at most {@link ERRORS_NAMED_MAX} paths, the first few of them in the detail. */
export const invalid = (errors: readonly FieldError[]): Problem => {
  const first = errors.slice(0, ERRORS_NAMED_MAX);
  const messages = errors.slice(0, SPOKEN_MAX).map(spoken).join('; ');
  return new Problem('VALIDATION_FAILED', `${messages}${moreThan(errors)}`, { errors: first });
};

/** Checks end soon after {@link ERRORS_NAMED_MAX} errors: beyond that their number is unknown. */
const moreThan = ({ length }: readonly FieldError[]): string => {
  if (length > ERRORS_NAMED_MAX) return ' (and more)';
  return length > SPOKEN_MAX ? ` (and ${length - SPOKEN_MAX} more)` : '';
};

export const notFound = (what: string): Problem =>
  new Problem('NOT_FOUND', `No ${what} has this id.`);

/** One problem for all objects that do not exist for the caller. */
export const notThere = (): Problem =>
  new Problem('NOT_FOUND', 'There is no resource at this address.');

/** The problem for a decider's refusal. */
export const refused = ({ refused: code, detail, extra, retryAfterS }: Refusal): Problem =>
  new Problem(code, detail, extra, retryAfterS);

/** `/problems/transition-not-allowed`: the page on this server that explains it. */
export const problemPath = (code: ProblemCode): string =>
  `/problems/${code.toLowerCase().replaceAll('_', '-')}`;

/** The body of RFC 9457. Details of a bug are logged and not sent. */
export const problemBody = (problem: Problem, requestId: string) => {
  const { status, title } = problems[problem.code];
  return {
    type: problemPath(problem.code),
    title,
    status,
    ...(problem.code === 'INTERNAL' ? {} : { detail: problem.message }),
    code: problem.code,
    requestId,
    ...problem.extra,
  };
};

const SPOKEN_MAX = 5;

const spoken = ({ path, message }: FieldError) => (path ? `${path}: ${message}` : message);
