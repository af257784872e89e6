import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PREFIX } from '../../identity/keys/token.ts';
import { timeOrderedId } from '../../engine/time/time-ordered-id.ts';
import { REQUEST_ID_CHARACTERS_MAX } from './limits.ts';

/** The caller's own id if it is well-formed, so that both sides log the same id; else a new one. */
export const requestIdOf = ({ 'x-request-id': sent }: IncomingHttpHeaders): string =>
  typeof sent === 'string' &&
  sent.length <= REQUEST_ID_CHARACTERS_MAX &&
  /^[\w.:/+=@-]+$/.test(sent) &&
  // A key in the wrong header must not be logged as an id.
  !sent.includes(KEY_PREFIX)
    ? sent
    : timeOrderedId();
