import { occasionsOf, type OccasionOf } from '../api/sessions/authenticate.ts';
import type { Visibility } from '../api/http/commands.ts';
import type { Bus } from '../bus/bus.ts';
import { busMetrics, type BusMetrics } from '../bus/metrics.ts';
import { logBus } from '../bus/log/bus.ts';
import { natsBus } from '../bus/nats/bus.ts';
import type { Nats } from '../bus/nats/nats.ts';
import { tracedNats } from '../bus/nats/spans.ts';
import type { Consumers } from '../engine/consumers/runtime.ts';
import type { Database } from '../engine/postgres/pool.ts';
import type { SizeBounds } from '../domain/sandboxes/size.ts';
import { ticketChanges, type TicketChanges } from '../projections/tickets/feed/changes.ts';
import { dataLayers, type DataLayers } from '../building/graph/data-layers.ts';
import type { Graph } from '../building/graph/graph.ts';
import { outboxRelay, type OutboxRelay } from '../building/graph/outbox-relay.ts';
import { postgresGraph } from '../building/graph/postgres-graph.ts';
import { planColours, type PlanColours } from '../building/plans/colours.ts';
import { keptFrom } from '../building/telemetry/retention.ts';
import { postgresPlans, type Plans } from '../building/plans/plans.ts';
import { buildingImports, type BuildingImports } from '../building/imports/imports.ts';
import { IMPORTS } from '../building/imports/limits.ts';
import { importFollowers } from '../building/imports/followers.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Identity } from '../identity/caller.ts';
import type { KeyAuthority } from '../identity/keys/key-authority.ts';
import type { ReadOwnSandbox } from '../api/sessions/own-sandbox.ts';
import type { BrowserSessions } from '../identity/sessions/sessions.ts';
import type { KeyringAnnouncements } from '../identity/keys/key-use-log.ts';
import { ALONE_SWEEP_MS, COMMAND_VISIBLE_WAIT_MS, READ_YOUR_WRITES_WAIT_MS } from '../limits.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { MetricRegistry } from '../engine/observe/metrics.ts';
import type { PersonKeys } from '../engine/personal/person-keys.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import type { Tracing } from '../engine/observe/tracing.ts';
import { withTimeout } from '../engine/concurrency/timeout.ts';
import type { UntrustedHttp } from '../outbound/untrusted-http.ts';
import { feedControl, type FeedControl } from '../processes/tickets/feed-control.ts';
import type { SandboxBuilder } from '../processes/sandboxes/provisioning.ts';
import { peopleOf, type People } from '../projections/people/people.ts';
import { signIns, type SignIns } from '../projections/people/sign-ins.ts';
import type { ReadModels } from '../engine/projections/read-models.ts';
import { ticketQueries, type TicketQueries } from '../projections/tickets/query/queries.ts';
import { numberingCodec } from '../domain/tickets/codecs.ts';
import type { LogCursors } from '../engine/log/cursors.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import {
  serviceDeskRepository,
  type ServiceDesks,
} from '../use-cases/service-desk/service-desks.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import type { ProcessShares } from './process-shares.ts';
import type { AttachmentAggregate } from '../use-cases/tickets/attachments.ts';
import type { ReadPlantedFaults } from '../use-cases/sandboxes/planted-faults.ts';
import { ticketNumberSequence, type TicketNumbers } from '../use-cases/tickets/ticket-numbers.ts';
import {
  attachmentRepository,
  ticketRepository,
  type Tickets,
} from '../use-cases/tickets/tickets.ts';

/** The parts of one platform that its capabilities share. */
export interface Core extends CoreParts {
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  readonly graph: Graph;
  readonly dataLayers: DataLayers;
  readonly plans: Plans;
  readonly planColours: PlanColours;
  readonly imports: BuildingImports;
  /** Moves events from the graph's outbox to the log. */
  readonly outbox: OutboxRelay;
  readonly tickets: Tickets;
  /** The streams of {@link tickets}, seen as their attachments. */
  readonly attachments: AttachmentAggregate;
  readonly ticketQueries: TicketQueries;
  readonly changes: TicketChanges;
  readonly feedControl: FeedControl;
  readonly desks: ServiceDesks;
  readonly signIns: SignIns;
  readonly people: People;
  readonly numbers: TicketNumbers;
  readonly bus: Bus;
  /** The log as bus: the source of all bus consumers, also where {@link bus} is NATS. */
  readonly journals: Bus;
  readonly busMetrics: BusMetrics;
}

