import { v7 as uuid } from 'uuid';
import type { TicketEvent } from '../../src/domain/tickets/events.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { ticketCodec } from '../../src/domain/tickets/codecs.ts';
import type { EventStore, NewEvent } from '../../src/engine/log/event-store.ts';
import type { TicketListRow } from '../../src/projections/tickets/list.ts';
import { desk } from '../ticket-data.ts';

export interface Amounts {
  readonly events: number;
  readonly tickets: number;
  /** Events of another category per event of a ticket. */
  readonly foreign: number;
  /** Due time of both clocks of every ticket. Default: random, mostly long ago. */
  readonly slaDueAt?: string;
}

const WRITERS = 64;
const APPENDED_EVENTS_MAX = 500;
const TURNS = ['triaged', 'in_progress', 'waiting'] as const;

export const recorded = (event: TicketEvent, organisation: string): NewEvent =>
  ticketCodec.encode(uuid(), event, {
    commandId: uuid(),
    at: systemClock.now(),
    by: { kind: 'user', id: 'ada' },
    origin: 'api',
    organisation,
  });

/** Fills `log` with histories of equal length, of {@link WRITERS} tickets concurrently. */
export const writeHistories = async (
  log: EventStore,
  { events, tickets, foreign, slaDueAt }: Amounts,
): Promise<void> => {
  const length = Math.round(events / tickets);
  const rows = desk(tickets).rows();
  const write = async (writer: number) => {
    for (let next = rows.next(); !next.done; next = rows.next()) {
      const { id, organisationId } = next.value;
      const due = slaDueAt && { slaFirstResponseDueAt: slaDueAt, slaResolutionDueAt: slaDueAt };
      const history = historyOf({ ...next.value, ...due }, length).map((it) =>
        recorded(it, organisationId),
      );
      await log.append(`ticket-${id}`, 'no_stream', history);
      for (let left = length * foreign; left > 0; left -= APPENDED_EVENTS_MAX) {
        const some = Array.from({ length: Math.min(left, APPENDED_EVENTS_MAX) }, keyUsed);
        await log.append(`keyuse-acme${writer}.202603`, 'any', some);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
};

const keyUsed = (): NewEvent => ({
  id: uuid(),
  type: 'KeyUsed',
  data: { keyId: 'mk_live_0123456789ab', route: '/api/v1/buildings', status: 200 },
  meta: { commandId: uuid() },
});

const historyOf = (row: TicketListRow, length: number): readonly TicketEvent[] => [
  opened(row),
  ...Array.from({ length: length - 1 }, (_, at): TicketEvent => {
    const to = TURNS[(at + 1) % 3]!;
    return to === 'triaged'
      ? { type: 'TicketAssigned', assignedUserId: row.assignedUserId, assignedTeamId: null }
      : { type: 'TicketTransitioned', from: 'triaged', to };
  }),
];

const opened = (row: TicketListRow): TicketEvent => ({
  type: 'TicketOpened',
  ticketId: row.id,
  number: row.number,
  organisation: row.organisationId,
  buildingId: row.buildingId,
  requestType: row.requestType,
  description: row.description,
  priority: row.priority,
  channel: row.channel,
  storeyId: row.storeyId,
  spaceId: row.spaceId,
  elementId: row.elementId,
  subject: row.subject,
  category: row.category,
  reporterName: row.reporterName,
  reporterEmail: row.reporterEmail,
  reporterPhone: row.reporterPhone,
  formData: row.formData,
  metadata: row.metadata,
  slaFirstResponseDueAt: row.slaFirstResponseDueAt,
  slaResolutionDueAt: row.slaResolutionDueAt,
});
