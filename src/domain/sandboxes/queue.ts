/**
 * The order in which sandboxes are built. Each organisation has its turn; within one, the sandbox
 * that was requested first comes first.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { SANDBOX_BUILDS_OF_DEVELOPER_MAX, SANDBOX_BUILDS_OF_ORGANISATION_MAX } from './limits.ts';
import type { SandboxView } from './view.ts';

/** A sandbox that has, or waits for, a database. */
export type QueuedSandbox = Pick<
  SandboxView,
  | 'sandboxId'
  | 'organisation'
  | 'developer'
  | 'generation'
  | 'status'
  | 'requestedAt'
  | 'begunAt'
  | 'estimatedBytes'
>;

export interface BuildBounds {
  /** Sandboxes that are built at once on this host. */
  readonly inAll: number;
  /** Estimated bytes of all sandboxes of the host. */
  readonly hostBytesMax: number;
}

export const isQueued = ({ status, begunAt }: Pick<SandboxView, 'status' | 'begunAt'>): boolean =>
  status === 'provisioning' && begunAt === null;

export const isUnderWay = ({ status, begunAt }: Pick<SandboxView, 'status' | 'begunAt'>): boolean =>
  status === 'provisioning' && begunAt !== null;

/**
 * Those that wait, in the order of their turns: round robin over organisations, beginning with the
 * one whose last turn is longest ago.
 */
export const inOrderOfTurns = (all: readonly QueuedSandbox[]): readonly QueuedSandbox[] => {
  const turns = lastTurns(all);
  const lines = [...Map.groupBy(all.filter(isQueued), ({ organisation }) => organisation)]
    .map(([organisation, waiting]) => ({
      lastTurn: turns.get(organisation) ?? '',
      waiting: waiting.toSorted(byRequest),
    }))
    .toSorted((a, b) => compare(a.lastTurn, b.lastTurn) || byRequest(a.waiting[0]!, b.waiting[0]!));
  const longest = Math.max(0, ...lines.map(({ waiting }) => waiting.length));
  return Array.from({ length: longest }, (_, round) =>
    lines.flatMap(({ waiting }) => waiting[round] ?? []),
  ).flat();
};

/** Those of `all` that may be built now, beside those that are under way. */
export const admitted = (
  all: readonly QueuedSandbox[],
  { inAll, hostBytesMax }: BuildBounds,
): readonly QueuedSandbox[] => {
  const underWay = all.filter(isUnderWay);
  // A reset has a database already: room for the new one was asked for with the request.
  let bytes = sum(all.filter((one) => !isQueued(one) || one.generation > 1));
  const chosen: QueuedSandbox[] = [];
  for (const one of inOrderOfTurns(all)) {
    const busy = [...underWay, ...chosen];
    if (busy.length >= inAll) break;
    const own = busy.filter(({ organisation }) => organisation === one.organisation);
    if (own.length >= SANDBOX_BUILDS_OF_ORGANISATION_MAX) continue;
    const ofDeveloper = own.filter(({ developer }) => developer === one.developer);
    if (ofDeveloper.length >= SANDBOX_BUILDS_OF_DEVELOPER_MAX) continue;
    if (one.generation === 1) {
      if (bytes + one.estimatedBytes > hostBytesMax) continue;
      bytes += one.estimatedBytes;
    }
    chosen.push(one);
  }
  return chosen;
};

const sum = (all: readonly QueuedSandbox[]): number =>
  all.reduce((bytes, { estimatedBytes }) => bytes + estimatedBytes, 0);

/** When each organisation's latest sandbox was begun. */
const lastTurns = (all: readonly QueuedSandbox[]): ReadonlyMap<string, Instant> => {
  const last = new Map<string, Instant>();
  for (const { organisation, begunAt } of all)
    if (begunAt !== null && begunAt > (last.get(organisation) ?? ''))
      last.set(organisation, begunAt);
  return last;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byRequest = (a: QueuedSandbox, b: QueuedSandbox): number =>
  compare(a.requestedAt, b.requestedAt) || compare(a.sandboxId, b.sandboxId);
