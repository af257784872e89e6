/** Repairs a platform whose log was restored. docs/operating/backup-and-restore.md. */
import type { PoolClient } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { forgetPositions, lockLog, noServerRuns } from '../../engine/consumers/log-change.ts';
import { noteLog } from '../../engine/consumers/restore-detection.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { systemClock } from '../../engine/time/clock.ts';
import {
  PROCESS_CATEGORY,
  processCodec,
  processPosition,
} from '../../engine/processes/process-position.ts';
import { numberingCodec } from '../../domain/tickets/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { beginTimeline, logIdentity, logTimelines } from '../../engine/log/log-identity.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { erasableKeysIn } from '../../engine/personal/person-keys.ts';
import { accountsIn } from '../../projections/erasures/accounts.ts';
import { eraseAgain } from '../../use-cases/erasures/erase-again.ts';
import { erasuresIn } from '../../use-cases/erasures/erasures.ts';
import { revokeAgain } from './restored-keys.ts';
import {
  nextNumber,
  NUMBERING,
  type NumbersSkipped,
  type PlanParts,
  type RestorePlan,
} from './restore-plan.ts';
import { noteRestoredNumber } from './restored-numbers.ts';

/**
 * Carries out the plan: starts a new timeline, sets the numberings and process positions in it,
 * records the revocations and erasures again and resets the consumers' checkpoints. Idempotent: an
 * interrupted restore is continued by the same command.
 *
 * @throws {@link ServersRunning} while a server serves; nothing has been changed then.
 * @throws {@link LogUnavailable}, and errors of the database.
 */
export const restore = async (parts: PlanParts, plan: RestorePlan): Promise<void> => {
  const { log, pool } = parts;
  if (plan.timeline === 'done') return;
  await transaction(pool, (client) => noServerRuns(client, SERVING));
  if (plan.timeline === 'begin') await beginTimeline(log, plan);
  const timeline = await logIdentity(log);
  for (const numbers of plan.numbers) await moveNumbers(log, numbers, timeline);
  await revokeAgain(log, pool, plan.keys.revoked);
  await placeProcesses(log, plan);
  // After the positions have been set, from which the process continues.
  await erasePersonsAgain(parts);
  await transaction(pool, async (client) => {
    await lockLog(client);
    await noServerRuns(client, SERVING);
    await forgetPositions(client, log);
    await client.query('delete from consumers.stuck_timer');
    for (const { organisation } of plan.numbers)
      await noteRestoredNumber(client, organisation, await nextNumber(log, organisation));
    await noteAsRestored(client, log);
  });
};

/** A server with a refused log polls for this, and continues without a restart. */
export const SERVING = { waiting: false } as const;

/** Records each process's position once in the current timeline. */
const placeProcesses = async (log: EventStore, { processes }: RestorePlan): Promise<void> => {
  const present = await logIdentity(log);
  for (const { name, position } of processes) {
    const stream = streamOf(PROCESS_CATEGORY, name);
    const [last] = await log.readStream(stream, { backwards: true, limit: 1 });
    const event = last && processCodec.decode(last).event;
    if (event?.type === 'ProcessCheckpointed' && event.log === present) continue;
    await processPosition(name, log, systemClock).copy(position);
  }
};

/** For an operator's assurance that the log is complete: the database was copied or upgraded. */
export const acceptCopy = async (parts: PlanParts): Promise<void> => {
  const { log, pool } = parts;
  await erasePersonsAgain(parts);
  await transaction(pool, async (client) => {
    await lockLog(client);
    await noteAsRestored(client, log);
  });
};

const erasePersonsAgain = async (parts: PlanParts): Promise<void> => {
  const { log, pool } = parts;
  await eraseAgain({
    list: parts.erasureList,
    onUnreadable: parts.onUnreadableErasure,
    erasures: erasuresIn(log),
    keys: erasableKeysIn(pool),
    accounts: accountsIn(pool),
    now: () => systemClock.now(),
  });
};

const noteAsRestored = async (client: PoolClient, log: EventStore) => {
  const id = await logIdentity(log);
  const origin = (await logTimelines(log))[0]?.id ?? id;
  await noteLog(client, { id, origin });
};

/** Skips the numbers from `next` to `moved - 1`. Idempotent within a timeline. */
const moveNumbers = async (
  log: EventStore,
  { organisation, next, moved }: NumbersSkipped,
  timeline: string,
): Promise<void> => {
  const stream = streamOf(NUMBERING, organisation);
  const id = uuidFrom(`${timeline}/${organisation}`, NAMESPACE);
  const [last] = await log.readStream(stream, { backwards: true, limit: 1 });
  if (last?.id === id || moved <= next) return;
  const event = { type: 'NumbersReserved', from: next, count: moved - next } as const;
  const by = { kind: 'system', id: 'log-restored' } as const;
  const record = {
    at: systemClock.now(),
    by,
    origin: 'system',
    commandId: id,
    organisation,
  } as const;
  await log.append(stream, last?.revision ?? 'no_stream', [
    numberingCodec.encode(id, event, record),
  ]);
};

const NAMESPACE = '5c2f8f2e-5b0a-4f5e-9d53-1f6f0f2a7c16';
