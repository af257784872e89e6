/** The audit as a file: NDJSON and CSV, written as it is read. contract.md section 3. */
import type { Instant } from '../../domain/decider.ts';
import type { AuditRow } from '../../projections/keys/key-audit.ts';
import { auditItemOf } from './audit-schemas.ts';

export interface ExportFormat {
  readonly contentType: string;
  readonly extension: string;
  /** What stands before the first record. */
  readonly head: string;
  readonly line: (row: AuditRow) => string;
}

/** The media types of the list, as `Accept` asks for them. JSON is no export. */
type Form = 'application/json' | keyof typeof formats;

/**
 * Which form is asked for. Where several are equally welcome, the first one named; a header that
 * names none of them gets JSON, as every route gives it.
 */
export const exportFormatOf = (accept: string | undefined): ExportFormat | null => {
  let best: { readonly form: Form; readonly quality: number } | null = null;
  for (const range of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const form = formOf(name);
    const quality = qualityOf(parameters);
    if (form && quality > 0 && quality > (best?.quality ?? 0)) best = { form, quality };
  }
  return best === null || best.form === 'application/json' ? null : formats[best.form];
};

/** `key-audit-acme-20260301T090000Z.csv` */
export const fileNameOf = (organisation: string | null, at: Instant, extension: string): string => {
  const whose = (organisation ?? 'nobody').replaceAll(/[^\w-]/g, '_');
  const when = at.replaceAll(/[-:]|\.\d+/g, '');
  return `key-audit-${whose}-${when}.${extension}`;
};

const ndjson = (row: AuditRow): string => `${JSON.stringify(auditItemOf(row))}\n`;

const columns: Readonly<Record<string, (row: AuditRow) => string | number | null>> = {
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

/** RFC 4180, section 2: lines end in CRLF, the last one too. */
const csv = (row: AuditRow): string =>
  `${Object.values(columns)
    .map((column) => cell(column(row)))
    .join(',')}\r\n`;

/**
 * A spreadsheet must not take a label or a user agent for a formula, nor split a text where it
 * takes another character than the comma for the end of a cell.
 */
const cell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const guarded = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${guarded.replaceAll('"', '""')}"`;
};

const formats = {
  'application/x-ndjson': {
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    head: '',
    line: ndjson,
  },
  'text/csv': {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: `${Object.keys(columns).join(',')}\r\n`,
    line: csv,
  },
} as const satisfies Readonly<Record<string, ExportFormat>>;

const formOf = (name: string): Form | null => {
  if (name === 'text/csv' || name === 'application/x-ndjson') return name;
  return ['application/json', 'application/*', '*/*'].includes(name) ? 'application/json' : null;
};

const qualityOf = (parameters: readonly string[]): number => {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return Number.isFinite(quality) ? quality : 0;
};
