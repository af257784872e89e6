import { LostPosition } from '../../engine/log/cursors.ts';
import { Problem } from './problems.ts';

/** Maps a lost cursor to its problem, and any other error to itself. */
export const lostAs = (error: unknown, beginning: string): unknown =>
  error instanceof LostPosition
    ? new Problem('CURSOR_LOST', LOST, { restartAt: error.restartAt ?? beginning })
    : error;

const LOST =
  'What this cursor stands behind was lost: the log was restored from a backup. Compare what you ' +
  'have with the lists, and go on from `restartAt`.';