export interface CoreParts extends ProcessShares {
  readonly identity: Identity;
  readonly keyAuthority: KeyAuthority;
  /** `null`: cookies are no credential here. */
  readonly browserSessions: BrowserSessions | null;
  readonly keyUses: Pick<KeyringAnnouncements, 'announce' | 'retire'>;
  /** Where this platform is, without a trailing slash. */
  readonly publicUrl: string;
  /** Origins that CORS allows. */
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly log: EventStore;
  readonly db: Database;
  /** No other process uses the log and the database. */
  readonly isAlone: boolean;
  readonly isSandbox: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly secrets: Secrets;
  /** The keys that personal data in the log is sealed under. */
  readonly personKeys: PersonKeys;
  /** Whether personal data in events appended from now on is sealed. Throws as the log does. */
  readonly isWrittenSealed: () => Promise<boolean>;
  readonly metrics: MetricRegistry;
  /** For requests to hosts that users have configured. */
  readonly untrustedHttp: UntrustedHttp;
  /** The bytes of attachments. */
  readonly files: FileStore;
  /** Stores the list of erasures; `null`: no list, because this platform is never backed up. */
  readonly erasureFiles: FileStore | null;
  readonly consumers: Consumers;
  readonly models: ReadModels;
  /** Positions as readers of feeds keep them. */
  readonly cursors: LogCursors;
  /** Processes that must see every event from the first on, even before they have ever run. */
  readonly processNames: readonly string[];
  /** Aborts when the server stops: pending long polls are then answered. */
  readonly stopping: AbortSignal;
  /** `SPACES_LIMIT_CAP`. */
  readonly spacesPageMax: number;
  /**
   * How long a command's response and a read wait for read models. Default
   * {@link COMMAND_VISIBLE_WAIT_MS} and {@link READ_YOUR_WRITES_WAIT_MS}.
   */
  readonly waits?: { readonly commandMs: number; readonly readMs: number } | undefined;
  /** How long any process may use a destroyed key. Default `PERSON_KEY_TRUSTED_MS`. */
  readonly personKeysTrustedMs?: number;
  /** The prefix of every subject of the bus. */
  readonly busPrefix: string;
  /** `null`: the log is the bus. */
  readonly nats: Nats | null;
  /** `TELEMETRY_RETENTION_DAYS`; `null`: telemetry is kept. */
  readonly telemetryRetentionDays: number | null;
  /** The address of a sandbox by its slug. */
  readonly sandboxApiUrlOf: (slug: string) => string;
  /** The suffix after the slug in a `Host` header. */
  readonly sandboxHost: string;
  /** `SANDBOX_BYTES_MAX` and `SANDBOX_HOST_BYTES_MAX`. Default: theirs. */
  readonly sandboxSizes?: SizeBounds | undefined;
  /** Whether agents call tools at `/mcp`: `ATRIUM_MCP`. */
  readonly servesMcp: boolean;
  /** `null` where this process builds no sandboxes. */
  readonly sandboxBuilder: SandboxBuilder | null;
  /** `null` where this process cannot read the databases of sandboxes. */
  readonly plantedFaults: ReadPlantedFaults | null;
  /** Which sandbox this platform is; `null`: none. */
  readonly readOwnSandbox: ReadOwnSandbox | null;
}

export const coreOf = (parts: CoreParts): Core => {
  const { log, db, isAlone, clock, logger, tracing, processNames, nats, metrics } = parts;
  const measuredBus = busMetrics(metrics, nats);
  const journals = logBus({ log, clock, expected: processNames });
  const outbox = outboxRelay({
    db: db.pool,
    log,
    logger,
    ...(isAlone ? { everyMs: ALONE_SWEEP_MS } : {}),
  });
  const desks = tracedCommands(tracing, 'serviceDesk', serviceDeskRepository(log));
  const queries = ticketQueries(db);
  const signedIn = signIns({ pool: db.pool, clock, logger });
  const changes = ticketChanges(log, { recent: parts.consumers.reader.recent, clock });
  return {
    ...parts,
    occasionOf: occasionsOf(clock),
    visibility: visibilityOf(parts),
    graph: postgresGraph({
      db: db.pool,
      announced: outbox.wake,
      followers: importFollowers,
    }),
    dataLayers: dataLayers(db.pool),
    plans: postgresPlans(db.pool),
    planColours: planColours(db.pool, keptFrom(clock, parts.telemetryRetentionDays)),
    imports: buildingImports({
      databaseUrl: db.url,
      announced: outbox.wake,
      permits: parts.permits(IMPORTS),
      threads: parts.importThreads,
    }),
    outbox,
    tickets: tracedCommands(tracing, 'ticket', ticketRepository(log)),
    attachments: tracedCommands(tracing, 'ticket', attachmentRepository(log)),
    ticketQueries: queries,
    changes,
    feedControl: feedControl({ log, changes, pool: db.pool, clock, logger }),
    desks,
    signIns: signedIn,
    people: peopleOf({ tickets: queries, desks, signIns: signedIn }),
    numbers: ticketNumberSequence({ log, codec: numberingCodec }),
    journals,
    busMetrics: measuredBus,
    bus: nats
      ? natsBus({
          nats: tracedNats(nats, tracing),
          prefix: parts.busPrefix,
          source: parts.publicUrl,
          metrics: measuredBus,
        })
      : journals,
  };
};

const visibilityOf = ({ log, models, logger, waits }: CoreParts): Visibility => ({
  commandWaitMs: waits?.commandMs ?? COMMAND_VISIBLE_WAIT_MS,
  readWaitMs: waits?.readMs ?? READ_YOUR_WRITES_WAIT_MS,

  waitFor: (names, position, timeoutMs) => models.waitFor(names, position, timeoutMs),

  /** A failure counts as "not near": the command is stored, and its response must not fail. */
  async near(names) {
    try {
      return await withTimeout(models.near(names), this.commandWaitMs, () => false);
    } catch (error) {
      logger.warn({ err: error }, 'the read models cannot be looked at');
      return false;
    }
  },

  isPosition(text) {
    try {
      log.compare(text, null);
      return true;
    } catch {
      return false;
    }
  },
});
