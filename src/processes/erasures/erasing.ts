/** Carries erasures out. contract.md section 11, docs/decisions/0124. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { erasureCodec } from '../../domain/erasures/codecs.ts';
import type { ErasureView } from '../../domain/erasures/erasure.ts';
import type { ErasureEvent, ErasureRequested, Found } from '../../domain/erasures/events.ts';
import { ERASURE_KEYS_MAX } from '../../domain/erasures/limits.ts';
import { identityKeysOfTexts, requestsIn } from '../../domain/erasures/requests.ts';
import { listEntryOf } from '../../domain/erasures/list-entry.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { isUnreadable } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../engine/limits.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import { done } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import { personalReferences, ticketsReferringTo } from '../../projections/erasures/references.ts';
import { eraseKeys } from '../../use-cases/erasures/erase-keys.ts';
import { eraseTicket, type ErasedPerson } from '../../use-cases/erasures/erase-ticket.ts';
import type { ErasureList } from '../../use-cases/erasures/erasure-list.ts';
import type { Accounts, Erasures } from '../../use-cases/erasures/erasures.ts';
import { reportedTextKeys } from '../../use-cases/erasures/reported-texts.ts';
import { ERASED_TICKETS_AT_ONCE } from './limits.ts';
import { forgetRows, waitForModels } from './forget-rows.ts';

export interface ErasingParts {
  readonly log: EventStore;
  readonly pool: Pool;
  readonly models: Pick<ReadModels, 'waitFor'>;
  readonly erasures: Pick<Erasures, 'give' | 'look'>;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
  readonly keys: Pick<PersonKeys, 'held' | 'keysOf' | 'destroy' | 'unlink'>;
  readonly accounts: Accounts;
  /** Survives a restore; `null`: this platform is never backed up. */
  readonly list: Pick<ErasureList, 'add'> | null;
  /** The platform's clock. */
  readonly now: () => Instant;
  /** How long other processes may use a destroyed key. Default {@link PERSON_KEY_TRUSTED_MS}. */
  readonly trustedMs?: number;
}

interface Erase {
  readonly kind: 'erase';
  readonly request: ErasureRequested;
}

/**
 * The keys name the person until they are destroyed, so rows found by name are erased first;
 * tickets are found by the ids of the keys. Each step is idempotent: after a kill, the process
 * starts over.
 */
export const erasing = (parts: ErasingParts): Process<ErasureEvent, undefined, Erase> => ({
  name: 'erasing',
  categories: ['erasure'],
  codec: erasureCodec,
  on: { ErasureRequested: ({ event: request }) => [{ kind: 'erase', request }] },
  effects: {
    async erase({ request }, context) {
      const { erasureId } = request;
      const requested = (await parts.erasures.look(erasureId))?.view;
      if (!requested || requested.finishedAt !== null) return done;
      const erasure = await withReportedTexts(parts, requested, context);
      const { organisation, identityKeys, textKeys, requests } = erasure;
      // One `FinishErasure` ends all open requests; each has its own choice for texts.
      for (const { request: openRequest } of (await requestsOf(parts.log, erasureId)).open) {
        // Before anything is erased, so that no restore undoes the erasure.
        await parts.list?.add(listEntryOf(openRequest));
        await eraseKeys(parts, openRequest);
      }
      await sleep(parts.trustedMs ?? PERSON_KEY_TRUSTED_MS, undefined, { signal: context.signal });
      const keys = new Set([...identityKeys, ...textKeys]);
      const erased = { erasureId, organisation, keys, requests };
      const { found, unreadable } = await eraseTickets(parts, erased, context);
      await forgetRows(parts, context.signal);
      // Thrown only now, so that an unreadable ticket does not stop the erasure of the others.
      if (unreadable !== null) throw unreadable;
      await parts.erasures.give(
        erasureId,
        {
          commandId: context.id,
          organisation,
          command: {
            type: 'FinishErasure',
            requests,
            found: { ...found, sessions: erasure.sessions },
          },
        },
        // The time of the end, not of the request: the process may have waited.
        { ...context, at: parts.now() },
      );
      return done;
    },
  },
});

const requestsOf = async (log: EventStore, erasureId: string) =>
  requestsIn(await historyOf(log, erasureCodec, streamOf('erasure', erasureId)));

const eraseTickets = async (
  parts: ErasingParts,
  person: ErasedPerson,
  context: EffectContext,
): Promise<{ found: Omit<Found, 'sessions'>; unreadable: Error | null }> => {
  let unreadable: Error | null = null;
  const found = { tickets: 0, notes: 0, attachments: 0 };
  const tickets = await referringTo(parts, [...person.keys]);
  await forEachConcurrently(tickets, ERASED_TICKETS_AT_ONCE, async (ticketId) => {
    try {
      const { notes, attachments } = await eraseTicket(parts, ticketId, person, context);
      found.tickets += 1;
      found.notes += notes;
      found.attachments += attachments;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      unreadable ??= error;
    }
  });
  return { found, unreadable };
};

/** The tickets that refer to any of the keys, in all events of the log until now. */
const referringTo = async (parts: ErasingParts, keys: readonly string[]) => {
  const { position } = await parts.log.head();
  if (position !== null) await waitForModels(parts, [personalReferences.name], position);
  return ticketsReferringTo(parts.pool, keys);
};

/**
 * Requests the erasure of what programs wrote for the person, where their texts are to be erased.
 * In the log, so that a kill and a restore know these keys too.
 *
 * @returns The erasure with these requests.
 */
const withReportedTexts = async (
  parts: ErasingParts,
  erasure: ErasureView,
  context: EffectContext,
): Promise<ErasureView> => {
  const { erasureId, organisation, reason } = erasure;
  const identityKeys = identityKeysOfTexts(await requestsOf(parts.log, erasureId));
  if (identityKeys.length === 0) return erasure;
  const tickets = await referringTo(parts, identityKeys);
  const reporter = { organisation, identityKeys };
  const found = await reportedTextKeys(parts, reporter, tickets, ERASED_TICKETS_AT_ONCE);
  const known = new Set(erasure.textKeys);
  const missing = found.filter((key) => !known.has(key)).toSorted();
  if (missing.length === 0) return erasure;
  let view = erasure;
  for (let at = 0; at < missing.length; at += ERASURE_KEYS_MAX) {
    const textKeys = missing.slice(at, at + ERASURE_KEYS_MAX);
    const command = {
      type: 'RequestErasure',
      erasureId,
      organisation,
      identityKeys: [],
      textKeys,
      texts: 'erase',
      reason,
      sessions: 0,
    } as const;
    const commandId = uuidFrom(textKeys.join(), context.id);
    const answer = await parts.erasures.give(
      erasureId,
      { commandId, organisation, command },
      context,
    );
    view = answer.view;
  }
  // A person may have asked for more meanwhile, whose tickets were not searched.
  return withReportedTexts(parts, view, context);
};
