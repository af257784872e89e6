import type { Nats } from '../bus/nats/nats.ts';
import { FedFromAnotherLog } from '../engine/consumers/log-change.ts';
import { LogRefused } from '../engine/log/log-refused.ts';
import type { RestoreGuard } from '../engine/consumers/restore-guard.ts';
import type { Releases } from '../engine/consumers/releases.ts';
import type { Identity } from '../identity/caller.ts';
import { READINESS_ANSWER_MAX_MS } from '../engine/limits.ts';
import { LAG_MAX_S, READINESS_KEPT_MS } from '../limits.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import {
  readinessError,
  readinessErrorOf,
  type Degradation,
  type ReadinessSource,
  type Ready,
} from '../engine/observe/readiness-error.ts';
import { singleFlight } from '../engine/concurrency/single-flight.ts';
import { withTimeout } from '../engine/concurrency/timeout.ts';
import { retry } from '../engine/concurrency/backoff.ts';
import type { ProcessControl } from '../engine/control/process-control.ts';
import { registerProcess } from '../engine/processes/process-position.ts';
import type { ReadModels } from '../engine/projections/read-models.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import type { PersonKeys } from '../engine/personal/person-keys.ts';
import type { WatchedAppends } from '../engine/log/watched-appends.ts';

/** A part of a capability that can fail while everything else is served. */
export interface DegradablePart {
  /** Its label in `atrium_degraded`. */
  readonly part: string;
  /** Called for each request of readiness and of the metrics. */
  readonly reason: () => Promise<Ready>;
}

export interface ReadinessParts {
  readonly log: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identity: Pick<Identity, 'ready' | 'reachable'>;
  readonly models: Pick<ReadModels, 'ready' | 'status'>;
  readonly control: Pick<ProcessControl, 'status'>;
  readonly appends: Pick<WatchedAppends, 'ready'>;
  readonly personKeys: Pick<PersonKeys, 'ready'>;
  /** `null`: the log is the bus. */
  readonly nats: Pick<Nats, 'ready'> | null;
  readonly watch: Pick<RestoreGuard, 'adopt' | 'check' | 'ready'>;
  readonly releases?: Pick<Releases, 'serves'>;
  readonly degradable: readonly DegradablePart[];
  readonly processNames: readonly string[];
  readonly stopping: AbortSignal;
}

/** Prepares a platform to serve requests, and reports whether it does. contract.md section 10. */
export interface Readiness extends ReadinessSource {
  /** Reads that readiness and the metrics share: one at a time, cached for a second. */
  readonly looks: {
    readonly models: ReadModels['status'];
    readonly processes: ProcessControl['status'];
  };
  /**
   * Registers the processes in the log: they handle events recorded from then on. Idempotent.
   *
   * @throws `LogUnavailable`.
   */
  register(): Promise<void>;
  /**
   * Matches the checkpoints with the log and registers the processes in it, with retries. Resolves
   * when both are done or `signal` has aborted.
   */
  prepare(signal: AbortSignal): Promise<void>;
}

export const readiness = (parts: ReadinessParts): Readiness => {
  const { log, clock, logger, identity, models, control, appends, watch, processNames } = parts;
  const { nats, stopping, degradable, releases, personKeys } = parts;
  let adopted: Ready = readinessError('the read models have not been matched with the log yet');
  let registered = false;
  // A single flight each: concurrent requests share one read of the log and the database.
  const looks = {
    head: singleFlight(() => log.head()),
    modelsReady: singleFlight(() => models.ready()),
    models: singleFlight(() => models.status(), READINESS_KEPT_MS),
    processes: singleFlight(() => control.status(), READINESS_KEPT_MS),
  };

  const adopt = async () => {
    await watch.check();
    // Announced before the adoption, so that operator commands do not count this server as waiting.
    await releases?.serves();
    if (await watch.adopt())
      logger.warn({}, 'the log is another one: read models are built from the start');
    adopted = true;
  };

  const register = async () => {
    if (registered) return;
    await Promise.all(processNames.map((name) => registerProcess(name, log, clock)));
    registered = true;
  };

  return {
    looks,
    register,
    parts: [...platformParts, ...degradable.map(({ part }) => part)],

    async prepare(signal) {
      await retry(adopt, signal, (error) => {
        if (error instanceof FedFromAnotherLog || error instanceof LogRefused)
          adopted = readinessErrorOf(error);
        // Already logged once.
        if (error instanceof LogRefused) return;
        logger.warn({ err: error }, 'the read models cannot be matched with the log');
      });
      await retry(register, signal, (error) =>
        logger.warn({ err: error }, 'the processes cannot be registered; trying again'),
      );
    },

    async reasons() {
      if (stopping.aborted) return [readinessError('stopping')];
      // Until then the checkpoints may belong to another log.
      if (adopted !== true) return [adopted];
      const isRestored = watch.ready();
      if (isRestored !== true) return [isRestored];
      const logged = looks.head().then(
        () => true as const,
        (error: unknown) => readinessErrorOf(error as Error),
      );
      const reasons = await Promise.all([
        answered(looks.modelsReady(), 'the read models'),
        answered(identity.ready(), 'the identity provider'),
        answered(logged, 'the event log'),
      ]);
      const isRegistered =
        registered || readinessError('the processes are not registered in the log yet');
      return [...reasons, appends.ready(), personKeys.ready(), isRegistered].filter(
        (reason) => reason !== true,
      );
    },

    async degradations() {
      const natsReady = nats?.ready() ?? true;
      const issuerReachable = identity.reachable();
      const degradations = await Promise.all([
        orNone(async () => lagDegradations('read-models', await looks.models())),
        orNone(async () => lagDegradations('processes', await looks.processes())),
        ...degradable.map(({ part, reason }) =>
          orNone(async () => degradation(part, await reason())),
        ),
      ]);
      return [
        ...degradation('nats', natsReady),
        ...degradation('issuer', issuerReachable),
        ...degradations.flat(),
      ];
    },
  };
};

/**
 * None if the log or the database is unavailable: the lag is then unknown, and
 * {@link ReadinessSource.reasons} reports the failure.
 */
const orNone = (look: () => Promise<readonly Degradation[]>): Promise<readonly Degradation[]> =>
  withTimeout(look(), READINESS_ANSWER_MAX_MS, () => []).catch(() => []);

const platformParts = ['nats', 'issuer', 'read-models', 'processes'];

const degradation = (part: string, reason: Ready): readonly Degradation[] =>
  reason === true ? [] : [{ part, reason }];

const lagDegradations = (
  part: 'read-models' | 'processes',
  status: readonly { readonly name: string; readonly lagSeconds: number }[],
): readonly Degradation[] => {
  const behind = status.filter(({ lagSeconds }) => lagSeconds > LAG_MAX_S);
  if (behind.length === 0) return [];
  const names = behind
    .map(({ name, lagSeconds }) => `${name} by ${Math.round(lagSeconds)} s`)
    .join(', ');
  const reason =
    part === 'read-models'
      ? readinessError(`read models are behind: ${names}`)
      : readinessError(`processes and timers are behind: ${names}`);
  return [{ part, reason }];
};

/** Bounded: probes of readiness have short timeouts. */
const answered = (ready: Promise<Ready>, whose: string): Promise<Ready> =>
  withTimeout(ready, READINESS_ANSWER_MAX_MS, () =>
    readinessError(`no answer from ${whose} within ${READINESS_ANSWER_MAX_MS / 1000} s`),
  );
