/** Retention: closed tickets lose their personal data. contract.md section 11, decision 0124. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import { workId } from '../../engine/consumers/consumer.ts';
import { leasedWorker } from '../../engine/consumers/leased-worker.ts';
import { isUnreadable } from '../../engine/log/codec.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { isMissingTable } from '../../engine/postgres/errors.ts';
import { clockCheck } from '../../engine/consumers/clock-check.ts';
import { monthsBefore } from '../../engine/time/calendar.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { TimerWaker } from '../../engine/timers/timer-waker.ts';
import {
  dueTickets,
  expiredWithKeys,
  FIRST_TICKET_ID,
  nextSince,
  organisationsWithTerms,
  type DueTicket,
} from '../../projections/erasures/terms.ts';
import {
  expireTicket,
  expiresAt,
  EXPIRY_NAME,
  forgetKeysOf,
  unchangedSinceOf,
  type ExpireTicketParts,
} from '../../use-cases/erasures/expire-ticket.ts';
import { forgetRows, type ForgettingParts } from './forget-rows.ts';
import {
  ERASED_TICKETS_AT_ONCE,
  EXPIRED_TICKETS_PAGE,
  PERSONAL_DATA_EXPIRY_BUILDING_MS,
  PERSONAL_DATA_EXPIRY_MS,
} from './limits.ts';

const EXPIRY_CONSUMER = workId(EXPIRY_NAME);

export interface ExpiringParts extends ForgettingParts, ExpireTicketParts {
  readonly log: ForgettingParts['log'] & ExpireTicketParts['log'];
  readonly clock: Clock;
  /** While it is false, releases may run that cannot read the events of an expiry. */
  readonly isWrittenSealed: () => Promise<boolean>;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
}

/**
 * One pass over the due tickets of these organisations, page by page, the longest overdue first. A
 * killed pass starts over. A ticket that cannot be read is left to the next pass, as are all if the
 * clock is ahead of the database's.
 *
 * @param organisations `null` among them: tickets without an event that names one.
 * @returns The number of tickets that have lost their personal data.
 */
const expirePersonalData = async (
  parts: ExpiringParts,
  organisations: readonly (string | null)[],
  signal: AbortSignal,
): Promise<number> => {
  const now = parts.clock.now();
  const isTrusted = clockCheck({ ...parts, consumer: EXPIRY_CONSUMER });
  if (!(await isTrusted(now))) return 0;
  let expired = 0;
  for (const organisation of organisations) {
    // Where no event names the organisation, the ticket's own configuration decides.
    const until = organisation === null ? now : await unchangedSinceOf(parts, organisation, now);
    if (until === null) continue;
    for await (const page of duePages(parts, organisation, until)) {
      if (signal.aborted) break;
      await forEachConcurrently(page, ERASED_TICKETS_AT_ONCE, async ({ ticketId }) => {
        if (signal.aborted) return;
        await readable(parts, ticketId, async () => {
          if (await expireTicket(parts, ticketId, now)) expired += 1;
        });
      });
    }
  }
  if (expired > 0) parts.logger.info({ tickets: expired }, 'personal data of tickets has expired');
  return expired;
};

async function* duePages(
  { pool }: Pick<ExpiringParts, 'pool'>,
  organisation: string | null,
  until: Instant,
): AsyncGenerator<readonly DueTicket[], void, undefined> {
  for (let after: DueTicket | null = null; ;) {
    const page: readonly DueTicket[] = await dueTickets(
      pool,
      organisation,
      until,
      after,
      EXPIRED_TICKETS_PAGE,
    );
    yield page;
    if (page.length < EXPIRED_TICKETS_PAGE) return;
    after = page.at(-1)!;
  }
}

/** Destroys keys that a killed pass has left, or that a restored database has again. */
const forgetKeys = async (parts: ExpiringParts, signal: AbortSignal): Promise<void> => {
  for (let after = FIRST_TICKET_ID; !signal.aborted;) {
    const page = await expiredWithKeys(parts.pool, after, EXPIRED_TICKETS_PAGE);
    for (const ticketId of page)
      await readable(parts, ticketId, () => forgetKeysOf(parts, ticketId));
    if (page.length < EXPIRED_TICKETS_PAGE) return;
    after = page.at(-1)!;
  }
};

const readable = async (
  { logger }: Pick<ExpiringParts, 'logger'>,
  ticketId: string,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const stream = streamOf('ticket', ticketId);
    logger.warn({ err: error, stream }, 'the personal data of a ticket cannot expire');
  }
};

/** The earliest due time that is still to come: a pass has seen the tickets that are due. */
const nextExpiry = async (parts: ExpiringParts): Promise<Instant | null> => {
  const now = parts.clock.now();
  let next: Instant | null = null;
  for (const organisation of await organisationsWithTerms(parts.pool)) {
    const { personalDataMonths } = await parts.configurationOf(organisation);
    if (personalDataMonths === undefined) continue;
    const termStart = monthsBefore(now, personalDataMonths);
    const since = await nextSince(parts.pool, organisation, termStart);
    const at = since && expiresAt(since, personalDataMonths);
    // At the end of a month `expiresAt` may be past before `termStart` reaches `since`.
    if (at && at > now && (next === null || at < next)) next = at;
  }
  return next;
};

/** A pass every {@link PERSONAL_DATA_EXPIRY_MS}, and when a virtual clock reaches a due time. */
export const personalDataExpiry = (parts: ExpiringParts): TimerWaker => {
  const wakeups = new Signal();
  /** Dead rows still hold what has expired. */
  let isVacuumDue = false;
  /** As `next` returned it last. */
  let earliest: Instant | null = null;

  /** @param otherwise The result before data may expire, and while the read model is built. */
  const ifReady = async <Result>(
    work: () => Promise<Result>,
    otherwise: Result,
  ): Promise<Result> => {
    try {
      return (await parts.isWrittenSealed()) ? await work() : otherwise;
    } catch (error) {
      if (isMissingTable(error)) return otherwise;
      throw error;
    }
  };

  const expire = async (
    organisations: readonly (string | null)[],
    signal: AbortSignal,
  ): Promise<void> => {
    if ((await expirePersonalData(parts, organisations, signal)) > 0) isVacuumDue = true;
  };

  /** @returns Milliseconds until the next pass. */
  const pass = async (signal: AbortSignal): Promise<number> => {
    await forgetKeys(parts, signal);
    await expire([...(await organisationsWithTerms(parts.pool)), null], signal);
    if (!isVacuumDue) return PERSONAL_DATA_EXPIRY_MS;
    // More may expire while the rows are vacuumed.
    isVacuumDue = false;
    try {
      await forgetRows(parts, signal);
    } catch (error) {
      isVacuumDue = true;
      throw error;
    }
    return PERSONAL_DATA_EXPIRY_MS;
  };

  return {
    ...leasedWorker({
      consumer: EXPIRY_CONSUMER,
      logger: parts.logger,
      failure: 'personal data of closed tickets cannot expire; trying again',
      wakeups,
      start: ({ signal }) => ({
        work: () => ifReady(() => pass(signal), PERSONAL_DATA_EXPIRY_BUILDING_MS),
      }),
    }),
    wake: () => wakeups.wake(),

    next: async () => (earliest = await ifReady(() => nextExpiry(parts), null)),
    // Vacuumed by the pass that the end of the clock's move wakes, once for all of its stops.
    async fireDue(signal = new AbortController().signal) {
      if (earliest !== null && earliest <= parts.clock.now())
        await ifReady(
          async () => expire(await organisationsWithTerms(parts.pool), signal),
          undefined,
        );
    },
  };
};
