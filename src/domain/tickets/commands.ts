/**
 * What can be asked of a ticket. Ids and the number are drawn by whoever gives the command, and a
 * location is resolved in the building graph before: nothing here is looked up.
 */
import type { Authority } from '../authority.ts';
import type { Configuration } from '../service-desk/configuration.ts';
import type { Priority, SlaClock, TicketFact, TicketLocation, Visibility } from './events.ts';
import type { FreeForm } from './free-form.ts';
import type { TicketState, Workflow } from './graph.ts';
import type { WorkOrderTicketCommand } from './work-orders.ts';

export type TicketCommand =
  | OpenTicket
  | WorkOrderTicketCommand
  | (ToTicket & {
      readonly type: 'TransitionTicket';
      readonly to: TicketState;
      /** Of the ticket's request type. Absent: the whole graph. */
      readonly workflow?: Workflow;
      readonly note?: NewNote;
    })
  | (ToTicket & {
      readonly type: 'AssignTicket';
      /** Absent: stays. `null`: nobody. */
      readonly assignedUserId?: string | null;
      readonly assignedTeamId?: string | null;
      readonly note?: NewNote;
    })
  /** Given by timers: the ticket decides whether it is due, and records it once per clock. */
  | (ToTicket & { readonly type: 'RaiseSlaWarning'; readonly clock: SlaClock })
  | (ToTicket & { readonly type: 'RecordSlaBreach'; readonly clock: SlaClock })
  | (ToTicket & { readonly type: 'EditTicket'; readonly patch: TicketPatch })
  | (ToTicket & {
      readonly type: 'AddNote';
      readonly noteId: string;
      readonly body: string;
      readonly visibility: Visibility;
    })
  | (ToTicket & {
      readonly type: 'AddSystemNote';
      readonly noteId: string;
      readonly body: string;
      readonly ruleId?: string;
    })
  | (ToTicket & {
      readonly type: 'RelocateTicket';
      /** Where the ticket was when its new place was looked up; elsewhere by now, it stays. */
      readonly from: TicketLocation;
      readonly to: TicketLocation;
      /** Where the place is lost, so that somebody learns of it. */
      readonly note?: NewNote;
    });

export interface OpenTicket {
  readonly type: 'OpenTicket';
  readonly draft: TicketDraft;
  /** As the desk's stream has it. Absent: of an organisation that has set nothing. */
  readonly configuration?: Configuration;
  /** As many as the rules can make of notes: see `notesMaxOf` in opening.ts. */
  readonly noteIds?: readonly string[];
}

interface ToTicket {
  /** A ticket that it may not address is none to it. */
  readonly authority: Authority;
}

/** Text that comes with another command; what a person says there is internal. */
export interface NewNote {
  readonly noteId: string;
  readonly body: string;
}

/** A ticket as it is asked for; its due times are computed when it is opened. */
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

/** RFC 7396: what is absent stays, `null` clears; the two objects merge. */
export interface TicketPatch {
  readonly subject?: string | null;
  readonly description?: string;
  readonly priority?: Priority;
  readonly category?: string | null;
  /** All three ids as they shall be, resolved from the finest one the caller gave. */
  readonly location?: TicketLocation;
  /** `null` empties. */
  readonly formData?: FreeForm | null;
  readonly metadata?: FreeForm | null;
}
