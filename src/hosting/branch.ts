/** Removes from a copy of a sandbox what must not run twice. docs/decisions/0062. */
import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../domain/authority.ts';
import { SANDBOX_WANTED_LOOK_MS } from '../domain/sandboxes/limits.ts';
import { LogUnavailable, type EventStore } from '../engine/log/event-store.ts';
import type { Position } from '../engine/log/event-store.ts';
import { virtualClock, systemClock } from '../engine/time/clock.ts';
import { clockOffsetMs } from '../engine/control/time-travel.ts';
import { webhookQueries } from '../projections/webhooks/queries.ts';
import { subscriptionRepository } from '../use-cases/webhooks/subscriptions.ts';
import { SANDBOX_START_MAX_MS } from './limits.ts';
import { onQuietPlatform, type QuietPlatform, type QuietPlatformParts } from './quiet-platform.ts';

/**
 * Deletes the webhooks of the copy at `url` before its processes run for the first time, because
 * events and queued deliveries would reach the source's receivers a second time. Idempotent.
 *
 * @throws The reason of `signal` once it aborts.
 */
export const withoutWebhooks = (
  url: string,
  organisation: string,
  parts: QuietPlatformParts & { readonly signal: AbortSignal },
): Promise<void> =>
  // Only projections run here: the read models must have no webhook when the processes start.
  onQuietPlatform(url, new Set(['projections']), parts, async (platform) => {
    const { log, pool } = platform;
    const { signal } = parts;
    await projected(platform, (await log.head()).position, signal);
    const all = await webhookQueries(pool).ofOrganisation(organisation);
    const at = virtualClock(systemClock, await clockOffsetMs(log)).now();
    let last: Position | null = null;
    for (const { webhookId } of all) last = (await deleted(log, webhookId, at)).position;
    await projected(platform, last, signal);
  });

const deleted = (log: EventStore, webhookId: string, at: string) =>
  subscriptionRepository(log).give(
    webhookId,
    {
      commandId: uuidFrom('branch', webhookId),
      command: { type: 'DeleteSubscription', authority: systemAuthority },
    },
    { at, by: { kind: 'system', id: 'sandbox-branch' }, origin: 'system' },
  );

const projected = async (
  { readModels }: QuietPlatform,
  position: Position | null,
  signal: AbortSignal,
): Promise<void> => {
  if (position === null) return;
  const deadline = performance.now() + SANDBOX_START_MAX_MS;
  while (!(await readModels.waitFor(readModels.names, position, SANDBOX_WANTED_LOOK_MS))) {
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new LogUnavailable('the read models of the copy have not followed yet');
  }
};
