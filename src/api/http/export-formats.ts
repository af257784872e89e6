/** The formats of every export. contract.md sections 3 and 5. */
import { csvHead, csvLine, type Columns } from './csv.ts';
import type { ExportFormat } from './exports.ts';

/** By their media types. */
export type ExportForm = 'application/x-ndjson' | 'text/csv';

/**
 * @param shown Maps a row to its NDJSON object.
 * @param columns For CSV.
 */
export const exportFormats = <Row>(
  shown: (row: Row) => object,
  columns: Columns<Row>,
): Readonly<Record<ExportForm, ExportFormat<Row>>> => ({
  'application/x-ndjson': {
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    head: '',
    line: (row) => `${JSON.stringify(shown(row))}\n`,
  },
  'text/csv': {
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvHead(columns),
    line: csvLine(columns),
  },
});
