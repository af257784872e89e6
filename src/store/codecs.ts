/**
 * How each aggregate's facts lie on disk: every event type, its schema, and what lifts an older
 * version of it.
 */
import { clockEventSchemas, type ClockEvent } from '../domain/clock/clock.ts';
import { numberingEventSchemas, type NumberingEvent } from '../domain/numbering/numbering.ts';
import { ticketEventSchemas, type TicketEvent } from '../domain/ticket/events.ts';
import { codecOf } from './codec.ts';

export const ticketCodec = codecOf<TicketEvent>({
  TicketOpened: { schema: ticketEventSchemas.TicketOpened },
  TicketTransitioned: { schema: ticketEventSchemas.TicketTransitioned },
  TicketAssigned: { schema: ticketEventSchemas.TicketAssigned },
  FirstResponseMade: { schema: ticketEventSchemas.FirstResponseMade },
  SlaClockBreached: { schema: ticketEventSchemas.SlaClockBreached },
  TicketEdited: { schema: ticketEventSchemas.TicketEdited },
  NoteAdded: { schema: ticketEventSchemas.NoteAdded },
  SystemNoteAdded: { schema: ticketEventSchemas.SystemNoteAdded },
  TicketRelocated: { schema: ticketEventSchemas.TicketRelocated },
});

export const numberingCodec = codecOf<NumberingEvent>({
  NumbersReserved: { schema: numberingEventSchemas.NumbersReserved },
});

export const clockCodec = codecOf<ClockEvent>({
  ClockAdvanced: { schema: clockEventSchemas.ClockAdvanced },
});
