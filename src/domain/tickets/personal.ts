/**
 * The personal members of a ticket's events, and the data subject of each. Names and addresses
 * belong to the person they identify. Texts belong to their writer; if the writer is no person, as
 * in an import or a report without sign-in, to the reporter. contract.md section 11, decision 0123.
 */
import {
  subjectOfAddress,
  subjectOfUser,
  type PersonalEvent,
  type PersonalPart,
} from '../../engine/log/personal-data.ts';
import { sealedTypes } from '../../engine/personal/sealed-types.ts';
import { ERASED_FILE, ERASED_TEXT } from './erasure.ts';
import { ticketEventSchemas } from './events.ts';

type Data = PersonalEvent['data'];
type StandIns = Readonly<Record<string, unknown>>;

const identityStandIns = { reporterName: null, reporterEmail: null, reporterPhone: null };
const textStandIns = { subject: null, description: ERASED_TEXT, formData: {}, metadata: {} };

/** The stand-ins of the members that have content. */
const filled = (data: Data, standIns: StandIns): StandIns => {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(standIns))
    if (hasContent(data[name])) found[name] = standIns[name];
  return found;
};

const hasContent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null;

const partOf = (
  subject: string,
  purpose: PersonalPart['purpose'],
  standIns: StandIns,
): readonly PersonalPart[] =>
  Object.keys(standIns).length === 0 ? [] : [{ subject, purpose, standIns }];

/** The subject of a reporter who is identified only by their ticket. */
export const subjectOfTicket = (ticketId: string): string => `ticket:${ticketId}`;

const ticketOf = ({ stream }: PersonalEvent): string =>
  subjectOfTicket(stream.slice('ticket-'.length));

const writerOf = (event: PersonalEvent): string =>
  event.actor.kind === 'user' ? subjectOfUser(event.actor.id) : ticketOf(event);

/** Whether the actor wrote the event themselves: an import has the texts of others. */
const isByWriter = ({ actor, origin }: PersonalEvent): boolean =>
  actor.kind === 'user' && origin !== 'import';

/** Pure. The subject of the reporter of an opened ticket. */
export const reporterSubjectOf = (opened: PersonalEvent): string => {
  const { actor, data } = opened;
  if (typeof data['reporterEmail'] === 'string') return subjectOfAddress(data['reporterEmail']);
  const isReporter = isByWriter(opened) && data['reporterName'] === (actor.name ?? null);
  return isReporter ? subjectOfUser(actor.id) : ticketOf(opened);
};

const textsOfWriter =
  (standIns: StandIns) =>
  (event: PersonalEvent): readonly PersonalPart[] =>
    partOf(writerOf(event), 'texts', filled(event.data, standIns));

const opened = (event: PersonalEvent): readonly PersonalPart[] => {
  const { actor, data } = event;
  const identity = filled(data, identityStandIns);
  // A ticket of the platform itself, as for a fault, has no writer.
  const isWritten = data['channel'] !== 'system' || actor.kind === 'user';
  const writer = isByWriter(event) ? writerOf(event) : reporterSubjectOf(event);
  return [
    ...partOf(reporterSubjectOf(event), 'identity', identity),
    ...(isWritten ? partOf(writer, 'texts', filled(data, textStandIns)) : []),
  ];
};

const edited = (event: PersonalEvent): readonly PersonalPart[] => {
  const changes = event.data['changes'] as Data;
  const standIns = filled(changes, textStandIns);
  if (Object.keys(standIns).length === 0) return [];
  return partOf(writerOf(event), 'texts', { changes: { ...changes, ...standIns } });
};

/** The types of a ticket's events; their personal members are sealed. */
export const ticketEventTypes = sealedTypes(ticketEventSchemas, {
  TicketOpened: opened,
  TicketEdited: edited,
  NoteAdded: textsOfWriter({ body: ERASED_TEXT }),
  // A work-order system wrote it; notes of rules are the desk's own.
  SystemNoteAdded: (event) =>
    event.origin === 'work_order' ? partOf(ticketOf(event), 'texts', { body: ERASED_TEXT }) : [],
  AttachmentAdded: textsOfWriter({ name: ERASED_FILE }),
  // The remover may not be the author, who is not recorded here, so the ticket is the subject.
  AttachmentRemoved: (event) =>
    event.data['name'] === ERASED_FILE
      ? []
      : partOf(ticketOf(event), 'texts', { name: ERASED_FILE }),
  TicketRated: textsOfWriter({ comment: null }),
});
