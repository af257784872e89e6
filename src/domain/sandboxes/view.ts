/** The public view of a sandbox: one fold for answers, the list, the hosting and the timers. */
import { SANDBOX_EXPIRES_SOON_MS, SANDBOX_EXTENSIONS_MAX } from './limits.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import type { Branch, SandboxEvent } from './events.ts';
import type { SandboxParameters } from './parameters.ts';
import { progressAt, type Progress } from './phases.ts';
import { estimatedBytesOf } from './size.ts';

export type SandboxStatus = 'provisioning' | 'ready' | 'failed';

export interface SandboxView {
  readonly sandboxId: string;
  readonly organisation: string;
  /** Key of its allowance; identifies its owner. */
  readonly developer: string;
  readonly placeId: string;
  readonly name: string;
  readonly slug: string;
  readonly status: SandboxStatus;
  /** Number of its provisioning: 1, plus 1 for each reset. Part of its database's name. */
  readonly generation: number;
  /** Reset while it was ready: until the new database is ready, it has the old one as well. */
  readonly replacesDatabase: boolean;
  readonly parameters: SandboxParameters;
  /** The snapshot that its content is copied from; `null`: it is seeded. */
  readonly branch: Branch | null;
  /** Estimated size of its ready database. */
  readonly estimatedBytes: number;
  readonly progress: Progress;
  readonly createdAt: Instant;
  readonly createdBy: Actor;
  /** When the provisioning of this generation was requested. */
  readonly requestedAt: Instant;
  /** When the provisioning of this generation began; `null` while queued. */
  readonly begunAt: Instant | null;
  readonly expiresAt: Instant;
  readonly expiresSoon: boolean;
  readonly extensionsRemaining: number;
  /** Only while it is ready. */
  readonly buildingId: string | null;
  readonly failureReason: string | null;
  /** `null` while it exists. */
  readonly ended: 'deleted' | 'expired' | null;
}

export interface RecordedSandboxEvent {
  readonly event: SandboxEvent;
  readonly at: Instant;
  readonly by: Actor;
}

/** Pure. @throws For a fact before the request, which the decider never records. */
export const sandboxAfter = (
  { event, at, by }: RecordedSandboxEvent,
  view: SandboxView | null,
): SandboxView => {
  if (event.type === 'SandboxRequested') return requested(event, at, by);
  if (view === null) throw new Error(`${event.type} before SandboxRequested`);
  switch (event.type) {
    case 'SandboxPhaseBegun':
      return { ...view, progress: progressAt(event.phase), begunAt: view.begunAt ?? at };
    case 'SandboxReady':
      return {
        ...view,
        status: 'ready',
        replacesDatabase: false,
        buildingId: event.buildingId,
        progress: progressAt('ready'),
      };
    case 'SandboxFailed':
      return {
        ...view,
        status: 'failed',
        replacesDatabase: false,
        failureReason: event.reason,
      };
    case 'SandboxExtended':
      return {
        ...view,
        expiresAt: event.expiresAt,
        expiresSoon: at >= soonFrom(event.expiresAt),
        extensionsRemaining: view.extensionsRemaining - 1,
      };
    case 'SandboxResetRequested': {
      const { generation, placeId } = event;
      const fresh = { ...unprovisioned, generation, placeId, requestedAt: at };
      return { ...view, ...fresh, replacesDatabase: view.status === 'ready' };
    }
    case 'SandboxExpiringSoon':
      return { ...view, expiresSoon: true };
    case 'SandboxExpired':
      return { ...view, ended: 'expired' };
    case 'SandboxDeleted':
      return { ...view, ended: 'deleted' };
  }
};

/** The time from which it expires soon. */
export const soonFrom = (expiresAt: Instant): Instant =>
  new Date(Date.parse(expiresAt) - SANDBOX_EXPIRES_SOON_MS).toISOString();

/**
 * Whether the sandbox exists at `at`: an expired one is gone even before its expiry is recorded.
 */
export const isThere = (
  { ended, expiresAt }: Pick<SandboxView, 'ended' | 'expiresAt'>,
  at: Instant,
): boolean => ended === null && at < expiresAt;

const unprovisioned = {
  status: 'provisioning',
  replacesDatabase: false,
  progress: progressAt('queued'),
  begunAt: null,
  buildingId: null,
  failureReason: null,
} as const;

const requested = (
  event: Extract<SandboxEvent, { type: 'SandboxRequested' }>,
  at: Instant,
  by: Actor,
): SandboxView => {
  const { type: _, branch = null, ...asked } = event;
  return {
    ...asked,
    ...unprovisioned,
    branch,
    estimatedBytes: branch?.bytes ?? estimatedBytesOf(event.parameters),
    createdAt: at,
    createdBy: by,
    requestedAt: at,
    expiresSoon: false,
    extensionsRemaining: SANDBOX_EXTENSIONS_MAX,
    ended: null,
  };
};
