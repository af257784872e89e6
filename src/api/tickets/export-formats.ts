/** Tickets as a file: NDJSON, and CSV for spreadsheets. contract.md sections 3 and 5. */
import { FIELD_FILTER } from '../../domain/service-desk/field-filters.ts';
import type { WithRequestTypes } from '../../domain/service-desk/request-types.ts';
import type { JsonObject } from '../../domain/tickets/free-form.ts';
import { publicTicket, type PublicTicket } from '../../domain/tickets/public-ticket.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { preferredForm } from '../http/accept.ts';
import type { Cell, Columns } from '../http/csv.ts';
import { exportFormats, type ExportForm } from '../http/export-formats.ts';
import type { ExportFormat } from '../http/exports.ts';
import { attachmentMembers, type TicketWithFiles } from './exported-attachments.ts';
import { EXPORT_FIELDS_MAX } from './limits.ts';

/**
 * By `Accept`; NDJSON by default. CSV has a column for each field of the forms, `field.<key>`.
 *
 * @param configurationOf Called for CSV only.
 */
export const exportFormatOf = async (
  accept: string | undefined,
  configurationOf: () => Promise<WithRequestTypes>,
): Promise<ExportFormat<TicketWithFiles>> => {
  const form = preferredForm(accept, (range) => ranges[range] ?? null) ?? 'application/x-ndjson';
  const answers = form === 'text/csv' ? answerColumns(await configurationOf()) : {};
  return exportFormats(lineOf, ofView({ ...columns, ...answers }))[form];
};

type Flat = Exclude<
  keyof PublicTicket,
  'createdBy' | 'formData' | 'metadata' | 'workOrderIds' | 'rating'
>;

/** The columns, by the API's member names; nested values are JSON. */
const flat = {
  id: true,
  number: true,
  organisationId: true,
  buildingId: true,
  storeyId: true,
  spaceId: true,
  elementId: true,
  requestType: true,
  subject: true,
  description: true,
  priority: true,
  category: true,
  channel: true,
  reporterName: true,
  reporterEmail: true,
  reporterPhone: true,
  reporterErased: true,
  state: true,
  assignedUserId: true,
  assignedTeamId: true,
  slaFirstResponseDueAt: true,
  slaResolutionDueAt: true,
  slaFirstResponseBreached: true,
  slaResolutionBreached: true,
  slaPausedAt: true,
  firstRespondedAt: true,
  resolvedAt: true,
  closedAt: true,
  workOrderId: true,
  faultId: true,
  createdAt: true,
  updatedAt: true,
  revision: true,
} as const satisfies Readonly<Record<Flat, true>>;

const columns: Columns<TicketView> = {
  ...Object.fromEntries(
    (Object.keys(flat) as Flat[]).map((member) => [member, (view: TicketView) => view[member]]),
  ),
  createdByKind: ({ createdBy }) => createdBy.kind,
  createdById: ({ createdBy }) => createdBy.id,
  createdByName: ({ createdBy }) => createdBy.name ?? null,
  ratingScore: ({ rating }) => rating?.score ?? null,
  ratingComment: ({ rating }) => rating?.comment ?? null,
  workOrderIds: ({ workOrderIds }) => json(workOrderIds),
  formData: ({ formData }) => json(formData),
  metadata: ({ metadata }) => json(metadata),
};

/** Each key once, in the order of the forms; `formData` has answers without a column. */
const answerColumns = ({ requestTypes = [] }: WithRequestTypes): Columns<TicketView> => {
  const keys = new Set(requestTypes.flatMap(({ fields }) => fields.map(({ key }) => key)));
  return Object.fromEntries(
    [...keys]
      .slice(0, EXPORT_FIELDS_MAX)
      .map((key) => [`${FIELD_FILTER}${key}`, ({ formData }) => answerCell(formData, key)]),
  );
};

const answerCell = (formData: JsonObject, key: string): Cell => {
  const answer = Object.hasOwn(formData, key) ? formData[key]! : null;
  if (answer === null || typeof answer !== 'object') return answer;
  const isList = Array.isArray(answer) && answer.every((value) => typeof value === 'string');
  return isList ? answer.join(',') : json(answer);
};

const json = (value: object): Cell => JSON.stringify(value);

const lineOf = (ticket: TicketWithFiles) => ({
  ...publicTicket(ticket.view),
  ...attachmentMembers(ticket),
});

const ofView = (all: Columns<TicketView>): Columns<TicketWithFiles> =>
  Object.fromEntries(
    Object.entries(all).map(([name, cell]) => [name, ({ view }: TicketWithFiles) => cell(view)]),
  );

const ranges: Readonly<Record<string, ExportForm>> = {
  'application/x-ndjson': 'application/x-ndjson',
  'application/*': 'application/x-ndjson',
  '*/*': 'application/x-ndjson',
  'text/csv': 'text/csv',
  'text/*': 'text/csv',
};
