/**
 * The commands of a ticket. The caller draws ids and the number and resolves the location in the
 * building graph: no rule looks anything up.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Authority } from '../authority.ts';
import type { AttachedFile } from './attachments.ts';
import type { Configuration } from '../service-desk/configuration.ts';
import type { Priority, SlaClock, TicketFact, TicketLocation, Visibility } from './events.ts';
import type { Erased } from './erasure.ts';
import type { FreeForm } from './free-form.ts';
import type { TicketForm } from './form.ts';
import type { FaultTicketCommand } from './faults.ts';
import type { TicketState, Workflow } from './graph.ts';
import type { Rated } from './rating.ts';
import type { WorkOrderTicketCommand } from './work-orders.ts';

export type TicketCommand =
  | OpenTicket
  | WorkOrderTicketCommand
  | (ToTicket & {
      readonly type: 'TransitionTicket';
      readonly to: TicketState;
      /** The workflow of the ticket's request type. Absent: the whole graph. */
      readonly workflow?: Workflow;
      readonly note?: NewNote;
      /** The caller is its requester: fewer transitions, and the note is public. Default false. */
      readonly byRequester?: boolean;
    })
  | (ToTicket & {
      readonly type: 'AssignTicket';
      /** Absent: unchanged. `null`: unassigned. */
      readonly assignedUserId?: string | null;
      readonly assignedTeamId?: string | null;
      readonly note?: NewNote;
    })
  /** Given by timers: the ticket decides whether it is due, and records it once per clock. */
  | (ToTicket & { readonly type: 'RaiseSlaWarning'; readonly clock: SlaClock })
  | (ToTicket & { readonly type: 'RecordSlaBreach'; readonly clock: SlaClock })
  | (ToTicket & {
      readonly type: 'EditTicket';
      readonly patch: TicketPatch;
      /** The form of a changed `formData`. Absent: free-form. */
      readonly form?: TicketForm;
    })
  | (ToTicket & {
      readonly type: 'AddNote';
      readonly noteId: string;
      readonly body: string;
      readonly visibility: Visibility;
      /** As visible as the note. The bytes are durable in the file store before. */
      readonly files?: readonly NoteFile[];
    })
  | (ToTicket & {
      readonly type: 'AddSystemNote';
      readonly noteId: string;
      readonly body: string;
      readonly ruleId?: string;
    })
  | FaultTicketCommand
  /** The bytes are durable in the file store before. */
  | (ToTicket & { readonly type: 'AddAttachment'; readonly file: AttachedFile })
  | (ToTicket & { readonly type: 'RemoveAttachment'; readonly attachmentId: string })
  /** Given by its requester. */
  | (ToTicket & Rated & { readonly type: 'RateTicket' })
  /** Given by the erasure of a person, after their keys are destroyed, and by retention. */
  | (ToTicket & {
      readonly type: 'ErasePersonalData';
      readonly erasureId: string;
      readonly erased: Erased;
      /** Attachments to remove. */
      readonly removed: readonly string[];
      /** Only for retention: erases every event of a ticket that is closed and unchanged since. */
      readonly unchangedSince?: Instant;
    })
  | (ToTicket & {
      readonly type: 'RelocateTicket';
      /**
       * The ticket's location when the new one was looked up; a ticket that has moved since is not
       * changed.
       */
      readonly from: TicketLocation;
      readonly to: TicketLocation;
      /** Added if the location is lost, so that people notice it. */
      readonly note?: NewNote;
    });

export interface OpenTicket {
  readonly type: 'OpenTicket';
  readonly draft: TicketDraft;
  /** As stored in the desk's stream. Absent: the organisation has set none. */
  readonly configuration?: Configuration;
  /** The form of `formData`. Absent: free-form. */
  readonly form?: TicketForm;
  /** One for each note that the rules can add: see `notesMaxOf` in opening.ts. */
  readonly noteIds?: readonly string[];
}

/** A file of a note. */
export type NoteFile = Omit<AttachedFile, 'visibility' | 'noteId'>;

interface ToTicket {
  /** A ticket outside its authority does not exist for it. */
  readonly authority: Authority;
}

/** A note that accompanies another command: internal from staff, public from a requester. */
export interface NewNote {
  readonly noteId: string;
  readonly body: string;
}

/** A requested ticket; its due times are computed when it is opened. */
export interface TicketDraft extends Omit<
  TicketFact<'TicketOpened'>,
  | 'type'
  | 'slaFirstResponseDueAt'
  | 'slaResolutionDueAt'
  | 'slaPolicy'
  | 'slaWarning'
  | 'slaPause'
  | 'ruleIds'
  | 'formData'
  | 'metadata'
> {
  readonly formData: FreeForm;
  readonly metadata: FreeForm;
}

/** RFC 7396: absent members stay, `null` clears; the two objects merge. */
export interface TicketPatch {
  readonly subject?: string | null;
  readonly description?: string;
  readonly priority?: Priority;
  readonly category?: string | null;
  /** All three ids, resolved from the finest one that the caller gave. */
  readonly location?: TicketLocation;
  /** `null` empties. */
  readonly formData?: FreeForm | null;
  readonly metadata?: FreeForm | null;
}
