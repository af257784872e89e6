/** How the limits of different components relate to each other. */
import { expect, it } from 'vitest';
import {
  GRAPH_PAGE_DEFAULT,
  GRAPH_PAGE_MAX,
  SPACES_PAGE_DEFAULT,
} from '../src/api/buildings/limits.ts';
import { BUS_PAGE_DEFAULT, BUS_PAGE_MAX, BUS_READS } from '../src/api/bus/limits.ts';
import { CONNECTIONS_STOP_MS, EXPORT_STOP_MS, LARGE_BODIES } from '../src/api/http/limits.ts';
import { PERSON_EXPORTS } from '../src/api/erasures/limits.ts';
import { AUDIT_EXPORTS, AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX } from '../src/api/keys/limits.ts';
import {
  LIVE_CONNECTIONS_MAX,
  LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
  LIVE_KEPT_BYTES_MAX,
  LIVE_KEY_CHECK_MS,
  LIVE_REPLAYS_MAX,
  LIVE_REPLAYS_OF_CALLER_MAX,
  LIVE_REPLAYS_OF_ORGANISATION_MAX,
  LIVE_REPLAY_BYTES_MAX,
  LIVE_UNADMITTED_MAX,
  LIVE_UNADMITTED_OF_SOURCE_MAX,
} from '../src/api/live/limits.ts';
import {
  SANDBOX_PROVISIONING_MAX_MS,
  SANDBOX_SEEDING_IDLE_MAX_MS,
} from '../src/domain/sandboxes/limits.ts';
import { PLANTED_FAULT_READS, SANDBOX_REQUESTS_WAITS } from '../src/api/sandboxes/limits.ts';
import {
  CHANGES_PAGE_MAX,
  LISTS,
  SEARCHES,
  TICKET_EXPORTS,
  TICKET_IMPORTS,
  TICKET_PAGE_DEFAULT,
  TICKET_PAGE_MAX,
} from '../src/api/tickets/limits.ts';
import { SIMULATIONS } from '../src/api/service-desk/limits.ts';
import { DRY_RUNS, LARGE_INGESTS, SAMPLE_READS } from '../src/api/telemetry/limits.ts';
import { WEBHOOK_PAGE_DEFAULT, WEBHOOK_PAGE_MAX } from '../src/api/webhooks/limits.ts';
import { IMPORTS, IMPORT_MAX_MS } from '../src/building/imports/limits.ts';
import {
  NATS_ACKNOWLEDGED_WITHIN_MS,
  NATS_RETENTION_MS,
  NATS_PULL_MS,
  NATS_DUPLICATE_WINDOW_MS,
} from '../src/bus/limits.ts';
import { BUS_DATA_BYTES_MAX } from '../src/domain/bus/limits.ts';
import { AUDIT_WAITING_MAX, AUDIT_WAITING_OF_ORGANISATION_MAX } from '../src/domain/keys/limits.ts';
import {
  CHANGES_PAGE_DEFAULT,
  CHANGES_WAITING_MAX,
  CHANGES_WAITING_OF_ORGANISATION_MAX,
} from '../src/domain/tickets/limits.ts';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_BACKOFF_MINUTES } from '../src/domain/webhooks/limits.ts';
import {
  ALONE_LOOK_MS,
  DATABASE_CONNECTIONS_MAX,
  DATABASE_IDLE_IN_TRANSACTION_MAX_MS,
  DATABASE_STATEMENT_TIMEOUT_MS,
  LEASE_SILENT_MAX_MS,
  LOG_CALL_TIMEOUT_MS,
  LOG_COMMIT_BYTES_MAX,
  LOG_COMMIT_EVENTS_MAX,
  LOG_CONNECTION_IDLE_MAX_MS,
  RELEASE_BEAT_MS,
} from '../src/engine/limits.ts';
import { FILE_REMOVAL_LOCKED_MAX_MS, S3_OPERATION_MAX_MS } from '../src/files/limits.ts';
import {
  SANDBOX_PROXY_ANSWER_MAX_MS,
  SANDBOX_REQUESTS_PENDING_MAX,
  SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX,
  SNAPSHOTS_MADE_AT_ONCE_MAX,
  SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX,
} from '../src/hosting/limits.ts';
import {
  ISSUER_LOOK_MS,
  KEY_SET_AGE_MAX_MS,
  KEY_SET_KEPT_MAX_MS,
  KEY_SET_RELOAD_PAUSE_MS,
  SESSION_REMEMBERED_MS,
} from '../src/identity/oidc/limits.ts';
import {
  BODY_BYTES_MAX,
  COMMAND_VISIBLE_WAIT_MS,
  IMPORT_BODY_BYTES_MAX,
  READ_YOUR_WRITES_WAIT_MS,
  REQUEST_ANSWER_LONG_MAX_MS,
  REQUEST_ANSWER_MAX_MS,
  SPACES_PAGE_CAPPED_MAX,
  STOP_GRACE_MS,
  STOP_REQUESTS_MS,
  STOP_TRAVEL_MS,
} from '../src/limits.ts';
import {
  IMPORT_APPEND_BYTES_MAX,
  IMPORT_BLOCK_EVENTS,
  REQUEST_BEGUN_MAX_MS,
} from '../src/operator/limits.ts';
import {
  UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX,
  UNTRUSTED_DEADLINE_MS,
} from '../src/outbound/limits.ts';
import {
  WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX,
  WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
  WEBHOOK_PERSISTED_DUE_MS,
} from '../src/processes/webhooks/limits.ts';
import { TICKET_EXPORT_READS_AT_ONCE_MAX } from '../src/projections/tickets/limits.ts';

