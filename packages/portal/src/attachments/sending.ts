/** Uploads files to a ticket: alone, or with a note. contract.md section 5. */
import { AtriumError } from '../../../sdk/src/index.ts';
import { errorOf } from '../../../sdk/src/problems.ts';
import { backoffMs, pause } from '../../../sdk/src/retries.ts';
import { ConnectionLost, isUnchanged, postBody } from '../post-body.ts';
import type { Schemas } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import { attachmentsPath, type Attachment } from './files.ts';

export type Readers = Attachment['visibility'];

/** Attempts without an answer before the user has to retry. */
const ATTEMPTS_MAX = 20;

export interface Sending {
  /** `Idempotency-Key`: retries under it are recorded once. */
  readonly key: string;
  /** @param sent From 0 to 1; `null`: the server does not answer, and a retry follows soon. */
  readonly onProgress: (sent: number | null) => void;
  readonly signal: AbortSignal;
}

/** @throws AtriumError if the server refuses; `ConnectionLost`; the reason of the signal. */
export const sendFile = (
  session: Pick<Session, 'headers' | 'resumed'>,
  ticketId: string,
  { file, readers }: { readonly file: File; readonly readers: Readers },
  sending: Sending,
): Promise<Attachment> => {
  const fields = { visibility: readers };
  return sendForm(session, attachmentsPath(ticketId), { fields, files: [file] }, sending);
};

export interface NewNote {
  readonly body: string;
  readonly visibility: Readers;
}

/** @throws as {@link sendFile}. */
export const sendNote = (
  session: Pick<Session, 'headers' | 'resumed'>,
  ticketId: string,
  { body, visibility, files }: NewNote & { readonly files: readonly File[] },
  sending: Sending,
): Promise<Schemas['AddedNote']> => {
  const path = `/api/service-desk/requests/${ticketId}/updates`;
  return sendForm(session, path, { fields: { body, visibility }, files }, sending);
};

interface Content {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly File[];
}

/** Retries under the same key while the connection is lost or the server is restarting. */
const sendForm = async <Answer>(
  session: Pick<Session, 'headers' | 'resumed'>,
  path: string,
  { fields, files }: Content,
  { key, onProgress, signal }: Sending,
): Promise<Answer> => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const file of files) body.append('file', file);
  for (let attempt = 1; ; attempt += 1) {
    onProgress(0);
    try {
      const { status, text, response } = await postBody({
        session,
        path,
        body,
        headers: { 'idempotency-key': key },
        signal,
        onSent: (sent, total) => onProgress(sent / total),
      });
      if (status === 401) {
        await session.resumed();
        continue;
      }
      if (status !== 201) throw await errorOf(response);
      return JSON.parse(text) as Answer;
    } catch (error) {
      if (!mayPass(error)) throw error;
      for (const file of files) if (!(await isUnchanged(file))) throw new FileChanged(file.name);
      if (attempt >= ATTEMPTS_MAX) throw error;
    }
    onProgress(null);
    await pause(backoffMs(attempt), signal);
  }
};

const mayPass = (error: unknown): boolean =>
  error instanceof ConnectionLost || (AtriumError.is(error) && error.status === 503);

/** Browsers do not send a file that has changed since it was chosen. */
export class FileChanged extends Error {
  constructor(name: string) {
    super(`${name} was changed or removed after it was chosen. Choose it again.`);
    this.name = 'FileChanged';
  }
}
