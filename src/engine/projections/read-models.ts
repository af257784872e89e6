import {
  projectionId,
  projectionVersionOf,
  type ConsumerId,
  type ProjectionVersion,
} from '../consumers/consumer.ts';
import type { ParkedRow } from '../consumers/checkpoints.ts';
import type { Lag } from '../consumers/positions.ts';
import type { Progress } from '../consumers/progress.ts';
import type { ConsumerRequest, RequestKind } from '../consumers/requests.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import type { Position } from '../log/event-store.ts';
import { readinessError, type Ready } from '../observe/readiness-error.ts';
import { inOtherShape, otherShape } from './apply/shape.ts';
import type { AnyProjection } from './projection.ts';
import { projectionRunner, type RunnerParts } from './runner.ts';

/** The read models of a platform: fed where this process owns them, waited for everywhere. */
export interface ReadModels {
  readonly names: readonly string[];
  /** What feeds them, for `Consumers.start`. A process that only reads starts none of them. */
  readonly runners: readonly ConsumerRunner[];
  /**
   * Whether every named read model, in the version of this release, shows the log up to `position`
   * within `timeoutMs`, whichever process feeds it. contract.md section 1.
   *
   * @throws If there is no read model of a name.
   */
  waitFor(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether none of them lags more than `COMMAND_VISIBLE_LAG_MAX_MS`, as last seen. */
  near(names: readonly string[]): Promise<boolean>;
  /** The lag behind the log's own head; 0 and 0 at it. */
  lag(name: string): Promise<Lag>;
  status(): Promise<readonly ProjectionStatus[]>;
  /** `true`, or why requests cannot be answered: a version is still being built. */
  ready(): Promise<Ready>;
  /**
   * Asks the owner of the read model, whichever process that is, to rebuild or verify it, or to
   * retry or skip a parked stream. Resolves when the request is stored.
   *
   * @throws If there is no read model of the name; `RequestConflict` for a second rebuild or
   *   verification.
   */
  ask(name: string, asked: Asked): Promise<ProjectionRequest>;
  /** Cancels its rebuild or verification; `null` if there is none. The live one stays as it is. */
  cancel(name: string): Promise<ProjectionRequest | null>;
  /** The latest requests, the newest first. */
  requests(name: string): Promise<readonly ProjectionRequest[]>;
  /** Parked streams. */
  parked(name: string): Promise<readonly ParkedStream[]>;
  /** Calls back when the read model shows more of the log; within a second if fed elsewhere. */
  onMoved(name: string, moved: () => void): () => void;
}

export interface Asked {
  readonly kind: Exclude<RequestKind, 'build'>;
  /** The parked one, for `retry` and `skip`. */
  readonly stream?: string;
  /** A rebuild replaces the live model even if it parks more. Default false. */
  readonly acceptParked?: boolean;
  readonly by: string;
}

/** A request to a read model, with its result. */
export interface ProjectionRequest
  extends Omit<ConsumerRequest, 'consumer' | 'lane'>, ProjectionVersion {
  readonly stream: string | null;
}

export interface ParkedStream
  extends
    ProjectionVersion,
    Pick<ParkedRow, 'stream' | 'eventId' | 'revision' | 'position' | 'parkedAt' | 'skipped'> {
  readonly error: string;
}

/** Work in progress on a read model: its first build, a rebuild, or a verification. */
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
   * `building`: not at the head yet since its tables were created; `live`: fed by this process;
   * `waiting`: fed by another, this one is on standby; `stopped`: without an owner.
   */
  readonly state: 'building' | 'live' | 'waiting' | 'stopped';
  readonly owner: 'this' | 'other' | 'none';
  /** Parked streams. */
  readonly parked: number;
  readonly lastError: string | null;
  readonly work: Work | null;
}

export interface ReadModelsParts extends Omit<RunnerParts, 'projection'> {
  readonly projections: readonly AnyProjection[];
  readonly consumers: Consumers;
}

