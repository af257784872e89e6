/** Tools of the service desk. */
import { z } from 'zod';
import type { components } from '../../../sdk/src/openapi.ts';
import { beginningOf } from './answers.ts';
import { ITEMS_PAGE_DEFAULT, ITEMS_PAGE_MAX, STRUCTURE_CHARACTERS_MAX } from './limits.ts';
import { TICKET_STATES } from './ticket-states.ts';
import { commandHeader, idempotencyKey, tool, type Tool } from './tool.ts';

type Ticket = components['schemas']['Ticket'];

const state = z.enum(TICKET_STATES);
const priority = z.enum(['low', 'medium', 'high', 'critical']);
const ticketId = z.uuid().describe('`id` of a ticket, from search_tickets.');
const limit = z.int().min(1).max(ITEMS_PAGE_MAX).default(ITEMS_PAGE_DEFAULT);
const text = (charactersMax: number) => z.string().min(1).max(charactersMax);

const searchTickets = tool({
  name: 'search_tickets',
  title: 'Search tickets',
  description:
    'Tickets of the service desk that match all given filters, newest first. Also finds ' +
    'a ticket by its number, such as SR-000042.',
  effect: 'reads',
  showsTexts: true,
  input: {
    search: text(200).exactOptional().describe('Words in number, subject, description or place.'),
    number: z
      .string()
      .regex(/^SR-\d{1,12}$/i)
      .exactOptional(),
    state: z.array(state).min(1).max(TICKET_STATES.length).exactOptional().describe('Any of them.'),
    priority: z.array(priority).min(1).max(4).exactOptional().describe('Any of them.'),
    buildingId: z.uuid().exactOptional(),
    spaceId: z.uuid().exactOptional(),
    assignedUserId: text(200).exactOptional(),
    overdue: z.boolean().exactOptional(),
    page: z.int().min(1).max(10_000).default(1),
    limit,
  },
  async run(query, { platform }, signal) {
    const { data } = await platform.GET('/api/service-desk/requests', {
      params: { query },
      signal,
    });
    const { items, page, total, totalCapped } = data;
    return { items: items.map(listed), page, total, ...(totalCapped && { totalCapped }) };
  },
});

const getTicket = tool({
  name: 'get_ticket',
  title: 'Read a ticket',
  description: 'One ticket with its first timeline entries and the states it can move to.',
  effect: 'reads',
  showsTexts: true,
  input: {
    ticketId,
    entriesAfter: text(200).exactOptional().describe('`nextEntries` of the previous result.'),
    limit: limit.describe('Entries of the timeline.'),
  },
  async run({ ticketId: id, entriesAfter: after, limit: entries }, { platform }, signal) {
    const path = { id };
    const { data: ticket } = await platform.GET('/api/service-desk/requests/{id}', {
      params: { path },
      signal,
    });
    const { data: timeline } = await platform.GET('/api/service-desk/requests/{id}/updates', {
      params: { path, query: { limit: entries, ...(after === undefined ? {} : { after }) } },
      signal,
    });
    const { data: next } = await platform.GET('/api/service-desk/requests/{id}/transitions', {
      params: { path },
      signal,
    });
    return {
      ticket: shown(ticket),
      mayGoTo: next.allowed,
      timeline: timeline.items,
      nextEntries: timeline.nextCursor,
    };
  },
});

const raiseTicket = tool({
  name: 'raise_ticket',
  title: 'Raise a ticket',
  description: 'Creates a ticket in a building, optionally at a place.',
  effect: 'adds',
  showsTexts: true,
  input: {
    buildingId: z.uuid(),
    description: text(20_000),
    subject: text(300).exactOptional(),
    priority: priority.exactOptional(),
    category: text(200).exactOptional(),
    requestType: text(100).exactOptional().describe('A slug; default `general`.'),
    spaceId: z.uuid().exactOptional(),
    storeyId: z.uuid().exactOptional(),
    elementId: z.uuid().exactOptional(),
    idempotencyKey,
  },
  async run({ idempotencyKey: key, ...body }, { platform }, signal) {
    const { data } = await platform.POST('/api/service-desk/requests', {
      params: commandHeader(key),
      body,
      signal,
    });
    return { ticket: listed(data) };
  },
});

const addNote = tool({
  name: 'add_note',
  title: 'Add a note to a ticket',
  description: 'Internal notes are read by staff, public ones by the requester too.',
  effect: 'adds',
  input: {
    ticketId,
    body: text(20_000),
    visibility: z
      .enum(['internal', 'public'])
      .exactOptional()
      .describe('Default: internal; for requesters, public.'),
    idempotencyKey,
  },
  async run({ ticketId: id, idempotencyKey: key, ...body }, { platform }, signal) {
    const { data } = await platform.POST('/api/service-desk/requests/{id}/updates', {
      params: { path: { id }, ...commandHeader(key) },
      body,
      signal,
    });
    const { id: noteId, visibility, createdAt } = data;
    return { noteId, visibility, createdAt };
  },
});

const transitionTicket = tool({
  name: 'transition_ticket',
  title: 'Move a ticket to another state',
  description: 'The allowed states are `mayGoTo` of get_ticket.',
  effect: 'changes',
  showsTexts: true,
  input: {
    ticketId,
    state,
    note: text(20_000).exactOptional().describe('An internal note, added with the change.'),
    idempotencyKey,
  },
  async run({ ticketId: id, idempotencyKey: key, ...body }, { platform }, signal) {
    const { data } = await platform.POST('/api/service-desk/requests/{id}/transition', {
      params: { path: { id }, ...commandHeader(key) },
      body,
      signal,
    });
    return { ticket: listed(data) };
  },
});

const listed = ({ id, number, subject, description, ...ticket }: Ticket) => ({
  id,
  number,
  subject: subject ?? beginningOf(description, 300),
  state: ticket.state,
  priority: ticket.priority,
  category: ticket.category,
  requestType: ticket.requestType,
  buildingId: ticket.buildingId,
  storeyId: ticket.storeyId,
  spaceId: ticket.spaceId,
  elementId: ticket.elementId,
  assignedUserId: ticket.assignedUserId,
  assignedTeamId: ticket.assignedTeamId,
  slaResolutionDueAt: ticket.slaResolutionDueAt,
  slaResolutionBreached: ticket.slaResolutionBreached,
  createdAt: ticket.createdAt,
  createdBy: ticket.createdBy,
  updatedAt: ticket.updatedAt,
});

const shown = ({ formData, metadata, ...ticket }: Ticket) => ({
  ...ticket,
  formData: small(formData),
  metadata: small(metadata),
});

/** A structure without bounds of its own; `null` and its size where it is large. */
const small = (structure: object) => {
  const { length } = JSON.stringify(structure);
  return length <= STRUCTURE_CHARACTERS_MAX ? structure : { leftOut: `${length} characters` };
};

export const ticketTools: readonly Tool[] = [
  searchTickets,
  getTicket,
  raiseTicket,
  addNote,
  transitionTicket,
];
