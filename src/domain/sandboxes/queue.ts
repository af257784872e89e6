/** The build queue: round robin over organisations; within one, first in, first out. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { SANDBOX_BUILDS_OF_DEVELOPER_MAX, SANDBOX_BUILDS_OF_ORGANISATION_MAX } from './limits.ts';
import type { SandboxView } from './view.ts';

/** A sandbox that has a database, or waits for one. */
export type QueuedSandbox = Pick<
  SandboxView,
  | 'sandboxId'
  | 'organisation'
  | 'developer'
  | 'generation'
  | 'status'
  | 'replacesDatabase'
  | 'requestedAt'
  | 'begunAt'
  | 'estimatedBytes'
>;

export interface BuildBounds {
  /** Concurrent builds on this host. */
  readonly inAll: number;
  /** Estimated bytes of all sandboxes of the host. */
  readonly hostBytesMax: number;
}

/** By organisation, when one of its builds began. */
export type Turns = ReadonlyMap<string, Instant>;

export const isQueued = ({ status, begunAt }: Pick<SandboxView, 'status' | 'begunAt'>): boolean =>
  status === 'provisioning' && begunAt === null;

export const isUnderWay = ({ status, begunAt }: Pick<SandboxView, 'status' | 'begunAt'>): boolean =>
  status === 'provisioning' && begunAt !== null;

/**
 * The waiting sandboxes in the order of their turns: round robin over organisations, beginning with
 * the one whose last turn is longest ago.
 *
 * @param turns When builds of organisations began whose sandboxes may be gone. Default: none.
 */
export const inOrderOfTurns = (
  sandboxes: readonly QueuedSandbox[],
  turns: Turns = new Map(),
): readonly QueuedSandbox[] => {
  const last = lastTurns(sandboxes, turns);
  const lines = [...Map.groupBy(sandboxes.filter(isQueued), ({ organisation }) => organisation)]
    .map(([organisation, waiting]) => ({
      lastTurn: last.get(organisation) ?? '',
      waiting: waiting.toSorted(byRequest),
    }))
    .toSorted((a, b) => compare(a.lastTurn, b.lastTurn) || byRequest(a.waiting[0]!, b.waiting[0]!));
  const longest = Math.max(0, ...lines.map(({ waiting }) => waiting.length));
  return Array.from({ length: longest }, (_, round) =>
    lines.flatMap(({ waiting }) => waiting[round] ?? []),
  ).flat();
};

/**
 * The queued sandboxes that may be built now, in addition to the current builds.
 *
 * @param turns As of {@link inOrderOfTurns}.
 */
export const admitted = (
  sandboxes: readonly QueuedSandbox[],
  { inAll, hostBytesMax }: BuildBounds,
  turns?: Turns,
): readonly QueuedSandbox[] => {
  const underWay = sandboxes.filter(isUnderWay);
  const queuedBytes = sum(sandboxes.filter(isQueued));
  let bytes = databaseBytesOf(sandboxes) - queuedBytes;
  const chosen: QueuedSandbox[] = [];
  for (const sandbox of inOrderOfTurns(sandboxes, turns)) {
    const busy = [...underWay, ...chosen];
    if (busy.length >= inAll) break;
    const own = busy.filter(({ organisation }) => organisation === sandbox.organisation);
    if (own.length >= SANDBOX_BUILDS_OF_ORGANISATION_MAX) continue;
    const ofDeveloper = own.filter(({ developer }) => developer === sandbox.developer);
    if (ofDeveloper.length >= SANDBOX_BUILDS_OF_DEVELOPER_MAX) continue;
    if (bytes + sandbox.estimatedBytes > hostBytesMax) continue;
    bytes += sandbox.estimatedBytes;
    chosen.push(sandbox);
  }
  return chosen;
};

/** Estimated bytes of the sandboxes' databases, of those that are not built yet as well. */
export const databaseBytesOf = (
  sandboxes: readonly Pick<QueuedSandbox, 'estimatedBytes' | 'replacesDatabase'>[],
): number => sum(sandboxes) + sum(sandboxes.filter(({ replacesDatabase }) => replacesDatabase));

const sum = (sandboxes: readonly Pick<QueuedSandbox, 'estimatedBytes'>[]): number =>
  sandboxes.reduce((bytes, { estimatedBytes }) => bytes + estimatedBytes, 0);

/** When the latest build of each organisation began. */
const lastTurns = (sandboxes: readonly QueuedSandbox[], turns: Turns): Turns => {
  const last = new Map(turns);
  for (const { organisation, begunAt } of sandboxes)
    if (begunAt !== null && begunAt > (last.get(organisation) ?? ''))
      last.set(organisation, begunAt);
  return last;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byRequest = (a: QueuedSandbox, b: QueuedSandbox): number =>
  compare(a.requestedAt, b.requestedAt) || compare(a.sandboxId, b.sandboxId);
