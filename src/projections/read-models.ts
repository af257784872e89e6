import type { Pool } from 'pg';
import { isMissingTable } from '../db/errors.ts';
import type { Ownership } from '../consumers/leases.ts';
import { COMMAND_VISIBLE_LAG_MAX_MS, READ_MODELS_WATCH_MS } from '../limits.ts';
import { pause } from '../ops/backoff.ts';
import { systemClock, type Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { EventStore, Position } from '../store/event-store.ts';
import { checkpoints, type Checkpoint, type ParkedStream } from './apply/checkpoints.ts';
import type { Progress } from './rebuild/progress.ts';
import { schemaOf, type AnyProjection } from './projection.ts';
import { requests, type ProjectionRequest, type RequestKind } from './rebuild/requests.ts';
import { projectionRunner, type Reached } from './runner.ts';
import { waiting } from '../consumers/position-waiters.ts';

/** The read models of a platform: fed where this process owns them, waited for everywhere. */
export interface ReadModels {
  readonly names: readonly string[];
  /**
   * Competes for every projection and feeds those it owns. Resolves once `signal` has aborted and
   * all of them are given up. A process that only reads never calls it.
   */
  start(signal: AbortSignal): Promise<void>;
  /**
   * Whether every named read model, in the version of this release, shows the log up to `position`
   * within `timeoutMs`, whichever process feeds it. contract.md section 1.
   *
   * @throws If there is no read model of a name.
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether none of them lags more than {@link COMMAND_VISIBLE_LAG_MAX_MS}, as last seen. */
  near(names: readonly string[]): Promise<boolean>;
  /** Behind the log's own head; 0 and 0 at it. `events` is `null` where the log cannot count. */
  lag(name: string): Promise<Lag>;
  status(): Promise<readonly ProjectionStatus[]>;
  /** `true`, or why requests cannot be answered: a version is still being built. */
  ready(): Promise<true | string>;
  /**
   * Asks the owner of the read model, whichever process that is, to rebuild or verify it, or to
   * retry or skip a parked stream. Resolves when the request is written down.
   *
   * @throws If there is no read model of the name; `RequestTaken` for a second rebuild or
   *   verification.
   */
  ask(name: string, asked: Asked): Promise<ProjectionRequest>;
  /** Cancels its rebuild or verification; `null` if there is none. The live one stays as it is. */
  cancel(name: string): Promise<ProjectionRequest | null>;
  /** The latest requests, the newest first. */
  requests(name: string): Promise<readonly ProjectionRequest[]>;
  /** What is set aside, by stream. */
  parked(name: string): Promise<readonly ParkedStream[]>;
  /** Calls back when the read model shows more of the log; within a second if fed elsewhere. */
  onMoved(name: string, moved: () => void): () => void;
}

export interface Lag {
  readonly events: number | null;
  /** How long the oldest event not shown has been in the log. */
  readonly seconds: number;
}

export interface Asked {
  readonly kind: Exclude<RequestKind, 'build'>;
  /** The parked stream, for `retry` and `skip`. */
  readonly stream?: string;
  /** A rebuild takes the place of the live one though it parks more. Default false. */
  readonly acceptParked?: boolean;
  readonly by: string;
}

/** What is being done with a read model: its first build, a rebuild, or a verification. */
export interface Work {
  readonly kind: RequestKind;
  readonly state: 'waiting' | 'running';
  readonly progress: Progress | null;
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly position: Position | null;
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  /**
   * `building`: not at the head yet since its tables were made; `live`: fed by this process;
   * `waiting`: fed by another, this one stands by; `stopped`: fed by nobody.
   */
  readonly state: 'building' | 'live' | 'waiting' | 'stopped';
  readonly owner: 'this' | 'other' | 'none';
  /** Streams set aside. */
  readonly parked: number;
  readonly lastError: string | null;
  readonly work: Work | null;
}

export interface ReadModelsParts {
  readonly projections: readonly AnyProjection[];
  readonly log: EventStore;
  readonly db: { readonly pool: Pool };
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What lag is measured by, whatever the clock that rules see says. Default: the system's. */
  readonly real?: Clock;
  readonly rowsCachedMax?: number;
  readonly rebuildEventsMin?: number;
  readonly rowsInMemoryMax?: number;
}

/** @throws If two projections have one name: a platform feeds one version of each. */
export const readModels = (parts: ReadModelsParts): ReadModels => {
  const { projections, log, db, ownership, logger, real = systemClock } = parts;
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  if (byName.size !== projections.length) throw new Error('two projections have one name');

  const here = new Map<string, Reached>();
  const listeners = new Map<string, Set<() => void>>();
  const lagSeen = new Map<string, { readonly seconds: number; readonly at: number }>();
  const books = checkpoints(db.pool, projections);
  const asked = requests(db.pool);
  const versions = projections.map(({ version }) => version);
  const waits = waiting({
    log,
    known: (name) => here.get(name),
    look: async () => positionsIn(await books.all()),
    onFailure: (error) => logger.debug({ err: error }, 'the checkpoints cannot be read'),
  });

  const moved = (name: string) => {
    for (const listener of listeners.get(name) ?? []) listener();
  };

  const runners = projections.map((projection) =>
    projectionRunner({
      ...parts,
      pool: db.pool,
      projection,
      onReached(reached) {
        if (reached === null) {
          here.delete(projection.name);
          waits.lookElsewhere();
          return;
        }
        here.set(projection.name, reached);
        waits.reached(projection.name, reached.position);
        moved(projection.name);
      },
    }),
  );

  const projectionOf = (name: string): AnyProjection => {
    const projection = byName.get(name);
    if (!projection) throw new Error(`there is no read model ${name}`);
    return projection;
  };

  const lagOf = async (position: Position | null): Promise<Lag> => {
    const head = await log.head();
    if (log.compare(position, head.position) >= 0) return { events: 0, seconds: 0 };
    const { events } = await log.readAll(position, { limit: 1 });
    const since = events[0]?.recordedAt ?? head.recordedAt ?? real.now();
    const waitedMs = Math.max(0, Date.parse(real.now()) - Date.parse(since));
    return { events: log.distance(position, head.position), seconds: waitedMs / 1000 };
  };

  /** As this process knows it best: what it feeds itself, it need not ask the database about. */
  const positionOf = (name: string, found: Checkpoint | undefined): Position | null =>
    here.get(name)?.position ?? found?.position ?? null;

  const seen = new Map<string, Position | null>();

  const lookAround = async () => {
    const found = await books.all();
    for (const runner of runners) {
      const { name } = runner.projection;
      const checkpoint = found.get(name);
      if (here.has(name) && (!checkpoint || checkpoint.tablesMissing)) runner.lookAgain();
      const position = positionOf(name, checkpoint);
      lagSeen.set(name, { ...(await lagOf(position)), at: performance.now() });
      if (seen.has(name) && seen.get(name) !== position) moved(name);
      seen.set(name, position);
    }
    await lookAtRequests();
  };

  const lookAtRequests = async () => {
    for (const request of await asked.waiting([...byName.keys()], versions)) offer(request);
  };

  const offer = (request: ProjectionRequest) =>
    runners.find(({ projection }) => projection.name === request.name)?.offer(request);

  /** Sees what nobody tells: tables that were dropped, and how far others have come. */
  const watch = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        await lookAround();
      } catch (error) {
        if (isMissingTable(error)) for (const runner of owned()) runner.lookAgain();
        else logger.warn({ err: error }, 'the read models cannot be looked at');
      }
      await pause(READ_MODELS_WATCH_MS, signal);
    }
  };

  const owned = () => runners.filter(({ projection }) => here.has(projection.name));

  return {
    names: projections.map(({ name }) => name),

    async start(signal) {
      const feeding = runners.map((runner) =>
        ownership.hold(ownerNameOf(runner.projection), (lease) => runner.run(lease), signal),
      );
      await Promise.all([watch(signal), ...feeding]);
      waits.close();
    },

    async waitFor(names, position, timeoutMs) {
      names.forEach(projectionOf);
      return waits.until(names, position, timeoutMs);
    },

    async near(names) {
      for (const name of names) {
        const lately = lagSeen.get(name);
        const fresh = lately && performance.now() - lately.at < 2 * READ_MODELS_WATCH_MS;
        const seconds = fresh ? lately.seconds : (await this.lag(name)).seconds;
        if (!fresh) lagSeen.set(name, { seconds, at: performance.now() });
        if (seconds * 1000 > COMMAND_VISIBLE_LAG_MAX_MS) return false;
      }
      return true;
    },

    async lag(name) {
      const projection = projectionOf(name);
      const known = here.get(projection.name);
      return lagOf(known ? known.position : positionOf(name, (await books.all()).get(name)));
    },

    async status() {
      const [found, owners, works] = await Promise.all([
        books.all(),
        ownership.owners(projections.map(ownerNameOf)),
        asked.list([...byName.keys()], versions),
      ]);
      return Promise.all(
        projections.map(async (projection) => {
          const { name, version } = projection;
          const checkpoint = found.get(name);
          const owner = owners.get(ownerNameOf(projection)) ?? 'none';
          const position = positionOf(name, checkpoint);
          const { events, seconds } = await lagOf(position);
          return {
            name,
            version,
            position,
            lagEvents: events,
            lagSeconds: seconds,
            state: stateOf(owner, here.get(name)?.caughtUp ?? checkpoint?.caughtUp ?? false),
            owner,
            parked: checkpoint?.parked ?? 0,
            lastError: checkpoint?.lastError ?? null,
            work: workOf(works, name),
          };
        }),
      );
    },

    async ready() {
      try {
        const found = await books.all();
        const unready = projections.filter(({ name }) => {
          const checkpoint = found.get(name);
          return !checkpoint?.caughtUp || checkpoint.tablesMissing;
        });
        if (unready.length === 0) return true;
        const names = unready.map(({ name, version }) => `${name} ${version}`).join(', ');
        return `read models are still being built: ${names}`;
      } catch (error) {
        logger.warn({ err: error }, 'the read models cannot be looked at');
        return 'the read models cannot be reached';
      }
    },

    async ask(name, { by, ...what }) {
      const { version } = projectionOf(name);
      const request = await asked.ask({ name, version, ...what, by, at: real.now() });
      // Where this process is the owner, it need not first find the request.
      offer(request);
      return request;
    },

    async cancel(name) {
      return asked.cancel(name, projectionOf(name).version, real.now());
    },

    async requests(name) {
      return asked.list([name], [projectionOf(name).version]);
    },

    async parked(name) {
      projectionOf(name);
      return (await books.parked()).filter((stream) => stream.name === name);
    },

    onMoved(name, listener) {
      projectionOf(name);
      const its = listeners.get(name) ?? new Set();
      listeners.set(name, its.add(listener));
      return () => its.delete(listener);
    },
  };
};

const stateOf = (owner: ProjectionStatus['owner'], caughtUp: boolean) => {
  if (owner === 'none') return 'stopped';
  if (!caughtUp) return 'building';
  return owner === 'this' ? 'live' : 'waiting';
};

const workOf = (works: readonly ProjectionRequest[], of: string): Work | null => {
  const under = works.filter(({ name, endedAt, kind }) => {
    return name === of && endedAt === null && !['retry', 'skip'].includes(kind);
  });
  const work = under.find(({ state }) => state === 'running') ?? under[0];
  if (!work) return null;
  const { kind, state, progress } = work;
  return { kind, state: state === 'running' ? 'running' : 'waiting', progress };
};

/** What an owner of this version of a read model holds. */
export const ownerNameOf = (projection: Parameters<typeof schemaOf>[0]): string =>
  `projection/${schemaOf(projection)}`;

const positionsIn = (found: ReadonlyMap<string, Checkpoint>) =>
  new Map(
    [...found].flatMap(([name, { position, tablesMissing }]) =>
      tablesMissing ? [] : [[name, position] as const],
    ),
  );
