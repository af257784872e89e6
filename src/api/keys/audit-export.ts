/** The audit as a file: NDJSON and CSV, streamed. contract.md section 3. */
import type { AuditRow } from '../../projections/keys/key-audit.ts';
import { preferredForm } from '../http/accept.ts';
import type { Columns } from '../http/csv.ts';
import { exportFormats, type ExportForm } from '../http/export-formats.ts';
import type { ExportFormat } from '../http/exports.ts';
import { auditItemOf } from './audit-schemas.ts';

/** The media types of the list in `Accept`. JSON is not an export. */
type Form = 'application/json' | ExportForm;

/**
 * The requested form: of several equally preferred ones, the first in the header; JSON for a header
 * that names none of them, as everywhere.
 */
export const exportFormatOf = (accept: string | undefined): ExportFormat<AuditRow> | null => {
  const form = preferredForm(accept, formOf);
  return form === null || form === 'application/json' ? null : formats[form];
};

const columns: Columns<AuditRow> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  keyId: ({ keyId }) => keyId,
  label: ({ label }) => label,
  scope: ({ scope }) => scope,
  expiresAt: ({ expiresAt }) => expiresAt,
  actorKind: ({ actor }) => actor?.kind ?? null,
  actorId: ({ actor }) => actor?.id ?? null,
  actorName: ({ actor }) => actor?.name ?? null,
  route: ({ route }) => route,
  sourceIp: ({ sourceIp }) => sourceIp,
  userAgent: ({ userAgent }) => userAgent,
  count: ({ count }) => count,
  firstAt: ({ firstAt }) => firstAt,
  lastAt: ({ lastAt }) => lastAt,
};

const formats = exportFormats(auditItemOf, columns);

const formOf = (name: string): Form | null => {
  if (name === 'text/csv' || name === 'application/x-ndjson') return name;
  return ['application/json', 'application/*', '*/*'].includes(name) ? 'application/json' : null;
};
