/** The requests of a client, `join` and `leave`, and their rate limit. */
import { z } from 'zod';
import { LIVE_REQUESTS_A_SECOND_MAX, LIVE_REQUESTS_WAITING_MAX } from './limits.ts';
import { CURSOR_CHARACTERS_MAX } from '../../limits.ts';
import { Problem } from '../http/problems.ts';
import { id } from '../http/text.ts';
import { cursorIn } from './cursor.ts';

export const JoinRequest = z.strictObject({
  buildingId: id,
  /** The position that came with the last event, or with an acknowledgement. */
  since: z
    .string()
    .max(CURSOR_CHARACTERS_MAX)
    .transform((text, context) => {
      const cursor = cursorIn(text);
      if (cursor) return cursor;
      context.addIssue('must be a position that this service has returned');
      return z.NEVER;
    })
    .optional(),
});

export const LeaveRequest = z.strictObject({ buildingId: id });

/** A queue that runs one request at a time, bounded in rate and length. */
export interface RequestQueue {
  /** @throws {@link Problem} `RATE_LIMITED`. */
  run<Answer>(work: () => Promise<Answer>): Promise<Answer>;
}

export const requestQueue = (now: () => number = () => performance.now()): RequestQueue => {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let [windowBegan, inWindow] = [now(), 0];

  const isTooFast = () => {
    if (now() - windowBegan >= 1_000) [windowBegan, inWindow] = [now(), 0];
    inWindow += 1;
    return inWindow > LIVE_REQUESTS_A_SECOND_MAX;
  };

  return {
    async run(work) {
      if (isTooFast() || waiting >= LIVE_REQUESTS_WAITING_MAX)
        throw new Problem('RATE_LIMITED', 'Send fewer requests a second.');
      waiting += 1;
      const current = last.then(work);
      last = current.catch(() => undefined);
      try {
        return await current;
      } finally {
        waiting -= 1;
      }
    },
  };
};