const relations: readonly (readonly [description: string, holds: boolean])[] = [
  ['the default page fits the largest', AUDIT_PAGE_DEFAULT <= AUDIT_PAGE_MAX],
  [
    'a stop is in order though requests, an advance and a call to the log take their time',
    STOP_REQUESTS_MS + STOP_TRAVEL_MS + LOG_CALL_TIMEOUT_MS < STOP_GRACE_MS,
  ],
  ['an export ends before the server gives up', EXPORT_STOP_MS < STOP_GRACE_MS],
  [
    'requests under way are answered, and then the connections end in time',
    REQUEST_ANSWER_MAX_MS < CONNECTIONS_STOP_MS && CONNECTIONS_STOP_MS < STOP_GRACE_MS,
  ],
  ['the default page fits the largest', TICKET_PAGE_DEFAULT <= TICKET_PAGE_MAX],
  ['the default page fits the largest', CHANGES_PAGE_DEFAULT <= CHANGES_PAGE_MAX],
  ['the default page fits the largest', WEBHOOK_PAGE_DEFAULT <= WEBHOOK_PAGE_MAX],
  ['an attempt is over before it is made again', UNTRUSTED_DEADLINE_MS < WEBHOOK_PERSISTED_DUE_MS],
  [
    'an attempt finds a connection',
    UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX >=
      WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX + WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX,
  ],
  [
    'there is a pause before each attempt but the first',
    WEBHOOK_BACKOFF_MINUTES.length === WEBHOOK_ATTEMPTS_MAX - 1,
  ],
  [
    'one organisation cannot wait for all',
    CHANGES_WAITING_OF_ORGANISATION_MAX < CHANGES_WAITING_MAX,
  ],
  ['one organisation cannot search for all', SEARCHES.ofOrganisation < SEARCHES.inAll],
  ['one organisation cannot list for all', LISTS.ofOrganisation < LISTS.inAll],
  [
    'lists and searches of one organisation leave connections to others',
    LISTS.ofOrganisation + SEARCHES.ofOrganisation < DATABASE_CONNECTIONS_MAX,
  ],
  [
    'no caller can use all export slots',
    TICKET_EXPORTS.ofCaller < TICKET_EXPORTS.ofOrganisation &&
      TICKET_EXPORTS.ofOrganisation < TICKET_EXPORTS.inAll,
  ],
  [
    'no caller can use all import slots',
    TICKET_IMPORTS.ofCaller < TICKET_IMPORTS.ofOrganisation &&
      TICKET_IMPORTS.ofOrganisation < TICKET_IMPORTS.inAll,
  ],
  [
    'searches and exports leave connections to others',
    SEARCHES.inAll + TICKET_EXPORT_READS_AT_ONCE_MAX < DATABASE_CONNECTIONS_MAX,
  ],
  [
    'one organisation cannot send large bodies for all',
    LARGE_BODIES.ofOrganisation < LARGE_BODIES.inAll,
  ],
  [
    'a sandbox whose seeding hangs is seeded by another process in time',
    3 * SANDBOX_SEEDING_IDLE_MAX_MS < SANDBOX_PROVISIONING_MAX_MS,
  ],
  ['one organisation cannot ingest for all', LARGE_INGESTS.ofOrganisation < LARGE_INGESTS.inAll],
  ['one organisation cannot try rules for all', DRY_RUNS.ofOrganisation < DRY_RUNS.inAll],
  ['nor read samples for all', SAMPLE_READS.ofOrganisation < SAMPLE_READS.inAll],
  ['reads of samples leave connections to others', SAMPLE_READS.inAll < DATABASE_CONNECTIONS_MAX],
  ['nor read the bus for all', BUS_READS.ofOrganisation < BUS_READS.inAll],
  ['nor simulate for all', SIMULATIONS.ofOrganisation < SIMULATIONS.inAll],
  ['nor wait for all', AUDIT_WAITING_OF_ORGANISATION_MAX < AUDIT_WAITING_MAX],
  [
    'one organisation cannot wait for requests of sandboxes for all',
    SANDBOX_REQUESTS_WAITS.ofOrganisation < SANDBOX_REQUESTS_WAITS.inAll,
  ],
  [
    'one sandbox cannot fill the request log of all',
    SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX < SANDBOX_REQUESTS_PENDING_MAX,
  ],
  [
    'nor compute planted faults for all',
    PLANTED_FAULT_READS.ofOrganisation < PLANTED_FAULT_READS.inAll,
  ],
  ['nor export for all', AUDIT_EXPORTS.ofOrganisation < AUDIT_EXPORTS.inAll],
  ['nor persons for all', PERSON_EXPORTS.ofOrganisation < PERSON_EXPORTS.inAll],
  ['the default page fits the largest', BUS_PAGE_DEFAULT <= BUS_PAGE_MAX],
  ['a message fits a body', BUS_DATA_BYTES_MAX < BODY_BYTES_MAX],
  [
    'a repeat is known as long as the message at most',
    NATS_DUPLICATE_WINDOW_MS <= NATS_RETENTION_MS,
  ],
  ['an old request ends before a message comes again', NATS_PULL_MS < NATS_ACKNOWLEDGED_WITHIN_MS],
  ['a replay is no sign of a slow client', LIVE_REPLAY_BYTES_MAX < LIVE_KEPT_BYTES_MAX],
  [
    'one organisation cannot listen for all',
    LIVE_CONNECTIONS_OF_ORGANISATION_MAX < LIVE_CONNECTIONS_MAX,
  ],
  [
    'nor one address open connections without a session for all',
    LIVE_UNADMITTED_OF_SOURCE_MAX < LIVE_UNADMITTED_MAX,
  ],
  ['strangers hold less than clients', LIVE_UNADMITTED_MAX < LIVE_CONNECTIONS_MAX],
  [
    'one organisation cannot copy for all',
    SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX < SNAPSHOTS_MADE_AT_ONCE_MAX,
  ],
  ['one organisation cannot replay for all', LIVE_REPLAYS_OF_ORGANISATION_MAX < LIVE_REPLAYS_MAX],
  ['nor one caller for its own', LIVE_REPLAYS_OF_CALLER_MAX < LIVE_REPLAYS_OF_ORGANISATION_MAX],
  ['a revoked key ends its sessions in time', LIVE_KEY_CHECK_MS < 5 * 60_000],
  ['the default page fits a capped deployment', SPACES_PAGE_DEFAULT <= SPACES_PAGE_CAPPED_MAX],
  ['the default page fits the largest', GRAPH_PAGE_DEFAULT <= GRAPH_PAGE_MAX],
  ['the log answers before the request is late', LOG_CALL_TIMEOUT_MS < REQUEST_ANSWER_MAX_MS],
  ['a command waits less than a read', COMMAND_VISIBLE_WAIT_MS < READ_YOUR_WRITES_WAIT_MS],
  ['keys are kept longer than what they have signed', SESSION_REMEMBERED_MS < KEY_SET_AGE_MAX_MS],
  ['an unknown key reloads before the set is old', KEY_SET_RELOAD_PAUSE_MS < KEY_SET_AGE_MAX_MS],
  ['a look at the issuer is not the pause of the last', KEY_SET_RELOAD_PAUSE_MS < ISSUER_LOOK_MS],
  ['keys outlive an outage of their issuer', KEY_SET_AGE_MAX_MS < KEY_SET_KEPT_MAX_MS],
  [
    'locks are released before another process takes over',
    DATABASE_IDLE_IN_TRANSACTION_MAX_MS < LEASE_SILENT_MAX_MS,
  ],
  [
    "a file's removal ends before its lock, and a claim waits for either",
    S3_OPERATION_MAX_MS < FILE_REMOVAL_LOCKED_MAX_MS &&
      FILE_REMOVAL_LOCKED_MAX_MS < DATABASE_STATEMENT_TIMEOUT_MS,
  ],
  [
    'no caller can use all import slots',
    IMPORTS.ofCaller < IMPORTS.ofOrganisation && IMPORTS.ofOrganisation < IMPORTS.inAll,
  ],
  ['a verification outlives an owner that was killed', REQUEST_BEGUN_MAX_MS > LEASE_SILENT_MAX_MS],
  ['a release is alive though a beat is missed', RELEASE_BEAT_MS * 2 < LEASE_SILENT_MAX_MS],
  ['a connection that is looked over is kept', ALONE_LOOK_MS < LOG_CONNECTION_IDLE_MAX_MS],
  ['an import ends before the request is late', IMPORT_MAX_MS < REQUEST_ANSWER_LONG_MAX_MS],
  [
    'a request that is passed on is late where it is answered first',
    REQUEST_ANSWER_LONG_MAX_MS < SANDBOX_PROXY_ANSWER_MAX_MS,
  ],
  ['imports are larger than bodies', BODY_BYTES_MAX < IMPORT_BODY_BYTES_MAX],
  ['a block of an import is one commit', IMPORT_BLOCK_EVENTS <= LOG_COMMIT_EVENTS_MAX],
  ['an append of an import is one commit', IMPORT_APPEND_BYTES_MAX <= LOG_COMMIT_BYTES_MAX],
];

it.each(relations)('%s', (_description, holds) => expect(holds).toBe(true));
