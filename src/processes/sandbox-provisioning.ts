/**
 * A sandbox is built phase by phase: each fact that a phase has begun leads to its work, and the
 * work's end to the next fact. So a process that is killed goes on with the phase it was in, whose
 * work can be done again. contract.md section 4.
 */
import { SANDBOX_PHASE_ATTEMPTS_MAX } from '../limits.ts';
import { pause } from '../ops/backoff.ts';
import type { Logger } from '../ops/logging.ts';
import type { SandboxMetrics } from '../ops/sandbox-metrics.ts';
import type { SandboxEvent } from '../domain/sandbox/events.ts';
import { phases, phaseAfter, type Phase } from '../domain/sandbox/phases.ts';
import type { SandboxCommand } from '../domain/sandbox/sandbox.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { sandboxCodec } from '../store/codecs.ts';
import type { Sandboxes } from '../store/repositories/sandboxes.ts';
import { keyOf } from '../store/streams.ts';
import { commandsTo } from './effects.ts';
import { ignore, type Outcome } from './outcome.ts';
import type { EffectContext, Process } from './process.ts';
import { isFailure } from './reaction.ts';

/** Builds sandboxes and takes them down: what hosting does for this process. */
export interface SandboxBuilder {
  /**
   * Does the work of a phase. Doing it again, also after it was interrupted, is doing it once.
   *
   * @throws {@link CannotBuild} where another attempt would fail as well.
   */
  readonly build: Readonly<
    Record<Phase, (sandbox: SandboxView, signal: AbortSignal) => Promise<void>>
  >;
  /** The building that a sandbox whose phases are done was given. */
  buildingOf(sandbox: SandboxView): Promise<string>;
  /** Drops every database of the sandbox but that of generation `kept`; `null`: all of them. */
  clear(sandboxId: string, kept: number | null): Promise<void>;
}

/** The message is the sandbox's `failureReason`: for people, and something they can act on. */
export class CannotBuild extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'CannotBuild';
  }
}

interface BuildPhase {
  readonly kind: 'build';
  readonly sandboxId: string;
  readonly generation: number;
  readonly phase: Phase;
}

interface Clear {
  readonly kind: 'clear';
  readonly sandboxId: string;
  readonly kept: number | null;
}

export interface SandboxProvisioningParts {
  readonly sandboxes: Sandboxes;
  readonly builder: SandboxBuilder;
  readonly logger: Logger;
  /** Default: nobody counts what failed. */
  readonly measured?: Pick<SandboxMetrics, 'failed'>;
}

/** Its name, also where this process hosts none and another runs it. */
export const SANDBOX_PROVISIONING = 'sandbox-provisioning';

export const sandboxProvisioning = ({
  sandboxes,
  builder,
  logger,
  measured,
}: SandboxProvisioningParts): Process<SandboxEvent, undefined, BuildPhase | Clear> => {
  const give = commandsTo(sandboxes);

  /** What the phase has led to, as the next command. */
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
        // The runner repeats failures of log and database, until the time for provisioning is up.
        // What is hopeless may have one of them as its cause: a disk that is full stays so.
        if (signal.aborted || (isFailure(error) && !isHopeless)) throw error;
        const about = { err: error, sandboxId: sandbox.sandboxId, phase, attempt };
        logger.warn(about, 'a phase of provisioning has failed');
        if (isHopeless) return { type: 'FailProvisioning', generation, reason: error.message };
        if (attempt === SANDBOX_PHASE_ATTEMPTS_MAX)
          return { type: 'FailProvisioning', generation, reason: brokenIn(phase) };
        await pause(PHASE_RETRY_MS, signal);
      }
    }
  };

  const build = async (
    { sandboxId, generation, phase }: BuildPhase,
    context: EffectContext,
  ): Promise<Outcome> => {
    const sandbox = (await sandboxes.look(sandboxId))?.view;
    const isWanted =
      sandbox?.status === 'provisioning' &&
      sandbox.ended === null &&
      sandbox.generation === generation &&
      sandbox.progress.phase === phase;
    if (!isWanted) return ignore(`${sandboxId} is no longer in phase ${phase}`);
    const command = await built(sandbox, phase, context.signal);
    if (command.type === 'FailProvisioning') measured?.failed();
    return give({ id: sandboxId, command, organisation: sandbox.organisation }, context);
  };

  return {
    name: SANDBOX_PROVISIONING,
    categories: ['sandbox'],
    codec: sandboxCodec,
    on: {
      SandboxRequested: ({ stream, event: { generation } }) => [
        { kind: 'build', sandboxId: keyOf(stream), generation, phase: phases[0] },
      ],
      SandboxResetRequested: ({ stream, event: { generation } }) => [
        { kind: 'build', sandboxId: keyOf(stream), generation, phase: phases[0] },
      ],
      SandboxPhaseBegun: ({ stream, event: { generation, phase } }) => [
        { kind: 'build', sandboxId: keyOf(stream), generation, phase },
      ],
      SandboxReady: ({ stream, event: { generation } }) => [
        { kind: 'clear', sandboxId: keyOf(stream), kept: generation },
      ],
      SandboxFailed: ({ stream }) => [clearAll(stream)],
      SandboxExpired: ({ stream }) => [clearAll(stream)],
      SandboxDeleted: ({ stream }) => [clearAll(stream)],
    },
    effects: {
      build,
      clear: async ({ sandboxId, kept }) => {
        await builder.clear(sandboxId, kept);
        return { outcome: 'done' };
      },
    },
  };
};

const PHASE_RETRY_MS = 1_000;

const clearAll = (stream: string): Clear => ({
  kind: 'clear',
  sandboxId: keyOf(stream),
  kept: null,
});

const brokenIn = (phase: Phase): string =>
  `Provisioning broke in its phase "${phase}". What happened is in the server's log. ` +
  'Reset the sandbox to try again.';
