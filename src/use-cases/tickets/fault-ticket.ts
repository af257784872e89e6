/** Raises the ticket of a fault. Idempotent: a fault has one ticket. contract.md section 6. */
import { v5 as uuidFrom } from 'uuid';
import type { Diagnostics, FaultDetail } from '../../building/telemetry/diagnostics.ts';
import { systemAuthority } from '../../domain/authority.ts';
import type { FaultClosed } from '../../domain/telemetry/fault-events.ts';
import { closedText, priorityOf, textsOf } from '../../domain/telemetry/fault-ticket.ts';
import type { FaultTicketCommand } from '../../domain/tickets/faults.ts';
import type { Workflow } from '../../domain/tickets/graph.ts';
import type { NewTicket } from '../../domain/tickets/draft.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import type { ServiceDesks } from '../service-desk/service-desks.ts';
import type { CommandName, UseCase } from '../use-case.ts';
import { openTicket, type OpenTicketParts } from './open-ticket.ts';

export interface FaultTicketParts extends Omit<OpenTicketParts, 'desks'> {
  readonly desks: Pick<ServiceDesks, 'configurationOf' | 'workflowOf'>;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give' | 'look'>;
  readonly diagnostics: Pick<Diagnostics, 'fault' | 'noteTicket'>;
}

type Overridable = 'priority' | 'category' | 'requestType' | 'subject' | 'description';

/** Absent members are filled in from the fault. */
export interface FaultToRaise extends Pick<Partial<NewTicket>, Overridable> {
  readonly organisation: string;
  readonly buildingId: string;
  readonly faultId: string;
}

export interface RaisedTicket {
  readonly answer: Answer<TicketView>;
  /** Another command has raised it before. */
  readonly isOffered: boolean;
}

/** The id of the ticket of a fault, derived from it, so that raising it again has no effect. */
export const ticketIdOf = (faultId: string): string => uuidFrom(faultId, FAULT_TICKETS);

/**
 * Raises the ticket of a fault as {@link openTicket} does; absent members are filled in from the
 * fault. An existing ticket is returned instead, whatever its state. Concurrent calls, and a repeat
 * after a crash, raise one ticket. The ticket of an open fault follows the end of the fault.
 *
 * @returns `null` if the organisation has no such fault.
 * @throws As {@link openTicket} does, but for `CONFLICT`.
 */
export const raiseFaultTicket = (
  parts: FaultTicketParts,
): UseCase<FaultToRaise, RaisedTicket | null> => {
  const { tickets, desks, diagnostics } = parts;
  const open = openTicket(parts);

  const offered = async (ticketId: string): Promise<RaisedTicket | null> => {
    const ticket = await tickets.look(ticketId);
    return ticket && { answer: { ...ticket, replayed: false, recorded: [] }, isOffered: true };
  };

  /** The fault may have closed before its ticket was recorded. */
  const followEnd = async (ticket: TicketView, { at }: Occasion) => {
    const { id, organisationId, buildingId, requestType } = ticket;
    const faultId = ticket.faultId!;
    const fault = await diagnostics.fault(organisationId, buildingId, faultId);
    if (fault === null || fault.closedAt === null) return;
    const { closedAt, condition } = fault;
    const why = condition === null ? 'rule_deleted' : 'recovered';
    const workflow = await desks.workflowOf(organisationId, requestType);
    const command = endOfFault({ faultId, closedAt, why }, workflow);
    await tickets.give(
      id,
      { commandId: command.noteId, command, organisation: organisationId },
      { at, by: { kind: 'system', id: 'process:fault-tickets' }, origin: 'system' },
    );
  };

  const openAt = (
    fault: FaultDetail,
    asked: FaultToRaise,
    occasion: Occasion,
    name: CommandName,
  ) => {
    const { organisation, buildingId, faultId, ...overrides } = asked;
    const { subject, description } = textsOf(fault);
    const ticket = {
      ticketId: ticketIdOf(faultId),
      organisation,
      buildingId,
      elementId: fault.elementId,
      faultId,
      // The ticket is raised without a form.
      isFormChecked: false,
      channel: 'system',
      priority: overrides.priority ?? priorityOf(fault.severity),
      category: overrides.category,
      requestType: overrides.requestType,
      subject: overrides.subject ?? subject,
      description: overrides.description ?? description,
    } as const;
    return open(ticket, occasion, name);
  };

  return async (asked, occasion, name) => {
    const { organisation, buildingId, faultId } = asked;
    const ticketId = ticketIdOf(faultId);
    const look = () => diagnostics.fault(organisation, buildingId, faultId);
    for (let fault = await look(); fault !== null;) {
      const before = await offered(ticketId);
      // A command with a body hash may be a repeat of the one that raised the ticket.
      if (before !== null && name.bodyHash === undefined) return before;
      // Before the ticket is opened: a fault that closes meanwhile must announce that, too.
      await diagnostics.noteTicket(faultId, occasion.at);
      try {
        const answer = await openAt(fault, asked, occasion, name);
        if (fault.closedAt === null) await followEnd(answer.view, occasion);
        return { answer, isOffered: false };
      } catch (error) {
        const refusal = error instanceof Refused ? error.refusal.refused : null;
        const existing = refusal === 'CONFLICT' ? await offered(ticketId) : null;
        if (existing !== null) return existing;
        // An import may have replaced the element since the fault was read.
        const again = refusal === 'REFERENCE_NOT_FOUND' ? await look() : fault;
        if (again?.elementId === fault.elementId) throw error;
        fault = again;
      }
    }
    return null;
  };
};

/**
 * The command to the ticket of a fault that has closed. The id of its note is derived from this
 * end, so that a repeat by another caller adds no second note.
 */
export const endOfFault = (
  { faultId, closedAt, why }: Pick<FaultClosed, 'faultId' | 'closedAt' | 'why'>,
  workflow: Workflow | undefined,
): FaultTicketCommand => ({
  type: 'EndFaultOfTicket',
  authority: systemAuthority,
  faultId,
  noteId: uuidFrom(`closed/${closedAt}`, ticketIdOf(faultId)),
  body: closedText({ closedAt, why }),
  ...(workflow ? { workflow } : {}),
});

/** Namespace of tickets of faults, which must never change. */
const FAULT_TICKETS = '3c1f5a0e-7d42-4b8b-9c63-5e2a81f0d7b6';
