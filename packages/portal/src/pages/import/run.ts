/** Runs an import, or its dry run, until there is an answer: retries after a lost connection. */
import { AtriumError } from '../../../../sdk/src/index.ts';
import { backoffMs, pause } from '../../../../sdk/src/retries.ts';
import type { Session } from '../../session/session.ts';
import { ConnectionLost, isUnchanged } from '../../post-body.ts';
import { send, type Answer, type Progress, type Upload } from './send.ts';

/** Attempts without an answer before the user has to retry. */
const ATTEMPTS_MAX = 20;

/** The progress of a run across its attempts. */
export interface RunState {
  readonly progress: Progress;
  /** The progress of the attempt that lost its connection, until there is an answer. */
  readonly lostAt: Progress['at'] | null;
  readonly isWaiting: boolean;
}

export const BEGINNING: RunState = {
  progress: { at: 'uploading', sent: 0, total: 1 },
  lostAt: null,
  isWaiting: false,
};

/**
 * Sends the file, and again under the same key after a lost connection: a completed import is
 * answered, not repeated.
 *
 * @throws as {@link send}; an error with a sentence if the file has changed since it was chosen.
 */
export const runImport = async (
  session: Pick<Session, 'headers' | 'resumed'>,
  upload: Upload & { readonly file: File },
  onState: (state: RunState) => void,
  signal: AbortSignal,
): Promise<Answer> => {
  let { progress, lostAt } = BEGINNING;
  for (let attempt = 1; ; attempt += 1) {
    ({ progress } = BEGINNING);
    onState({ progress, lostAt, isWaiting: false });
    try {
      const onProgress = (next: Progress) => {
        progress = next;
        onState({ progress, lostAt, isWaiting: false });
      };
      return await send(session, upload, onProgress, signal);
    } catch (error) {
      // A restarting server is not ready at once.
      const isStarting = lostAt !== null && AtriumError.is(error) && error.status === 503;
      if (!isStarting && !(error instanceof ConnectionLost)) throw error;
      if (!(await isUnchanged(upload.file))) throw new FileChanged();
      // The furthest progress of all attempts: an earlier one may have completed the import.
      if (lostAt === null || lostAt === 'uploading') lostAt = progress.at;
      if (attempt >= ATTEMPTS_MAX) throw error;
    }
    onState({ progress, lostAt, isWaiting: true });
    await pause(backoffMs(attempt), signal);
  }
};

export class FileChanged extends Error {
  constructor() {
    super('The file was changed or removed after it was chosen. Choose it again.');
    this.name = 'FileChanged';
  }
}
