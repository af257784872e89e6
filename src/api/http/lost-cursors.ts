import { LostPosition } from '../../engine/log/cursors.ts';
import { Problem } from './problems.ts';

/** Maps a lost cursor to its problem, and any other error to itself. */
export const lostAs = (error: unknown, beginning: string): unknown =>
  error instanceof LostPosition
    ? new Problem('CURSOR_LOST', LOST, { restartAt: error.restartAt ?? beginning })
    : error;

const LOST =
  'The log was restored from a backup that is older than this cursor. Compare your ' +
  'data with the lists, and continue from `restartAt`.';
