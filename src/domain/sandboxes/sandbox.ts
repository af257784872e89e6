/**
 * A sandbox, from its request until it is deleted or expires. The allowance decides whether its
 * developer may have one more; ids, the slug and the quota slot arrive inside the command.
 *
 * Its state is its view: decisions need nearly all of it.
 */
import {
  SANDBOX_PROVISIONING_MAX_MS,
  SANDBOX_TTL_DAYS_MAX,
  SANDBOX_QUEUED_MAX_MS,
} from './limits.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import {
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
} from '../../engine/aggregates/decider.ts';
import type { Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { Branch, SandboxEvent } from './events.ts';
import type { SandboxParameters } from './parameters.ts';
import { isUnderWay } from './queue.ts';
import { phaseAfter, phases, type Phase } from './phases.ts';
import { isThere, sandboxAfter, soonFrom, type SandboxView } from './view.ts';

export type SandboxCommand =
  | {
      readonly type: 'RequestSandbox';
      readonly sandboxId: string;
      readonly organisation: string;
      readonly developer: string;
      readonly name: string;
      readonly slug: string;
      readonly parameters: SandboxParameters;
      readonly placeId: string;
      readonly ttlDays: number;
      /** Absent: it is seeded. */
      readonly branch?: Branch | undefined;
    }
  | { readonly type: 'ExtendSandbox'; readonly days: number }
  /** @param placeId Reserved for a failed sandbox, which has no slot; else unused. */
  | { readonly type: 'ResetSandbox'; readonly placeId: string }
  | { readonly type: 'DeleteSandbox' }
  /** Given by the queue when the sandbox is next. */
  | { readonly type: 'BeginProvisioning'; readonly generation: number }
  /** `phase` is done. */
  | { readonly type: 'EndPhase'; readonly generation: number; readonly phase: Phase }
  | {
      readonly type: 'EndProvisioning';
      readonly generation: number;
      readonly buildingId: string;
    }
  | { readonly type: 'FailProvisioning'; readonly generation: number; readonly reason: string }
  /** Records what has become due by the time of the occasion, if anything. */
  | { readonly type: 'LookAtTime' };

/** `null` before the request. */
export type SandboxState = SandboxView | null;

const decide = tableOf<SandboxCommand, [SandboxState, Occasion], Decision<SandboxEvent>>({
  RequestSandbox: (command, sandbox, { at }) => {
    const { type: _, ttlDays, branch, ...details } = command;
    if (sandbox !== null) return refuse('CONFLICT', 'This sandbox id is in use.');
    const expiresAt = daysAfter(at, ttlDays);
    const tooLong = refusedTtl(expiresAt, at);
    if (tooLong) return tooLong;
    const content = branch === undefined ? {} : { branch };
    return [{ type: 'SandboxRequested', ...details, generation: 1, expiresAt, ...content }];
  },

  ExtendSandbox: there(({ days }, sandbox, { at }) => {
    if (sandbox.status !== 'ready') return notReady(sandbox, 'extended');
    if (sandbox.extensionsRemaining === 0) {
      const { expiresAt } = sandbox;
      const detail = 'The sandbox has no extensions left.';
      return refuse('EXTENSION_LIMIT_REACHED', detail, { expiresAt });
    }
    const expiresAt = daysAfter(sandbox.expiresAt, days);
    return refusedTtl(expiresAt, at) ?? [{ type: 'SandboxExtended', days, expiresAt }];
  }),

  ResetSandbox: there(({ placeId: reserved }, sandbox) => {
    if (sandbox.status === 'provisioning') return notReady(sandbox, 'reset');
    const placeId = sandbox.status === 'failed' ? reserved : sandbox.placeId;
    const generation = sandbox.generation + 1;
    const { developer } = sandbox;
    return [{ type: 'SandboxResetRequested', generation, developer, placeId }];
  }),

  DeleteSandbox: there((_, { developer, placeId }) => [
    { type: 'SandboxDeleted', developer, placeId },
  ]),

  BeginProvisioning: underWay(({ generation }, { begunAt }) =>
    begunAt === null ? [{ type: 'SandboxPhaseBegun', generation, phase: phases[0] }] : [],
  ),

  EndPhase: underWay(({ phase, generation }, sandbox) => {
    const next = phase === sandbox.progress.phase ? phaseAfter(phase) : null;
    return next === null ? [] : [{ type: 'SandboxPhaseBegun', generation, phase: next }];
  }),

  EndProvisioning: underWay(({ generation, buildingId }) => [
    { type: 'SandboxReady', generation, buildingId },
  ]),

  FailProvisioning: underWay(({ generation, reason }, { developer, placeId }) => [
    { type: 'SandboxFailed', generation, reason, developer, placeId },
  ]),

  LookAtTime: (_, sandbox, { at }) => {
    if (sandbox === null || sandbox.ended !== null) return [];
    const { developer, placeId, generation, expiresAt } = sandbox;
    if (at >= expiresAt) return [{ type: 'SandboxExpired', developer, placeId }];
    const facts: SandboxEvent[] = [];
    if (sandbox.status === 'provisioning' && at >= provisionedUntil(sandbox)) {
      const reason = sandbox.begunAt === null ? QUEUED_TOO_LONG : TOOK_TOO_LONG;
      facts.push({ type: 'SandboxFailed', generation, reason, developer, placeId });
    }
    if (!sandbox.expiresSoon && at >= soonFrom(expiresAt)) {
      facts.push({ type: 'SandboxExpiringSoon', expiresAt });
    }
    return facts;
  },
});

/**
 * The next due time of the sandbox; `null`: none. The view's fold and the decider share this
 * function.
 */
export const nextDueAt = (
  sandbox: Pick<
    SandboxView,
    'status' | 'requestedAt' | 'begunAt' | 'expiresAt' | 'expiresSoon' | 'ended'
  >,
): Instant | null => {
  if (sandbox.ended !== null) return null;
  const times = [
    sandbox.expiresAt,
    ...(sandbox.expiresSoon ? [] : [soonFrom(sandbox.expiresAt)]),
    ...(sandbox.status === 'provisioning' ? [provisionedUntil(sandbox)] : []),
  ];
  return times.toSorted()[0]!;
};

/**
 * Refuses `TTL_TOO_LONG`, `EXTENSION_LIMIT_REACHED`, `SANDBOX_NOT_READY`, and `NOT_FOUND` for a
 * sandbox that was deleted or has expired.
 */
export const sandboxDecider: Decider<SandboxCommand, SandboxState, SandboxEvent> = {
  initial: null,
  decide,
  // The actor is only for display: decisions ignore it.
  evolve: (event, sandbox, at) => sandboxAfter({ event, at, by: ANY_ACTOR }, sandbox),
};

const ANY_ACTOR = { kind: 'system', id: 'sandbox' } as const;

/** A rule about a sandbox that exists at that time. */
function there<Command>(
  rule: (command: Command, sandbox: SandboxView, on: Occasion) => Decision<SandboxEvent>,
) {
  return (command: Command, sandbox: SandboxState, on: Occasion) =>
    sandbox !== null && isThere(sandbox, on.at)
      ? rule(command, sandbox, on)
      : refuse('NOT_FOUND', 'No sandbox has this id.');
}

/** A rule about the current generation: work on a deleted, failed or reset one is ignored. */
function underWay<Command extends { readonly generation: number }>(
  rule: (command: Command, sandbox: SandboxView) => Decision<SandboxEvent>,
) {
  return (command: Command, sandbox: SandboxState): Decision<SandboxEvent> =>
    sandbox !== null &&
    sandbox.ended === null &&
    sandbox.status === 'provisioning' &&
    sandbox.generation === command.generation
      ? rule(command, sandbox)
      : [];
}

const notReady = ({ status }: SandboxView, what: string): Refusal =>
  refuse('SANDBOX_NOT_READY', `A sandbox that is ${status} cannot be ${what}.`, {
    sandboxStatus: status,
  });

const refusedTtl = (expiresAt: Instant, at: Instant): Refusal | null => {
  const latest = daysAfter(at, SANDBOX_TTL_DAYS_MAX);
  if (expiresAt <= latest) return null;
  const detail = `A sandbox expires at most ${SANDBOX_TTL_DAYS_MAX} days from now.`;
  return refuse('TTL_TOO_LONG', detail, { latest });
};

/** The deadline of provisioning, counted from its beginning or, in the queue, from its request. */
const provisionedUntil = ({
  requestedAt,
  begunAt,
}: Pick<SandboxView, 'requestedAt' | 'begunAt'>): Instant => {
  const endMs =
    begunAt === null
      ? Date.parse(requestedAt) + SANDBOX_QUEUED_MAX_MS
      : Date.parse(begunAt) + SANDBOX_PROVISIONING_MAX_MS;
  return new Date(endMs).toISOString();
};

/**
 * Whether a build may still write its databases at `at`, even if the sandbox has ended: it then
 * keeps its quota slot until the build has stopped. The deadline prevents a leaked slot.
 */
export const isBeingBuilt = (sandbox: SandboxView, at: Instant): boolean =>
  isUnderWay(sandbox) && at < provisionedUntil(sandbox);

const QUEUED_TOO_LONG =
  `The sandbox waited in the queue for ${SANDBOX_QUEUED_MAX_MS / 3_600_000} hours. ` +
  'Reset it to try again.';

const TOOK_TOO_LONG =
  `Provisioning did not finish within ${SANDBOX_PROVISIONING_MAX_MS / 60_000} minutes. ` +
  'Reset the sandbox to try again, or request a smaller building.';
