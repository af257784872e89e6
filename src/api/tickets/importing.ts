/**
 * A running import of tickets: lines are read as they arrive, several tickets are opened
 * concurrently, and lines are answered in order. contract.md sections 1 and 5.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import { TICKET_IMPORT_AT_ONCE, TICKET_IMPORT_AT_ONCE_BYTES_MAX } from './limits.ts';
import { keyedMutex } from '../../engine/concurrency/keyed-mutex.ts';
import type { importTicket, TicketToImport } from '../../use-cases/tickets/import-ticket.ts';
import type { Visibility } from '../http/commands.ts';
import type { Line } from '../http/ndjson.ts';
import type { Problem } from '../http/problems.ts';
import { readLine, type ReadLine } from './import-line.ts';
import type { ImportOutcome, ImportSummary } from './import-schemas.ts';
import { refusalOf, workInOrder, type WorkDone, type WorkOutcome } from './work-in-order.ts';

export interface ImportingParts {
  readonly open: ReturnType<typeof importTicket>;
  readonly visibility: Visibility;
}

export interface Importing {
  readonly lines: AsyncIterable<Line>;
  readonly organisation: string;
  /** Metadata of each opened ticket. */
  readonly occasion: () => Occasion;
  /** The choices for all lines. */
  readonly opening: Pick<TicketToImport, 'routed' | 'isFormChecked'>;
  readonly onAnswer: (answer: ImportOutcome) => Promise<void>;
  readonly report: FastifyBaseLogger;
}

export interface Imported extends WorkDone {
  readonly summary: ImportSummary;
}

type Outcome = WorkOutcome<ImportOutcome>;

/**
 * Opens the tickets of the lines and answers the outcome of each. Answered tickets are stored; of
 * the lines after that, those in progress at an early end may be.
 *
 * @returns The result, once all work has ended.
 * Never rejects because of a line.
 */
export const importTickets = async (
  { open, visibility }: ImportingParts,
  { lines, organisation, occasion, opening, onAnswer, report }: Importing,
): Promise<Imported> => {
  const summary = { created: 0, exists: 0, failed: 0 };
  /** Lines with the same key run one after the other: the first one creates the ticket. */
  const turns = keyedMutex();

  const opened = async (number: number, ticket: TicketToImport): Promise<Outcome> => {
    const { view, replayed, position: ticketPosition } = await open(ticket, occasion());
    const { importKey } = ticket;
    const status = replayed ? 'exists' : 'created';
    const answer = { line: number, importKey, status, id: view.id, number: view.number } as const;
    return { answer, position: replayed ? null : ticketPosition };
  };

  const work = async (read: ReadLine): Promise<Outcome> => {
    if ('problem' in read) return failed(read, read.problem);
    const ticket = { ...read.ticket, organisation, ...opening };
    const { importKey } = ticket;
    try {
      return await turns.run(importKey, () => opened(read.number, ticket));
    } catch (error) {
      return failed(read, refusalOf(error, report, read.number));
    }
  };

  const done = await workInOrder<Line, ReadLine, ImportOutcome>({
    items: lines,
    prepare: readLine,
    work,
    itemsMax: TICKET_IMPORT_AT_ONCE,
    weightMax: TICKET_IMPORT_AT_ONCE_BYTES_MAX,
    weightOf: (read) => ('bytes' in read ? read.bytes : 0),
    async onAnswer(answer) {
      summary[answer.status] += 1;
      await onAnswer(answer);
    },
    visibility,
    report,
  });
  return { summary, ...done };
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
