/** One word for the effect of a command, for feeds and the bus. contract.md section 5. */
import type { TicketEvent } from './events.ts';

/** In order of precedence: the first applicable fact of a command names the change. */
export const changes = [
  'created',
  'state',
  'assignment',
  'work_order',
  'fields',
  'sla',
  'erasure',
  'note',
  'attachment',
  'rating',
] as const;

export type Change = (typeof changes)[number];

/** The word for all the facts of one command; `null` for a command that recorded none. */
export const changeOf = (events: readonly TicketEvent[]): Change | null => {
  const words = new Set(events.map(({ type }) => wordOf[type]));
  return changes.find((change) => words.has(change)) ?? null;
};

const wordOf: Readonly<Record<TicketEvent['type'], Change>> = {
  TicketOpened: 'created',
  TicketTransitioned: 'state',
  TicketAssigned: 'assignment',
  FirstResponseMade: 'assignment',
  SlaClockBreached: 'sla',
  SlaWarningRaised: 'sla',
  SlaDuesMoved: 'sla',
  TicketEdited: 'fields',
  NoteAdded: 'note',
  SystemNoteAdded: 'note',
  TicketRelocated: 'fields',
  WorkOrderLinked: 'work_order',
  AttachmentAdded: 'attachment',
  AttachmentRemoved: 'attachment',
  TicketRated: 'rating',
  TicketPersonalDataErased: 'erasure',
};
