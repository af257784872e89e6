import { LostPosition } from '../../engine/log/cursors.ts';
import { UnknownPosition } from '../../engine/log/event-store.ts';
import { invalid, Problem } from './problems.ts';

/**
 * Maps an error of the cursor in `after` to its problem, and any other error to itself.
 *
 * @param of What the cursors belong to.
 */
export const cursorProblem = (
  error: unknown,
  { beginning, of }: { readonly beginning: string; readonly of: 'list' | 'feed' },
): unknown => {
  if (error instanceof UnknownPosition)
    return invalid([{ path: 'after', message: `is not a cursor of this ${of}` }]);
  return error instanceof LostPosition
    ? new Problem('CURSOR_LOST', LOST, { restartAt: error.restartAt ?? beginning })
    : error;
};

const LOST =
  'The log was restored from a backup that is older than this cursor. Compare your ' +
  'data with the lists, and continue from `restartAt`.';
