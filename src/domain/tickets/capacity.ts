/**
 * The size of a ticket, and the commands that a full one still accepts: a ticket is always read as
 * a whole, so its size must be bounded. contract.md section 1.
 */
import { TICKET_NOTES_MAX, TICKET_TEXT_BYTES_MAX, TICKET_WORK_ORDERS_MAX } from './limits.ts';
import { isRefusal, refuse, type Decision, type Refusal } from '../../engine/aggregates/decider.ts';
import type { TicketCommand } from './commands.ts';
import type { TicketEvent } from './events.ts';
import { isWorkOver } from './sla.ts';

export interface TicketSize {
  readonly notes: number;
  /** UTF-8 bytes of all facts. */
  readonly textBytes: number;
  /** Distinct: a link is recorded again when an earlier event of its order arrives. */
  readonly workOrders: ReadonlySet<string>;
}

export const emptySize: TicketSize = { notes: 0, textBytes: 0, workOrders: new Set() };

export const sizeAfter = (
  { notes, textBytes, workOrders }: TicketSize,
  event: TicketEvent,
): TicketSize => ({
  notes: isNote(event) ? notes + 1 : notes,
  textBytes: textBytes + bytesOf(event),
  workOrders:
    event.type === 'WorkOrderLinked' && !workOrders.has(event.workOrderId)
      ? new Set([...workOrders, event.workOrderId])
      : workOrders,
});

/**
 * The decision, if the ticket has capacity for it. A full ticket can still be finished: it may be
 * resolved, closed or cancelled without a comment, its clocks go on, and it moves with its
 * building. Commands of processes are reduced to that; a person's command is refused rather than
 * shortened.
 *
 * Refuses `TICKET_FULL`.
 */
export const withinCapacity = (
  decision: Decision<TicketEvent>,
  held: TicketSize,
  { type }: TicketCommand,
): Decision<TicketEvent> => {
  if (isRefusal(decision) || !isTooMuch(decision.reduce(sizeAfter, held))) return decision;
  const accepted = decision.filter(isAlwaysTaken);
  const isShortened = shortened.has(type);
  return accepted.length === decision.length || (isShortened && accepted.length > 0)
    ? accepted
    : full;
};

const isTooMuch = ({ notes, textBytes, workOrders }: TicketSize): boolean =>
  notes > TICKET_NOTES_MAX ||
  textBytes > TICKET_TEXT_BYTES_MAX ||
  workOrders.size > TICKET_WORK_ORDERS_MAX;

const isAlwaysTaken = (event: TicketEvent): boolean =>
  event.type === 'TicketTransitioned'
    ? isWorkOver(event.to) || event.faultId !== undefined
    : alwaysTaken.has(event.type);

const shortened: ReadonlySet<TicketCommand['type']> = new Set([
  'CompleteWorkOrder',
  'EndFaultOfTicket',
  'ReopenFaultOfTicket',
  'RelocateTicket',
]);

const alwaysTaken: ReadonlySet<TicketEvent['type']> = new Set([
  'SlaClockBreached',
  'SlaWarningRaised',
  'SlaDuesMoved',
  'TicketRelocated',
  'AttachmentRemoved',
  'TicketRated',
  'TicketPersonalDataErased',
]);

const full: Refusal = refuse(
  'TICKET_FULL',
  `A ticket has at most ${TICKET_NOTES_MAX} notes, ${TICKET_WORK_ORDERS_MAX} work ` +
    `orders and ${TICKET_TEXT_BYTES_MAX / 1024 / 1024} MiB of text. Continue in another ` +
    'ticket.',
);

const isNote = ({ type }: TicketEvent): boolean =>
  type === 'NoteAdded' || type === 'SystemNoteAdded';

const bytesOf = (event: TicketEvent): number => {
  if ('body' in event) return FACT_BYTES + utf8.encode(event.body).length;
  return measured.has(event.type) ? utf8.encode(JSON.stringify(event)).length : FACT_BYTES;
};

/** The types of events whose members are all measured. */
const measured: ReadonlySet<TicketEvent['type']> = new Set([
  'TicketOpened',
  'TicketEdited',
  'AttachmentAdded',
  'AttachmentRemoved',
  'TicketRated',
]);

/** Approximate bytes of a fact without its text. */
const FACT_BYTES = 200;

const utf8 = new TextEncoder();
