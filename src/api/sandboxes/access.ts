/** A caller's access to sandboxes and snapshots. contract.md section 4. */
import type { FastifyRequest } from 'fastify';
import { isKept, type SnapshotView } from '../../domain/sandboxes/snapshots/view.ts';
import { isThere, type SandboxView } from '../../domain/sandboxes/view.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { keyringOf } from '../../identity/keys/token.ts';
import { KEYRINGS_CACHED_MAX } from '../../limits.ts';
import type { keyringRepository } from '../../use-cases/keys/keyrings.ts';
import type { Sandboxes } from '../../use-cases/sandboxes/sandboxes.ts';
import { lookAtSnapshot, type Snapshots } from '../../use-cases/sandboxes/snapshots.ts';
import { notFound } from '../http/problems.ts';
import { callerIn, organisationIn } from '../sessions/authenticate.ts';
import { actsFor, developerOf } from './names.ts';

export interface SandboxAccessParts {
  readonly sandboxes: Pick<Sandboxes, 'look'>;
  readonly snapshots: Pick<Snapshots, 'look'>;
  readonly keyrings: Pick<ReturnType<typeof keyringRepository>, 'look'>;
  readonly clock: Clock;
}

/** Decided by the log, not by read models. */
export interface SandboxAccess {
  /** The developer that the caller is, or that its key acts for. */
  developerIn(request: FastifyRequest): Promise<string>;
  /** @throws `NOT_FOUND` unless it exists and is the developer's, or the caller is a manager. */
  sandbox(
    request: FastifyRequest,
    sandboxId: string,
  ): Promise<Pick<Answer<SandboxView>, 'view' | 'revision'>>;
  /** As {@link SandboxAccess.sandbox}, and also one that is gone: to repeat what deleted it. */
  sandboxOrGone(request: FastifyRequest, sandboxId: string): Promise<SandboxView>;
  /** `null` where {@link SandboxAccess.sandbox} throws. */
  snapshot(
    request: FastifyRequest,
    snapshotId: string,
  ): Promise<Pick<Answer<SnapshotView>, 'view' | 'revision'> | null>;
}

export const sandboxAccess = (parts: SandboxAccessParts): SandboxAccess => {
  const { sandboxes, snapshots, keyrings, clock } = parts;
  /** The minter of a key never changes. */
  const minters = lruCache<string>(KEYRINGS_CACHED_MAX);

  const developerIn = async (request: FastifyRequest): Promise<string> => {
    const organisation = organisationIn(request);
    const caller = callerIn(request);
    if (caller.actor.kind !== 'key') return developerOf(organisation, caller.actor);
    const minter = minters.get(caller.actor.id);
    if (minter !== undefined) return minter;
    const keyring = await keyrings.look(keyringOf(organisation));
    const developer = developerOf(organisation, actsFor(caller, keyring?.view ?? null));
    minters.set(caller.actor.id, developer);
    return developer;
  };

  const isSeen = async (
    request: FastifyRequest,
    { organisation, developer }: Pick<SandboxView, 'organisation' | 'developer'>,
  ): Promise<boolean> =>
    organisation === organisationIn(request) &&
    (callerIn(request).roles.includes('manager') || developer === (await developerIn(request)));

  return {
    developerIn,

    async sandbox(request, sandboxId) {
      const sandbox = await sandboxes.look(sandboxId);
      if (sandbox === null || !isThere(sandbox.view, clock.now())) throw notFound('sandbox');
      if (!(await isSeen(request, sandbox.view))) throw notFound('sandbox');
      return sandbox;
    },

    async sandboxOrGone(request, sandboxId) {
      const sandbox = await sandboxes.look(sandboxId);
      if (sandbox === null || !(await isSeen(request, sandbox.view))) throw notFound('sandbox');
      return sandbox.view;
    },

    async snapshot(request, snapshotId) {
      const snapshot = await lookAtSnapshot(snapshots, snapshotId);
      if (snapshot === null || !isKept(snapshot.view, clock.now())) return null;
      return (await isSeen(request, snapshot.view)) ? snapshot : null;
    },
  };
};
