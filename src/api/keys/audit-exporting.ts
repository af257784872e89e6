/** The audit as a file, read a page at a time as its reader takes it. contract.md section 3. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AUDIT_EXPORT_STOP_MS } from '../../limits.ts';
import type { Clock } from '../../ops/clock.ts';
import type { Places } from '../../ops/places.ts';
import type { AuditQueries, AuditSelection } from '../../projections/keys/audit-queries.ts';
import type { AuditRow } from '../../projections/keys/key-audit.ts';
import { callerIn } from '../auth/authenticate.ts';
import { takePlace } from '../http/places.ts';
import { fileNameOf, type ExportFormat } from './audit-export.ts';

export interface ExportingParts {
  readonly audit: Pick<AuditQueries, 'all'>;
  readonly clock: Clock;
  /** One is held until the file has been read to its end, or its reader has left. */
  readonly exports: Places;
}

/**
 * An export of the caller's records that has begun; it is ended when `app` stops.
 *
 * @throws `NoPlace`.
 */
export type AnswerExport = (
  request: FastifyRequest,
  reply: FastifyReply,
  format: ExportFormat,
  filter: Omit<AuditSelection, 'organisation'>,
) => Promise<Readable>;

export const answerExporting = (
  app: FastifyInstance,
  { audit, clock, exports }: ExportingParts,
): AnswerExport => {
  const open = openExports();
  app.addHook('preClose', async () => open.endSoon());

  /** Begun: what fails in here is answered with a problem. */
  const begun: AnswerExport = async (request, reply, format, filter) => {
    const { organisation, actor } = callerIn(request);
    const selection = { organisation, ...filter };
    const pages = audit.all(selection);
    // What fails now is a problem; what fails later can only be an end that comes too early.
    const { value: first } = await pages.next();
    const its = { by: actor, selection, format: format.extension };
    request.log.info(its, 'an export of the key audit begins');
    const name = fileNameOf(organisation, clock.now(), format.extension);
    void reply
      .type(format.contentType)
      .header('content-disposition', `attachment; filename="${name}"`);
    const lines = linesOf(format, first ?? [], pages, (rows, whole) => {
      request.log.info({ ...its, rows, whole }, 'an export of the key audit has ended');
    });
    return open.opened(Readable.from(lines, { objectMode: false }));
  };

  return async (request, reply, format, filter) => {
    const { release } = await takePlace(exports, request, reply);
    try {
      return (await begun(request, reply, format, filter)).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  };
};

/** Exports that are being read: a server that stops does not wait for a reader who has stopped. */
const openExports = () => {
  const open = new Set<Readable>();
  return {
    opened(stream: Readable): Readable {
      open.add(stream);
      return stream.once('close', () => open.delete(stream));
    },
    /** Ends what is still open after {@link AUDIT_EXPORT_STOP_MS}; resolves at once. */
    endSoon(): void {
      const end = () => {
        for (const stream of open) stream.destroy(new Error('the server is stopping'));
      };
      setTimeout(end, AUDIT_EXPORT_STOP_MS).unref();
    },
  };
};

/**
 * The file, a page at a time, each when the one before has been taken.
 *
 * @param ended Hears how many records went out, also where the reader has left or a page failed.
 */
async function* linesOf(
  { head, line }: ExportFormat,
  first: readonly AuditRow[],
  pages: AsyncIterable<readonly AuditRow[]>,
  ended: (rows: number, whole: boolean) => void,
): AsyncGenerator<string, void, undefined> {
  let rows = 0;
  let whole = false;
  try {
    yield head + first.map(line).join('');
    rows += first.length;
    for await (const page of pages) {
      yield page.map(line).join('');
      rows += page.length;
    }
    whole = true;
  } finally {
    ended(rows, whole);
  }
}
