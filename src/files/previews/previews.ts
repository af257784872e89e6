/**
 * Previews of stored pictures. Each is drawn when it is first requested, and kept in a row beside
 * the references of its file: it goes with the last of them. docs/decisions/0109.
 */
import type { Pool } from 'pg';
import type { Logger } from '../../engine/observe/logging.ts';
import type { FileName, FileStore } from '../file-store.ts';
import { PREVIEW_ATTEMPTS_MAX } from '../limits.ts';
import { alone } from '../references.ts';
import { draw as drawInProcess, type Draw, type Drawing } from './draw.ts';

export interface Previews {
  /** The stored preview; `undefined`: not drawn yet, `null`: there is none, for good. */
  kept(file: FileName): Promise<Buffer | null | undefined>;
  /**
   * Draws and keeps it. One that is kept meanwhile is not drawn again. A failure is retried when it
   * is next requested, at most {@link PREVIEW_ATTEMPTS_MAX} times.
   *
   * @param signal Ends the drawing: rejects with its reason.
   * @returns `null`: there is none, or none this time.
   * @throws `FileMissing`, `NoDecoder`.
   */
  make(file: FileName, signal: AbortSignal): Promise<Buffer | null>;
  /** Those of the files that have no preview, for good. */
  without(organisation: string, sha256s: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PreviewParts {
  readonly pool: Pool;
  readonly files: Pick<FileStore, 'open'>;
  readonly logger: Logger;
  /** Default: in a process of its own. */
  readonly draw?: Draw;
}

export const previewsOf = ({
  pool,
  files,
  logger,
  draw = drawInProcess,
}: PreviewParts): Previews => {
  const kept: Previews['kept'] = async ({ organisation, sha256 }) => {
    const { rows } = await pool.query<{ picture: Buffer | null; attempts: number }>(
      'select picture, attempts from files.preview where organisation = $1 and sha256 = $2',
      [organisation, sha256],
    );
    const [row] = rows;
    if (!row) return undefined;
    return row.picture ?? (row.attempts >= PREVIEW_ATTEMPTS_MAX ? null : undefined);
  };

  /** Stores a preview only while an attachment needs the file. */
  const keep = (file: FileName, picture: Buffer | null, attempts: number) =>
    alone(pool, file, async (client) => {
      await client.query(
        `insert into files.preview as held (organisation, sha256, picture, attempts)
         select $1, $2, $3, $4
         where exists (select from files.reference where organisation = $1 and sha256 = $2)
         on conflict (organisation, sha256) do update
           set picture = coalesce(held.picture, excluded.picture),
               attempts = held.attempts + excluded.attempts`,
        [file.organisation, file.sha256, picture, attempts],
      );
    });

  return {
    kept,

    async make(file, signal) {
      const found = await kept(file);
      if (found !== undefined) return found;
      const drawing = await draw(await files.open(file), { signal });
      const { organisation, sha256 } = file;
      if (drawing.is === 'failed') {
        logger.warn(
          { organisation, sha256, reason: drawing.reason },
          'the preview of a picture could not be drawn',
        );
      }
      await keep(file, pictureIn(drawing), attemptsIn(drawing));
      return pictureIn(drawing);
    },

    async without(organisation, sha256s) {
      if (sha256s.length === 0) return new Set();
      const { rows } = await pool.query<{ sha256: string }>(
        `select sha256 from files.preview
         where organisation = $1 and sha256 = any($2) and picture is null and attempts >= $3`,
        [organisation, sha256s, PREVIEW_ATTEMPTS_MAX],
      );
      return new Set(rows.map(({ sha256 }) => sha256));
    },
  };
};

const pictureIn = (drawing: Drawing): Buffer | null =>
  drawing.is === 'drawn' ? drawing.picture : null;

const attemptsIn = ({ is }: Drawing): number => (is === 'no-picture' ? PREVIEW_ATTEMPTS_MAX : 1);
