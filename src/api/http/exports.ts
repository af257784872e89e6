/**
 * Streamed file answers: a page is read when the reader has consumed the one before. contract.md
 * section 1.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EXPORT_PIECE_CHARACTERS, EXPORT_STOP_MS } from './limits.ts';
import { SLICE_MAX_MS } from '../../engine/limits.ts';
import { EXPORT_UNREAD_MAX_MS } from '../../limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { callerIn, loggedCallerOf } from '../sessions/authenticate.ts';
import { acquirePermit } from './permits.ts';

export interface ExportFormat<Row> {
  readonly contentType: string;
  readonly extension: string;
  /** Text before the first row. */
  readonly head: string;
  readonly line: (row: Row) => string;
}

export interface Export<Row> {
  /** For the log: `export of the key audit`. */
  readonly title: string;
  /** Prefix of the file name: `key-audit`. */
  readonly name: string;
  readonly format: ExportFormat<Row>;
  readonly pages: AsyncGenerator<readonly Row[], void, undefined>;
  /** Logged with it. */
  readonly selection: object;
}

export interface ExportingParts {
  readonly clock: Clock;
  /** A permit is held until the file has been read to its end, or its reader has left. */
  readonly exports: FairSemaphore;
}

/**
 * A started export. It ends when its reader reads nothing for {@link EXPORT_UNREAD_MAX_MS}, and
 * when `app` stops.
 *
 * @throws `NoPermit`, and errors of the first page: a later failure ends the response early.
 */
export type AnswerWithExport = <Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  exportOf: () => Export<Row>,
) => Promise<Readable>;

export const exporting = (
  app: FastifyInstance,
  { clock, exports }: ExportingParts,
): AnswerWithExport => {
  const open = openExports();
  app.addHook('preClose', async () => open.endSoon());

  const begun = async <Row>(
    request: FastifyRequest,
    reply: FastifyReply,
    { title, name, format, pages, selection }: Export<Row>,
  ): Promise<Readable> => {
    const { organisation } = callerIn(request);
    const file = `${name}-${fileNameOf(organisation)}-${stampOf(clock)}.${format.extension}`;
    const isHead = request.method === 'HEAD';
    // A HEAD needs the headers only, so nothing is read from the database.
    const { value: first } = isHead ? { value: [] } : await pages.next();
    // After the first page, because a problem is no file.
    void reply
      .type(format.contentType)
      .header('content-disposition', `attachment; filename="${file}"`);
    if (isHead) return Readable.from([]);
    const attributes = { by: loggedCallerOf(request), selection, format: format.extension };
    request.log.info(attributes, `an ${title} begins`);
    const pieces = watched(piecesOf(format, first ?? [], pages), {
      ended: (rows, whole) =>
        request.log.info({ ...attributes, rows, whole }, `an ${title} has ended`),
      unread: () =>
        stream.destroy(new Error('the client has read nothing of the export for too long')),
    });
    const stream = open.opened(Readable.from(pieces, { objectMode: false }));
    return stream;
  };

  return async (request, reply, exportOf) => {
    const { release } = await acquirePermit(exports, request, reply);
    try {
      return (await begun(request, reply, exportOf())).once('close', release);
    } catch (error) {
      release();
      throw error;
    }
  };
};

const fileNameOf = (organisation: string | null): string =>
  (organisation ?? 'nobody').replaceAll(/[^\w-]/g, '_');

/** `20260301T090000Z` */
const stampOf = (clock: Clock): string => clock.now().replaceAll(/[-:]|\.\d+/g, '');

/** The open exports: a stopping server does not wait for a reader who has stalled. */
const openExports = () => {
  const open = new Set<Readable>();
  return {
    opened(stream: Readable): Readable {
      open.add(stream);
      return stream.once('close', () => open.delete(stream));
    },
    /** Ends the remaining ones after {@link EXPORT_STOP_MS}; returns at once. */
    endSoon(): void {
      const end = () => {
        for (const stream of open) stream.destroy(new Error('the server is stopping'));
      };
      setTimeout(end, EXPORT_STOP_MS).unref();
    },
  };
};

/** A part of the file that is written at once. */
interface Piece {
  readonly text: string;
  readonly rows: number;
}

/**
 * Yields between pieces, because rows may be long. Each page has at least one piece: only a request
 * for the next piece shows that the reader has left.
 */
async function* piecesOf<Row>(
  { head, line }: ExportFormat<Row>,
  first: readonly Row[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Piece, void, undefined> {
  if (head !== '') yield { text: head, rows: 0 };
  yield* inPieces(first, line);
  for await (const page of pages) yield* inPieces(page, line);
}

async function* inPieces<Row>(
  page: readonly Row[],
  line: (row: Row) => string,
): AsyncGenerator<Piece, void, undefined> {
  let text = '';
  let rows = 0;
  let since = performance.now();
  for (const row of page) {
    text += line(row);
    rows += 1;
    const isFull = text.length >= EXPORT_PIECE_CHARACTERS;
    if (!isFull && performance.now() - since < SLICE_MAX_MS) continue;
    yield { text, rows };
    await nextTurn();
    [text, rows, since] = ['', 0, performance.now()];
  }
  yield { text, rows };
}

interface Watch {
  /** Reports the written rows, also after an early end. */
  readonly ended: (rows: number, whole: boolean) => void;
  /** The last piece was not read for {@link EXPORT_UNREAD_MAX_MS}. */
  readonly unread: () => void;
}

async function* watched(
  pieces: AsyncIterable<Piece>,
  { ended, unread }: Watch,
): AsyncGenerator<string, void, undefined> {
  let sent = 0;
  let whole = false;
  let watch: NodeJS.Timeout | undefined;
  try {
    for await (const { text, rows } of pieces) {
      watch = setTimeout(unread, EXPORT_UNREAD_MAX_MS).unref();
      yield text;
      clearTimeout(watch);
      sent += rows;
    }
    whole = true;
  } finally {
    clearTimeout(watch);
    ended(sent, whole);
  }
}
