/** A POST with upload progress, by XMLHttpRequest: `fetch` reports none. */
import type { Session } from './session/session.ts';

/** The answer did not arrive completely, so the outcome of the request is unknown. */
export class ConnectionLost extends Error {
  constructor() {
    super('The connection was lost.');
    this.name = 'ConnectionLost';
  }
}

export interface PostedBody {
  /** The session that authenticates the request. */
  readonly session: Pick<Session, 'headers'>;
  readonly path: string;
  readonly body: XMLHttpRequestBodyInit;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far; finally with `sent` equal to `total`. */
  readonly onSent: (sent: number, total: number) => void;
  /** Called with all text received so far of an answer of 200. */
  readonly onText?: (text: string) => void;
}

export interface Received {
  readonly status: number;
  readonly text: string;
  readonly response: Response;
}

/** @throws {@link ConnectionLost}; the reason of `signal`. */
export const postBody = ({
  session,
  path,
  body,
  headers,
  signal,
  onSent,
  onText,
}: PostedBody): Promise<Received> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    signal.addEventListener('abort', cancel, { once: true });
    const ended = () => signal.removeEventListener('abort', cancel);
    request.open('POST', path);
    for (const [name, value] of Object.entries({ ...session.headers, ...headers }))
      request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total));
    request.upload.addEventListener('load', ({ total }) => onSent(total, total));
    request.addEventListener('progress', () => {
      if (request.status === 200) onText?.(request.responseText);
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
    request.send(body);
  });

/** Whether the file is unchanged since it was chosen: browsers do not send a changed file. */
export const isUnchanged = async (file: File): Promise<boolean> => {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
};
