/**
 * How each aggregate's facts lie on disk: every event type, its schema, and what lifts an older
 * version of it.
 */
import {
  busEventSchemas,
  parkedEventSchemas,
  type BusEvent,
  type ParkedEvent,
} from '../domain/bus/events.ts';
import { clockEventSchemas, type ClockEvent } from '../domain/clock/clock.ts';
import { keyringEventSchemas, type KeyringEvent } from '../domain/keyring/events.ts';
import { keyUseEventSchemas, type KeyUseEvent } from '../domain/keyring/uses.ts';
import { numberingEventSchemas, type NumberingEvent } from '../domain/numbering/numbering.ts';
import { ticketEventSchemas, type TicketEvent } from '../domain/ticket/events.ts';
import { workOrderEventSchemas, type WorkOrderFact } from '../domain/work-order/events.ts';
import { codecOf } from './codec.ts';

export const ticketCodec = codecOf<TicketEvent>({
  TicketOpened: { schema: ticketEventSchemas.TicketOpened },
  TicketTransitioned: { schema: ticketEventSchemas.TicketTransitioned },
  TicketAssigned: { schema: ticketEventSchemas.TicketAssigned },
  FirstResponseMade: { schema: ticketEventSchemas.FirstResponseMade },
  SlaClockBreached: { schema: ticketEventSchemas.SlaClockBreached },
  SlaWarningRaised: { schema: ticketEventSchemas.SlaWarningRaised },
  SlaDuesMoved: { schema: ticketEventSchemas.SlaDuesMoved },
  TicketEdited: { schema: ticketEventSchemas.TicketEdited },
  NoteAdded: { schema: ticketEventSchemas.NoteAdded },
  SystemNoteAdded: { schema: ticketEventSchemas.SystemNoteAdded },
  TicketRelocated: { schema: ticketEventSchemas.TicketRelocated },
  WorkOrderLinked: { schema: ticketEventSchemas.WorkOrderLinked },
});

export const numberingCodec = codecOf<NumberingEvent>({
  NumbersReserved: { schema: numberingEventSchemas.NumbersReserved },
});

export const clockCodec = codecOf<ClockEvent>({
  ClockAdvanced: { schema: clockEventSchemas.ClockAdvanced },
});

export const keyringCodec = codecOf<KeyringEvent>({
  KeyringOpened: { schema: keyringEventSchemas.KeyringOpened },
  // Keys that were issued before there were scopes opened everything.
  KeyIssued: {
    schema: keyringEventSchemas.KeyIssued,
    version: 2,
    upcasters: { 1: (data) => ({ ...data, scope: 'full' }) },
  },
  KeyRevoked: { schema: keyringEventSchemas.KeyRevoked },
});

export const keyUseCodec = codecOf<KeyUseEvent>({
  KeyUsed: { schema: keyUseEventSchemas.KeyUsed },
  KeyDenialsCounted: { schema: keyUseEventSchemas.KeyDenialsCounted },
  DenialCountingBegan: { schema: keyUseEventSchemas.DenialCountingBegan },
  DenialCountingEnded: { schema: keyUseEventSchemas.DenialCountingEnded },
  DenialCountsLost: { schema: keyUseEventSchemas.DenialCountsLost },
});

export const workOrderCodec = codecOf<WorkOrderFact>({
  WorkOrderEventHeld: { schema: workOrderEventSchemas.WorkOrderEventHeld },
  WorkOrderEventDirected: { schema: workOrderEventSchemas.WorkOrderEventDirected },
});

export const busCodec = codecOf<BusEvent>({
  MessagePublished: { schema: busEventSchemas.MessagePublished },
});

export const parkedCodec = codecOf<ParkedEvent>({
  MessageParked: { schema: parkedEventSchemas.MessageParked },
});
