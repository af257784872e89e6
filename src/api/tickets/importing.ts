/**
 * A running import of tickets: lines are read as they arrive, several tickets are opened
 * concurrently, and lines are answered in order. contract.md sections 1 and 5.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import {
  TICKET_IMPORT_AT_ONCE,
  TICKET_IMPORT_AT_ONCE_BYTES_MAX,
  TICKET_IMPORT_SHOWN_WAIT_MS,
  TICKET_IMPORT_UNSHOWN_MAX,
} from './limits.ts';
import { SLICE_MAX_MS } from '../../engine/limits.ts';
import { keyedMutex } from '../../engine/concurrency/keyed-mutex.ts';
import { orderedPipeline } from '../../engine/concurrency/ordered-pipeline.ts';
import type { Position } from '../../engine/log/event-store.ts';
import type { importTicket, TicketToImport } from '../../use-cases/tickets/import-ticket.ts';
import type { Visibility } from '../http/commands.ts';
import { problemOf } from '../http/errors.ts';
import type { Line } from '../http/ndjson.ts';
import type { Problem } from '../http/problems.ts';
import { readLine, type ReadLine } from './import-line.ts';
import type { ImportOutcome, ImportSummary } from './import-schemas.ts';

export interface ImportingParts {
  readonly open: ReturnType<typeof importTicket>;
  readonly visibility: Visibility;
}

export interface Importing {
  readonly lines: AsyncIterable<Line>;
  readonly organisation: string;
  /** Metadata of each opened ticket. */
  readonly occasion: () => Occasion;
  readonly routed: boolean;
  readonly tell: (answer: ImportOutcome) => Promise<void>;
  readonly report: FastifyBaseLogger;
}

export interface Imported {
  readonly summary: ImportSummary;
  /** Of the last opened ticket. */
  readonly position: Position | null;
  /** The reason of an early end. */
  readonly stopped: Problem | null;
}

/** The read models that show a new ticket. */
export const SHOWN_BY = ['ticket-list', 'ticket-search', 'ticket-metadata'];

/** Codes that would be repeated for all following lines. */
const STOPS: readonly Problem['code'][] = ['UNAVAILABLE'];

interface Outcome {
  readonly answer: ImportOutcome;
  /** Of an opened ticket. */
  readonly position: Position | null;
}

/**
 * Opens the tickets of the lines and answers the outcome of each. Answered tickets are stored; of
 * the lines after that, those in progress at an early end may be.
 *
 * @returns The result, once all work has ended.
 * @throws Nothing that the lines can cause.
 */
export const importTickets = async (
  { open, visibility }: ImportingParts,
  { lines, organisation, occasion, routed, tell, report }: Importing,
): Promise<Imported> => {
  const summary = { created: 0, exists: 0, failed: 0 };
  const mayGoOn = pace(visibility, report);
  /** Lines with the same key run one after the other: the first one creates the ticket. */
  const turns = keyedMutex();
  let position: Position | null = null;

  const opened = async (number: number, ticket: TicketToImport): Promise<Outcome> => {
    const { view, replayed, position: ticketPosition } = await open(ticket, occasion());
    const { importKey } = ticket;
    const status = replayed ? 'exists' : 'created';
    const answer = { line: number, importKey, status, id: view.id, number: view.number } as const;
    return { answer, position: replayed ? null : ticketPosition };
  };

  const work = async (read: ReadLine): Promise<Outcome> => {
    if ('problem' in read) return failed(read, read.problem);
    const ticket = { ...read.ticket, organisation, routed };
    const { importKey } = ticket;
    try {
      return await turns.run(importKey, () => opened(read.number, ticket));
    } catch (error) {
      const problem = problemOf(error);
      if (STOPS.includes(problem.code)) throw error;
      if (problem.code === 'INTERNAL')
        report.error({ err: error, line: read.number }, 'a line of an import has failed');
      return failed(read, problem);
    }
  };

  const queue = orderedPipeline<ReadLine, Outcome>({
    work,
    itemsMax: TICKET_IMPORT_AT_ONCE,
    weightMax: TICKET_IMPORT_AT_ONCE_BYTES_MAX,
    weightOf: (read) => ('bytes' in read ? read.bytes : 0),
    async deliver({ answer, position: ticketPosition }) {
      summary[answer.status] += 1;
      position = ticketPosition ?? position;
      await tell(answer);
      if (ticketPosition !== null) await mayGoOn(ticketPosition);
    },
  });

  let stopped: { readonly error: unknown } | null = null;
  try {
    let since = performance.now();
    for await (const line of lines) {
      await queue.add(readLine(line));
      if (performance.now() - since < SLICE_MAX_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  } catch (error) {
    stopped = { error };
  }
  try {
    await queue.end();
  } catch (error) {
    stopped = { error };
  }
  if (stopped !== null) report.info({ err: stopped.error }, 'an import of tickets was stopped');
  return { summary, position, stopped: stopped && problemOf(stopped.error) };
};

const failed = ({ number, importKey }: ReadLine, problem: Problem): Outcome => ({
  answer: {
    line: number,
    importKey,
    status: 'failed',
    code: problem.code,
    ...(problem.code === 'INTERNAL' ? {} : { detail: problem.message }),
  },
  position: null,
});

/**
 * Paces an import by the lists' progress: other readers of the lists would wait for everything it
 * has opened. Lists that are being rebuilt, or that have no owner, delay it once.
 */
const pace = (visibility: Visibility, report: FastifyBaseLogger) => {
  let unshown = 0;
  let before: Position | null = null;
  let isHeld = true;
  return async (position: Position): Promise<void> => {
    unshown += 1;
    if (!isHeld || unshown < TICKET_IMPORT_UNSHOWN_MAX) return;
    const awaited = before;
    [unshown, before] = [0, position];
    if (awaited === null) return;
    isHeld = await visibility.waitFor(SHOWN_BY, awaited, TICKET_IMPORT_SHOWN_WAIT_MS);
    if (!isHeld) report.warn({ position: awaited }, 'lists do not follow an import of tickets');
  };
};
