/**
 * The actions of callers on one ticket, for the single routes and for a bulk. An action becomes a
 * command; the rules are in the decider. contract.md section 5.
 */
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import type { Graph } from '../../building/graph/graph.ts';
import { authorityOf } from '../../domain/authority.ts';
import type { NoteFile, TicketCommand, TicketPatch } from '../../domain/tickets/commands.ts';
import { locationAfter } from '../../domain/tickets/location-patch.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import { isRefusal, type Occasion } from '../../engine/aggregates/decider.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { followImport } from '../../use-cases/tickets/follow-import.ts';
import { formFor } from '../../use-cases/tickets/ticket-form.ts';
import type { CommandId } from '../http/commands.ts';
import { notFound } from '../http/problems.ts';
import { isWithin, type TicketOwner } from './requesters.ts';
import type { AssignBody, NoteBody, PatchTicketBody, RateBody, TransitionBody } from './schemas.ts';

/** One of these, with the body of its route. */
export interface TicketActionBodies {
  readonly assign: z.output<typeof AssignBody>;
  readonly transition: z.output<typeof TransitionBody>;
  readonly patch: z.output<typeof PatchTicketBody>;
  readonly note: z.output<typeof NoteBody> & { readonly files?: readonly NoteFile[] };
  readonly rate: z.output<typeof RateBody>;
}

/** The ticket, and the owner whose access applies: tickets of others do not exist. */
export interface TicketAddress extends TicketOwner {
  readonly id: string;
  readonly occasion: Occasion;
  /** From `If-Match`. */
  readonly expectedRevisions?: readonly number[] | undefined;
}

export interface TicketActionParts {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly desks: Pick<ServiceDesks, 'configurationOf' | 'workflowOf'>;
  readonly graph: Pick<Graph, 'resolveLocation' | 'successorsOf'>;
}

export interface TicketActions {
  /**
   * The ticket from the log: never older than an answered command.
   *
   * @throws {@link Problem} `NOT_FOUND`.
   */
  ticketOf(address: Pick<TicketAddress, 'id' | keyof TicketOwner>): Promise<TicketView>;
  /**
   * Records the action once under its command id.
   *
   * @throws {@link Refused} with the decider's code, {@link Problem} `NOT_FOUND`.
   */
  act<Kind extends keyof TicketActionBodies>(
    address: TicketAddress,
    name: CommandId,
    kind: Kind,
    body: TicketActionBodies[Kind],
  ): Promise<Answer<TicketView>>;
}

type CommandOf<Body> = (
  address: TicketAddress,
  name: CommandId,
  body: Body,
) => TicketCommand | (() => Promise<TicketCommand>);

export const ticketActions = ({ tickets, desks, graph }: TicketActionParts): TicketActions => {
  const follow = followImport({ tickets, graph });

  const ticketOf: TicketActions['ticketOf'] = async ({ id, ...owner }) => {
    const found = await tickets.look(id);
    if (!found || !isWithin(found.view, owner)) throw notFound('ticket');
    return found.view;
  };

  const commandsOf: {
    readonly [Kind in keyof TicketActionBodies]: CommandOf<TicketActionBodies[Kind]>;
  } = {
    assign: ({ organisation }, name, { assignedUserId, assignedTeamId, note }) => ({
      type: 'AssignTicket',
      authority: authorityOf(organisation),
      ...(assignedUserId === undefined ? {} : { assignedUserId }),
      ...(assignedTeamId === undefined ? {} : { assignedTeamId }),
      ...noteOf(name, note),
    }),
    transition:
      (address, name, { state, note }) =>
      async () => {
        const { organisation } = address;
        const { requestType } = await ticketOf(address);
        const workflow = await desks.workflowOf(organisation, requestType);
        return {
          type: 'TransitionTicket',
          authority: authorityOf(organisation),
          to: state,
          ...(workflow ? { workflow } : {}),
          byRequester: address.requester !== null,
          ...noteOf(name, note),
        };
      },
    patch: (address, _, body) => async () => {
      const { organisation } = address;
      const ticket = await ticketOf(address);
      const patch = await patchOf(body, ticket, graph);
      const { buildingId, requestType } = ticket;
      const form =
        body.formData === undefined
          ? {}
          : await formFor(graph, await desks.configurationOf(organisation), {
              organisation,
              buildingId,
              requestType,
              formData: body.formData ?? {},
            });
      return { type: 'EditTicket', authority: authorityOf(organisation), patch, ...form };
    },
    note: ({ organisation }, name, { body, visibility = 'internal', files = [] }) => ({
      type: 'AddNote',
      authority: authorityOf(organisation),
      noteId: noteIdOf(name),
      body,
      visibility,
      ...(files.length === 0 ? {} : { files }),
    }),
    rate: ({ organisation }, _, { score, comment = null }) => ({
      type: 'RateTicket',
      authority: authorityOf(organisation),
      score,
      comment,
    }),
  };

  return {
    ticketOf,
    async act(address, name, kind, body) {
      const { id, organisation, requester, occasion, expectedRevisions } = address;
      // Checked first: a revision conflict for another organisation's ticket would reveal that it
      // exists, and the decider does not know who raised it.
      if (expectedRevisions !== undefined || requester !== null) await ticketOf(address);
      const { commandId, bodyHash } = name;
      const answer = await tickets.give(
        id,
        {
          commandId,
          command: commandsOf[kind](address, name, body),
          organisation,
          ...(bodyHash === undefined ? {} : { bodyHash }),
          ...(expectedRevisions === undefined ? {} : { expectedRevisions }),
        },
        occasion,
      );
      return locates(body) ? follow(answer, occasion, commandId) : answer;
    },
  };
};

/** A repeated command has the same note id. */
export const noteIdOf = ({ commandId }: Pick<CommandId, 'commandId'>): string =>
  uuidFrom('note', commandId);

const noteOf = (name: CommandId, body: string | undefined) =>
  body === undefined ? {} : { note: { noteId: noteIdOf(name), body } };

type Patched = TicketActionBodies['patch'];

/** Whether the action gives the ticket a location. */
const locates = (body: object): boolean =>
  Object.entries(body).some(([member, value]) => LOCATION.includes(member) && value !== null);

const LOCATION: readonly string[] = [
  'storeyId',
  'spaceId',
  'elementId',
] satisfies (keyof Patched)[];

const patchOf = async (
  body: Patched,
  ticket: TicketView,
  graph: Pick<Graph, 'resolveLocation'>,
): Promise<TicketPatch> => {
  const { storeyId, spaceId, elementId, ...fields } = body;
  const after = locationAfter({ storeyId, spaceId, elementId }, ticket);
  if (after === null) return fields;
  if (isRefusal(after)) throw new Refused(after);
  if ('location' in after) return { ...fields, location: after.location };
  const { organisationId, buildingId } = ticket;
  const found = await graph.resolveLocation(organisationId, { buildingId, ...after.requested });
  if (isRefusal(found)) throw new Refused(found);
  const { buildingId: _, ...location } = found;
  return { ...fields, location };
};