/** @throws If two projections have one name: a platform feeds one version of each. */
export const readModels = (parts: ReadModelsParts): ReadModels => {
  const { projections, consumers } = parts;
  const { checkpoints, positions, requests, logger } = consumers;
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  if (byName.size !== projections.length) throw new Error('two projections have one name');
  const ids = projections.map(projectionId);

  const idOf = (name: string): ConsumerId => {
    const projection = byName.get(name);
    if (!projection) throw new Error(`there is no read model ${name}`);
    return projectionId(projection);
  };

  return {
    names: projections.map(({ name }) => name),
    runners: projections.map((projection) => projectionRunner({ ...parts, projection })),

    waitFor: async (names, position, timeoutMs) =>
      positions.until(names.map(idOf), position, timeoutMs),

    near: async (names) => positions.near(names.map(idOf)),

    async lag(name) {
      const id = idOf(name);
      const reached = positions.here(id);
      if (reached) return positions.lag(reached.position);
      return positions.lag((await checkpoints.of([id])).get(id)?.position ?? null);
    },

    async status() {
      const [found, works] = await Promise.all([consumers.status(ids), requests.list(ids)]);
      return found.map(({ consumer, owner, reached, checkpoint, events, seconds }, index) => {
        const { name, version } = projections[index]!;
        return {
          name,
          version,
          position: reached.position,
          lagEvents: events,
          lagSeconds: seconds,
          state: stateOf(owner, reached.caughtUp),
          owner,
          parked: checkpoint?.parked ?? 0,
          lastError: checkpoint?.lastError ?? null,
          work: workOf(works.filter((request) => request.consumer === consumer)),
        };
      });
    },

    async ready() {
      try {
        const [found, strange] = await Promise.all([
          checkpoints.of(ids),
          inOtherShape(consumers.pool, projections),
        ]);
        if (strange.length > 0) return otherShape(strange);
        const unready = projections.filter((projection) => {
          const checkpoint = found.get(projectionId(projection));
          return !checkpoint?.caughtUp || checkpoint.tablesMissing;
        });
        if (unready.length === 0) return true;
        const names = unready.map(({ name, version }) => `${name} ${version}`).join(', ');
        return readinessError(`read models are still being built: ${names}`);
      } catch (error) {
        logger.warn({ err: error }, 'the read models cannot be looked at');
        return readinessError('the read models cannot be reached');
      }
    },

    async ask(name, { stream, ...asked }) {
      const lane = stream === undefined ? {} : { lane: stream };
      return requestOf(await consumers.ask({ consumer: idOf(name), ...asked, ...lane }));
    },

    async cancel(name) {
      const cancelled = await consumers.cancel(idOf(name));
      return cancelled && requestOf(cancelled);
    },

    requests: async (name) => (await requests.list([idOf(name)])).map(requestOf),
    parked: async (name) => (await consumers.parked(idOf(name))).map(parkedOf),
    onMoved: (name, moved) => positions.onMoved(idOf(name), moved),
  };
};

const requestOf = ({ consumer, lane, ...request }: ConsumerRequest): ProjectionRequest => ({
  ...request,
  ...projectionVersionOf(consumer)!,
  stream: lane,
});

const parkedOf = (parked: ParkedRow): ParkedStream => {
  const { consumer, stream, eventId, revision, position, parkedAt, skipped, reason } = parked;
  const event = { stream, eventId, revision, position, parkedAt, skipped };
  return { ...projectionVersionOf(consumer)!, ...event, error: reason };
};

const stateOf = (owner: ProjectionStatus['owner'], caughtUp: boolean) => {
  if (owner === 'none') return 'stopped';
  if (!caughtUp) return 'building';
  return owner === 'this' ? 'live' : 'waiting';
};

const workOf = (works: readonly ConsumerRequest[]): Work | null => {
  const under = works.filter(
    ({ endedAt, kind }) => endedAt === null && !['retry', 'skip'].includes(kind),
  );
  const work = under.find(({ state }) => state === 'running') ?? under[0];
  if (!work) return null;
  const { kind, state, progress } = work;
  return { kind, state: state === 'running' ? 'running' : 'waiting', progress };
};
