/**
 * Sends a file to an import route and follows what the server says of it. By XMLHttpRequest:
 * `fetch` does not say how much of a body has been sent.
 */
import { errorOf } from '../../../../sdk/src/problems.ts';
import type { Schemas } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';

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

/** How far it is: as much as is known here. */
export type Progress =
  | { readonly at: 'uploading'; readonly sent: number; readonly total: number }
  /** All is sent; the server has not said yet that all has arrived. */
  | { readonly at: 'sent' }
  | { readonly at: Exclude<Line, Answer | ProblemLine>['phase']; readonly nodes?: number };

type ProblemLine = Extract<Line, { readonly problem: unknown }>;

/** No whole answer arrived: whether it was imported is not known. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was lost.');
    this.name = 'ConnectionLost';
  }
}

/**
 * Resolves with the last line. Waits while the person signs in again.
 *
 * @throws AtriumError what the server refuses; {@link ConnectionLost}; the reason of `signal`.
 */
export const send = async (
  session: Pick<Session, 'resumed'>,
  upload: Upload,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Answer> => {
  const { status, text, response } = await sendOnce(upload, onProgress, signal);
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

/** As though it had come with its status. */
const errorOfLine = ({ problem }: ProblemLine) =>
  errorOf(new Response(JSON.stringify(problem), { status: Number(problem['status']) }));

interface Received {
  readonly status: number;
  readonly text: string;
  readonly response: Response;
}

const sendOnce = (
  { path, file, type, key }: Upload,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    signal.addEventListener('abort', cancel, { once: true });
    const ended = () => signal.removeEventListener('abort', cancel);
    request.open('POST', path);
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/x-ndjson');
    request.setRequestHeader('idempotency-key', key);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress({ at: 'uploading', sent: loaded, total }),
    );
    request.upload.addEventListener('load', () => onProgress({ at: 'sent' }));
    let told = 0;
    request.addEventListener('progress', () => {
      const lines = request.status === 200 ? linesOf(request.responseText) : [];
      for (const line of lines.slice(told)) {
        if ('phase' in line) onProgress({ at: line.phase, ...nodesIn(line) });
      }
      told = lines.length;
    });
    request.addEventListener('load', () => {
      ended();
      const { status, responseText: text } = request;
      const headers = { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' };
      resolve({ status, text, response: new Response(text, { status, headers }) });
    });
    request.addEventListener('error', () => {
      ended();
      reject(new ConnectionLost());
    });
    request.addEventListener('abort', () => {
      ended();
      reject(signal.reason as Error);
    });
    request.send(file);
  });

const nodesIn = ({ nodes }: { readonly nodes?: number | undefined }) =>
  nodes === undefined ? {} : { nodes };

/** Those that have come whole. */
const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
