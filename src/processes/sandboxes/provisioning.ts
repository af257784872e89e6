/**
 * A sandbox waits in the queue and is then built phase by phase: the fact that a phase has begun
 * starts its idempotent work, and the work's end records the next fact, so that a crash resumes in
 * the same phase. A sandbox that is deleted, expires or fails has its work aborted, and its quota
 * slot is released once its databases are gone.
 * contract.md section 4.
 */
import { SANDBOX_PHASE_ATTEMPTS_MAX, SNAPSHOT_SHOWN_WAIT_MS } from './limits.ts';
import { pause } from '../../engine/concurrency/backoff.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { SandboxMetrics } from './metrics.ts';
import type { SandboxEvent } from '../../domain/sandboxes/events.ts';
import type { AllowanceCommand } from '../../domain/sandboxes/allowance.ts';
import { SANDBOX_WANTED_LOOK_MS } from '../../domain/sandboxes/limits.ts';
import { phaseAfter, type Phase } from '../../domain/sandboxes/phases.ts';
import type { SandboxCommand } from '../../domain/sandboxes/sandbox.ts';
import type { SnapshotEvent } from '../../domain/sandboxes/snapshots/events.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import type { SandboxQueries } from '../../projections/sandboxes/queries.ts';
import { snapshotList } from '../../projections/sandboxes/snapshot-list.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { LogUnavailable, type Position } from '../../engine/log/event-store.ts';
import { sandboxCodec, snapshotCodec } from '../../domain/sandboxes/codecs.ts';
import type { Allowances, Sandboxes } from '../../use-cases/sandboxes/sandboxes.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import { done, ignore, type Outcome } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import { CannotBuild } from './cannot-build.ts';
import { sandboxQueue } from './queue.ts';
import { StartTimeout } from './start-timeout.ts';
import type { SnapshotBuilder } from './snapshots.ts';

/** Builds and removes sandboxes; implemented by hosting. */
export interface SandboxBuilder {
  /** Sandboxes that are built at once. */
  readonly atOnceMax: number;
  /**
   * Does the work of a phase. Idempotent, also after an interruption. Once `signal` aborts it, it
   * rejects as soon as all of its work has stopped.
   *
   * @throws {@link CannotBuild} where another attempt would fail as well.
   */
  readonly build: Readonly<
    Record<Phase, (sandbox: SandboxView, signal: AbortSignal) => Promise<void>>
  >;
  /** The building of a sandbox whose phases are done. */
  buildingOf(sandbox: SandboxView): Promise<string>;
  /**
   * Drops the databases of the sandbox's generations before this one; `null`: all of them, and
   * every trace of it. Bounded, because it is repeated after a kill, perhaps after a reset.
   */
  clear(sandboxId: string, before: number | null): Promise<void>;
  readonly snapshots: SnapshotBuilder;
}

interface BuildPhase {
  readonly kind: 'build';
  readonly sandboxId: string;
  readonly generation: number;
  readonly phase: Phase;
}

/** A snapshot has ended or is smaller than estimated: queued sandboxes may have room. */
interface Fill {
  readonly kind: 'fill';
  /** Of the snapshot's event. */
  readonly position: Position;
}

/** The sandbox has joined or left the queue: the next in the queue may begin. */
interface Advance {
  readonly kind: 'advance';
  readonly sandboxId: string;
}

interface ReleasePlace extends CommandEffect<AllowanceCommand> {
  readonly kind: 'release';
}

interface Clear {
  readonly kind: 'clear';
  readonly sandboxId: string;
  readonly before: number | null;
}

export interface SandboxProvisioningParts {
  readonly sandboxes: Sandboxes;
  readonly allowances: Pick<Allowances, 'give'>;
  readonly queries: Pick<SandboxQueries, 'standing'>;
  readonly builder: SandboxBuilder;
  /** Estimated bytes of all sandboxes and snapshots of the host. */
  readonly hostBytesMax: number;
  /** Bytes of the snapshots. */
  readonly snapshotBytes: (at: Instant) => Promise<number>;
  readonly models: Pick<ReadModels, 'waitFor'>;
  readonly logger: Logger;
  /** Default: failures are not counted. */
  readonly measured?: Pick<SandboxMetrics, 'failed'>;
}

/** Its name, also where this process hosts none and another runs it. */
export const SANDBOX_PROVISIONING = 'sandbox-provisioning';

type Followed = SandboxEvent | SnapshotEvent;

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'sandbox'
      ? sandboxCodec.decode(stored)
      : snapshotCodec.decode(stored),
};

type Effect = Advance | Fill | ReleasePlace | BuildPhase | Clear;

