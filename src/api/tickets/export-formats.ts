/** Tickets as a file: NDJSON, and CSV for spreadsheets. contract.md sections 3 and 5. */
import { publicTicket, type PublicTicket } from '../../domain/tickets/public-ticket.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { preferredForm } from '../http/accept.ts';
import type { Cell, Columns } from '../http/csv.ts';
import { exportFormats, type ExportForm } from '../http/export-formats.ts';
import type { ExportFormat } from '../http/exports.ts';

/** By `Accept`; NDJSON by default. */
export const exportFormatOf = (accept: string | undefined): ExportFormat<TicketView> =>
  formats[preferredForm(accept, (range) => ranges[range] ?? null) ?? 'application/x-ndjson'];

type Flat = Exclude<keyof PublicTicket, 'createdBy' | 'formData' | 'metadata' | 'workOrderIds'>;

/** With the API's member names; nested values are JSON. */
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
  workOrderIds: ({ workOrderIds }) => json(workOrderIds),
  formData: ({ formData }) => json(formData),
  metadata: ({ metadata }) => json(metadata),
};

const json = (value: object): Cell => JSON.stringify(value);

const formats = exportFormats(publicTicket, columns);

const ranges: Readonly<Record<string, ExportForm>> = {
  'application/x-ndjson': 'application/x-ndjson',
  'application/*': 'application/x-ndjson',
  '*/*': 'application/x-ndjson',
  'text/csv': 'text/csv',
  'text/*': 'text/csv',
};
