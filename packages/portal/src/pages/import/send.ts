/** Sends a file to an import route and follows the progress that the server reports. */
import { errorOf } from '../../../../sdk/src/problems.ts';
import type { Schemas } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import { ConnectionLost, postBody, type Received } from '../../post-body.ts';

type Line = Schemas['BuildingImportLine'];

/** The last line of an import, or of a dry run. */
export type Answer = Extract<Line, { readonly result: unknown }>;

export interface Upload {
  readonly path: string;
  readonly file: Blob;
  /** The media type of the file. */
  readonly type: string;
  /** `Idempotency-Key`. */
  readonly key: string;
}

/** The progress, as far as this browser knows it. */
export type Progress =
  | { readonly at: 'uploading'; readonly sent: number; readonly total: number }
  /** Sent completely; the server has not confirmed yet that all has arrived. */
  | { readonly at: 'sent' }
  | { readonly at: Exclude<Line, Answer | ProblemLine>['phase']; readonly nodes?: number };

type ProblemLine = Extract<Line, { readonly problem: unknown }>;

/**
 * Resolves with the last line. Waits while the person signs in again.
 *
 * @throws AtriumError if the server refuses; {@link ConnectionLost}; the reason of `signal`.
 */
export const send = async (
  session: Pick<Session, 'headers' | 'resumed'>,
  upload: Upload,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Answer> => {
  const { status, text, response } = await sendOnce(session, upload, onProgress, signal);
  if (status === 401) {
    await session.resumed();
    return send(session, upload, onProgress, signal);
  }
  if (status !== 200) throw await errorOf(response);
  const last = linesOf(text).at(-1);
  if (last !== undefined && 'problem' in last) throw await errorOfLine(last);
  if (last === undefined || !('result' in last)) throw new ConnectionLost();
  return last;
};

/** The problem of a line as the error of a response with its status. */
const errorOfLine = ({ problem }: ProblemLine) =>
  errorOf(new Response(JSON.stringify(problem), { status: Number(problem['status']) }));

const sendOnce = (
  session: Pick<Session, 'headers'>,
  { path, file, type, key }: Upload,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Received> => {
  let reported = 0;
  return postBody({
    session,
    path,
    body: file,
    headers: { 'content-type': type, accept: 'application/x-ndjson', 'idempotency-key': key },
    signal,
    onSent: (sent, total) =>
      onProgress(sent === total ? { at: 'sent' } : { at: 'uploading', sent, total }),
    onText(text) {
      const lines = linesOf(text);
      for (const line of lines.slice(reported))
        if ('phase' in line) onProgress({ at: line.phase, ...nodesIn(line) });
      reported = lines.length;
    },
  });
};

const nodesIn = ({ nodes }: { readonly nodes?: number | undefined }) =>
  nodes === undefined ? {} : { nodes };

/** The lines that have arrived completely. */
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
