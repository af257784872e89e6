import { isSystemError, OperatorError } from '../operator-error.ts';

/** Why a backup was not made, verified or restored; the first word of the message. */
export type BackupRefusal =
  /** `BACKUP_URL` or a recipient is not set. */
  | 'NOT_CONFIGURED'
  /** The directory or bucket cannot be used. */
  | 'PLACE_UNAVAILABLE'
  /** The store of attachments cannot be used. */
  | 'FILES_UNAVAILABLE'
  /** Another process makes a backup of this database. */
  | 'RUNNING'
  /** The place has backups of another installation, or of a copy of this one. */
  | 'OTHER_INSTALLATION'
  /** The backup does not exist, or has expired while it was read. */
  | 'NOT_FOUND'
  /** The identity opens no part of the backup. */
  | 'WRONG_IDENTITY'
  /** A part is missing or corrupt. */
  | 'DAMAGED'
  /** The backup was made by a newer release. */
  | 'NEWER_RELEASE'
  /** The log of the backup is of another kind than the configured one. */
  | 'OTHER_LOG'
  /** The destination is not empty. */
  | 'NOT_EMPTY'
  /** The temporary directory is too small for the log. */
  | 'NO_SPACE'
  /** The backup does not reach the requested moment. */
  | 'NOT_COVERED';

export class BackupRefused extends OperatorError {
  override readonly code: BackupRefusal;

  constructor(code: BackupRefusal, why: string, cause?: unknown) {
    super(`${code}: ${why}`, cause);
    this.name = 'BackupRefused';
    this.code = code;
  }
}

/** Codes of the operating system for a file whose bytes a disk has lost. */
const LOST_BYTES: ReadonlySet<string | undefined> = new Set(['EIO', 'EBADMSG', 'EUCLEAN']);

/** Whether a single file cannot be read; others of the same store may be sound. */
export const isUnreadable = (error: unknown): boolean =>
  isSystemError(error) && LOST_BYTES.has(error.code);

/** Called for a damaged file, which is left out. */
export type OnDamaged = (error: BackupRefused) => void;

/** Passes `DAMAGED` to `onDamaged`. @throws Any other error. */
export const leaveOut = (error: unknown, onDamaged: OnDamaged): void => {
  if (!(error instanceof BackupRefused) || error.code !== 'DAMAGED') throw error;
  onDamaged(error);
};