export const sandboxProvisioning = (
  parts: SandboxProvisioningParts,
): Process<Followed, undefined, Effect> => {
  const { sandboxes, allowances, queries, builder, hostBytesMax, logger, measured } = parts;
  const { snapshotBytes, models } = parts;
  const give = commandsTo(sandboxes);
  const bounds = { inAll: builder.atOnceMax, hostBytesMax };
  const queue = sandboxQueue({ sandboxes, queries, bounds, snapshotBytes });

  /** The command that records the outcome of the phase. */
  const built = async (
    sandbox: SandboxView,
    phase: Phase,
    signal: AbortSignal,
  ): Promise<SandboxCommand> => {
    const { generation } = sandbox;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await builder.build[phase](sandbox, signal);
        if (phaseAfter(phase) !== null) return { type: 'EndPhase', generation, phase };
        const buildingId = await builder.buildingOf(sandbox);
        return { type: 'EndProvisioning', generation, buildingId };
      } catch (error) {
        const isHopeless = error instanceof CannotBuild;
        const isCounted = isHopeless || error instanceof StartTimeout;
        // The runner retries failures of log and database until the provisioning timeout. A
        // hopeless failure, such as a full disk, may have one of them as its cause.
        if (signal.aborted || (isFailure(error) && !isCounted)) throw error;
        const about = { err: error, sandboxId: sandbox.sandboxId, phase, attempt };
        logger.warn(about, 'a phase of provisioning has failed');
        if (isHopeless) return { type: 'FailProvisioning', generation, reason: error.message };
        if (attempt === SANDBOX_PHASE_ATTEMPTS_MAX)
          return { type: 'FailProvisioning', generation, reason: brokenIn(phase) };
        await pause(PHASE_RETRY_MS, signal);
      }
    }
  };

  /** The sandbox, if it is still in the phase of this work. */
  const currentSandbox = async ({ sandboxId, generation, phase }: BuildPhase) => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    const isWanted =
      sandbox?.status === 'provisioning' &&
      sandbox.ended === null &&
      sandbox.generation === generation &&
      sandbox.progress.phase === phase;
    return isWanted ? sandbox : null;
  };

  /** Aborts `unwanted` once the sandbox has left the phase, until `signal` aborts. */
  const watch = async (work: BuildPhase, unwanted: AbortController, signal: AbortSignal) => {
    while (!unwanted.signal.aborted) {
      await pause(SANDBOX_WANTED_LOOK_MS, signal);
      if (signal.aborted) return;
      try {
        if (!(await currentSandbox(work))) unwanted.abort();
      } catch (error) {
        const { sandboxId } = work;
        logger.debug({ err: error, sandboxId }, 'the state of a sandbox could not be read');
      }
    }
  };

  const build = async (work: BuildPhase, context: EffectContext): Promise<Outcome> => {
    const { sandboxId, phase } = work;
    const superseded = ignore(`${sandboxId} is no longer in phase ${phase}`);
    const sandbox = await currentSandbox(work);
    if (!sandbox) return superseded;
    const unwanted = new AbortController();
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, unwanted.signal]);
    const watching = watch(work, unwanted, AbortSignal.any([context.signal, over.signal]));
    queue.occupy(sandbox, context.signal);
    try {
      const command = await built(sandbox, phase, signal);
      if (command.type === 'FailProvisioning') measured?.failed();
      return await give({ id: sandboxId, command, organisation: sandbox.organisation }, context);
    } catch (error) {
      if (!unwanted.signal.aborted) throw error;
      return superseded;
    } finally {
      over.abort();
      await watching;
      // An aborted sandbox holds its slot until its databases are gone.
      if (!signal.aborted) queue.free(sandboxId);
    }
  };

  const advance = async ({ sandboxId }: Advance, context: EffectContext): Promise<Outcome> => {
    await queue.advance(context, (await sandboxes.look(sandboxId))!.view);
    return done;
  };

  const fill = async ({ position }: Fill, context: EffectContext): Promise<Outcome> => {
    if (!(await models.waitFor([snapshotList.name], position, SNAPSHOT_SHOWN_WAIT_MS)))
      throw new LogUnavailable('the list of snapshots has not followed yet');
    await queue.advance(context, null);
    return done;
  };

  return {
    name: SANDBOX_PROVISIONING,
    categories: ['sandbox', 'snapshots'],
    codec,
    on: {
      SandboxRequested: ({ stream }) => [{ kind: 'advance', sandboxId: keyOf(stream) }],
      SandboxResetRequested: ({ stream }) => [{ kind: 'advance', sandboxId: keyOf(stream) }],
      SandboxPhaseBegun: ({ stream, event: { generation, phase } }) => [
        { kind: 'build', sandboxId: keyOf(stream), generation, phase },
      ],
      SandboxReady: ({ stream, event: { generation } }) => [
        { kind: 'clear', sandboxId: keyOf(stream), before: generation },
        { kind: 'advance', sandboxId: keyOf(stream) },
      ],
      SandboxFailed: ended,
      SandboxExpired: ended,
      SandboxDeleted: ended,
      SnapshotReady: roomFreed,
      SnapshotFailed: roomFreed,
      SnapshotExpired: roomFreed,
      SnapshotDeleted: roomFreed,
    },
    effects: {
      advance,
      fill,
      build,
      release: commandsTo(allowances),
      clear: async ({ sandboxId, before }) => {
        await builder.clear(sandboxId, before);
        queue.free(sandboxId);
        return done;
      },
    },
  };
};

const PHASE_RETRY_MS = 1_000;

/** Drops its databases, then releases its quota slot and lets the next in the queue begin. */
const ended = ({
  stream,
  event: { developer, placeId, generation },
}: Recorded<{
  readonly developer: string;
  readonly placeId: string;
  readonly type: string;
  readonly generation?: number;
}>): readonly Effect[] => [
  {
    kind: 'clear',
    sandboxId: keyOf(stream),
    before: generation === undefined ? null : generation + 1,
  },
  { kind: 'release', id: developer, command: { type: 'ReleasePlace', placeId } },
  { kind: 'advance', sandboxId: keyOf(stream) },
];

const roomFreed = ({ position }: Recorded): readonly Effect[] => [{ kind: 'fill', position }];

const brokenIn = (phase: Phase): string =>
  `Provisioning failed in its phase "${phase}"; the server's log has the cause. Reset ` +
  'the sandbox to try again.';
