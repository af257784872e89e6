/** The audit as a file, read page by page at its reader's pace. contract.md section 3. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditQueries, AuditSelection } from '../../projections/keys/audit-queries.ts';
import type { AuditRow } from '../../projections/keys/key-audit.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { exporting, type ExportFormat, type ExportingParts } from '../http/exports.ts';

export interface AuditExportingParts extends ExportingParts {
  readonly audit: Pick<AuditQueries, 'all'>;
}

/**
 * A started export of the caller's records; it is ended when `app` stops.
 *
 * @throws `NoPermit`.
 */
export type AnswerExport = (
  request: FastifyRequest,
  reply: FastifyReply,
  format: ExportFormat<AuditRow>,
  filter: Omit<AuditSelection, 'organisation'>,
) => Promise<Readable>;

export const answerExporting = (
  app: FastifyInstance,
  { audit, ...parts }: AuditExportingParts,
): AnswerExport => {
  const answer = exporting(app, parts);
  return (request, reply, format, filter) =>
    answer(request, reply, () => {
      const selection = { organisation: callerIn(request).organisation, ...filter };
      return {
        title: 'export of the key audit',
        name: 'key-audit',
        format,
        pages: audit.all(selection),
        selection,
      };
    });
};
