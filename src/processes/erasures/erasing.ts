/** Carries erasures out. contract.md section 11, docs/decisions/0124. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { authorityOf } from '../../domain/authority.ts';
import { erasureCodec } from '../../domain/erasures/codecs.ts';
import type { ErasureEvent, ErasureRequested, Found } from '../../domain/erasures/events.ts';
import { listEntryOf } from '../../domain/erasures/list-entry.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { erasedIn } from '../../domain/tickets/erased-in.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { NewerReleaseNeeded, UnreadableEvent, type Recorded } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { PERSON_KEY_TRUSTED_MS } from '../../engine/limits.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import { DependencyUnavailable, done } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import { personalReferences, ticketsReferringTo } from '../../projections/erasures/references.ts';
import { eraseKeys } from '../../use-cases/erasures/erase-keys.ts';
import type { ErasureList } from '../../use-cases/erasures/erasure-list.ts';
import type { Accounts, Erasures } from '../../use-cases/erasures/erasures.ts';
import { ERASED_TICKETS_AT_ONCE } from './limits.ts';
import { forgetRows, waitForModels } from './forget-rows.ts';

export interface ErasingParts {
  readonly log: EventStore;
  readonly pool: Pool;
  readonly models: Pick<ReadModels, 'waitFor'>;
  readonly erasures: Pick<Erasures, 'give' | 'look'>;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
  readonly keys: Pick<PersonKeys, 'held' | 'destroy' | 'unlink'>;
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
      const erasure = (await parts.erasures.look(erasureId))?.view;
      if (!erasure || erasure.finishedAt !== null) return done;
      const { organisation, identityKeys, textKeys } = erasure;
      // One `FinishErasure` ends all open requests; each has its own choice for texts.
      for (const openRequest of await unfinishedOf(parts.log, erasureId)) {
        await addToList(parts, openRequest);
        await eraseKeys(parts, openRequest);
      }
      await sleep(parts.trustedMs ?? PERSON_KEY_TRUSTED_MS, undefined, { signal: context.signal });
      const keys = new Set([...identityKeys, ...textKeys]);
      const erased = { erasureId, organisation, keys };
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
            requests: erasure.requests,
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

/** The requests since the erasure was last finished. */
const unfinishedOf = async (log: EventStore, erasureId: string) => {
  const facts = await historyOf(log, erasureCodec, streamOf('erasure', erasureId));
  const last = facts.findLastIndex(({ event }) => event.type === 'ErasureFinished');
  return facts
    .slice(last + 1)
    .flatMap(({ event }) => (event.type === 'ErasureRequested' ? event : []));
};

/** Called before anything is erased, so that no restore undoes the erasure. */
const addToList = async ({ list }: Pick<ErasingParts, 'list'>, request: ErasureRequested) => {
  try {
    await list?.add(listEntryOf(request));
  } catch (error) {
    throw new DependencyUnavailable(`the list of erasures: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

interface Erased {
  readonly erasureId: string;
  readonly organisation: string;
  readonly keys: ReadonlySet<string>;
}

const eraseTickets = async (
  parts: ErasingParts,
  erased: Erased,
  context: EffectContext,
): Promise<{ found: Omit<Found, 'sessions'>; unreadable: Error | null }> => {
  let unreadable: Error | null = null;
  const { position } = await parts.log.head();
  if (position !== null) await waitForModels(parts, [personalReferences.name], position);
  const found = { tickets: 0, notes: 0, attachments: 0 };
  const tickets = await ticketsReferringTo(parts.pool, [...erased.keys]);
  const eraseTicket = async (ticketId: string) => {
    const facts = await historyOf(parts.log, ticketCodec, streamOf('ticket', ticketId));
    const isOf = ({ personKeys = [] }: Recorded) => personKeys.some((key) => erased.keys.has(key));
    const own = facts.filter(isOf).map(({ event }) => event.type);
    found.tickets += 1;
    found.notes += own.filter((type) => type === 'NoteAdded').length;
    found.attachments += own.filter((type) => type === 'AttachmentAdded').length;
    const lost = erasedIn(facts);
    await parts.tickets.give(
      ticketId,
      {
        commandId: uuidFrom(ticketId, context.id),
        organisation: erased.organisation,
        command: {
          type: 'ErasePersonalData',
          authority: authorityOf(erased.organisation),
          erasureId: erased.erasureId,
          erased: lost.erased,
          removed: lost.attachments,
        },
      },
      context,
    );
  };
  await forEachConcurrently(tickets, ERASED_TICKETS_AT_ONCE, async (ticketId) => {
    try {
      await eraseTicket(ticketId);
    } catch (error) {
      if (!(error instanceof UnreadableEvent || error instanceof NewerReleaseNeeded)) throw error;
      unreadable ??= error;
    }
  });
  return { found, unreadable };
};
