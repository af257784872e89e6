/** One client of the live service, from connection to end. contract.md section 8. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'socket.io';
import type { z } from 'zod';
import type { LiveMetrics } from './metrics.ts';
import { Problem } from '../http/problems.ts';
import type { Listening } from './credentials.ts';
import type { Joined, Joining, Session } from './joining.ts';
import { outbound } from './outbound.ts';
import { JoinRequest, LeaveRequest, requestQueue } from './requests.ts';
import type { Send } from './sender.ts';

/** Why the server ends a session. */
export type Ending = 'TOKEN_EXPIRED' | 'CREDENTIAL_REFUSED' | 'SLOW_CONSUMER' | 'RATE_LIMITED';

export interface SessionParts {
  readonly joining: Joining;
  readonly metrics: LiveMetrics;
  /** The error code for the client. */
  readonly codeOf: (error: unknown) => string;
  /** @throws if the credential is no longer valid. */
  readonly checkAgain: () => Promise<Listening>;
  /** Real time in epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two checks of a credential that may end. */
  readonly checkMs: Readonly<Record<Exclude<Listening['checked'], 'once'>, number>>;
  readonly send: Send;
  /** The connection for direct writes, bypassing the library. */
  readonly wire: Duplex | undefined;
}

/** The event with the reason of the end, sent just before it. */
export const ENDING_EVENT = 'session.ending';

const TIMER_MAX_MS = 2 ** 31 - 1;

/** @returns Ends the session. */
export const serveSession = (
  socket: Socket,
  listening: Listening,
  parts: SessionParts,
): ((reason: Ending) => void) => {
  const { joining, metrics, codeOf, wire } = parts;
  const { organisation, actor, expiresAt } = listening.caller;
  const queue = requestQueue();
  const timers = new Set<NodeJS.Timeout>();
  let gone = false;

  const end = (reason: Ending) => {
    if (gone) return;
    gone = true;
    metrics.dropped(reason);
    socket.emit(ENDING_EVENT, { code: reason });
    socket.disconnect(true);
    // A client that does not read would never receive the queued messages.
    if (reason === 'SLOW_CONSUMER') socket.conn.close(true);
  };

  const out = outbound({
    waiting: () => wire?.writableLength ?? 0,
    overflowed: () => end('SLOW_CONSUMER'),
    conflated: metrics.conflated,
  });
  const session: Session = {
    outbound: out,
    organisation,
    caller: actor.id,
    joined: new Set(),
    isGone: () => gone,
    send: parts.send,
  };

  const after = (ms: number, act: () => void) => {
    // The client left during the check.
    if (gone) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        act();
      },
      Math.min(ms, TIMER_MAX_MS),
    );
    timers.add(timer);
  };

  const endAt = (ms: number) =>
    after(ms - parts.now(), () => (parts.now() < ms ? endAt(ms) : end('TOKEN_EXPIRED')));

  /** A check that fails ends the session too: a revoked key must not survive an outage. */
  const checkAgain = async () => {
    try {
      const { caller } = await parts.checkAgain();
      // Its rooms and limits are those of the caller of the handshake.
      if (caller.organisation !== organisation || caller.actor.id !== actor.id)
        throw new Problem('UNAUTHENTICATED', 'The credential belongs to another caller now.');
    } catch (error) {
      end('CREDENTIAL_REFUSED');
      throw error;
    }
  };

  const checkEvery = (ms: number) =>
    after(ms, () => {
      checkAgain().then(
        () => checkEvery(ms),
        () => {
          // The session has ended.
        },
      );
    });

  const on = <Input>(
    event: string,
    schema: z.ZodType<Input>,
    work: (request: Input) => Promise<Joined> | Joined,
  ) => {
    socket.on(event, (...sent: readonly unknown[]) => {
      const acknowledge = sent.findLast((argument) => typeof argument === 'function');
      const payloads = sent.filter((argument) => typeof argument !== 'function');
      const answer = (body: Joined | { readonly ok: false; readonly code: string }) => {
        // After the messages sent before it, so that its position is correct.
        if (acknowledge) out.afterwards(() => void acknowledge(body));
      };
      queue
        .run(async () => {
          const read = schema.safeParse(payloads[0]);
          if (!read.success || payloads.length > 1)
            throw new Problem('VALIDATION_FAILED', 'The request does not match its schema.');
          return work(read.data);
        })
        .then(answer, (error: unknown) => answer({ ok: false, code: codeOf(error) }));
    });
  };

  on('join', JoinRequest, async (request) => {
    // Every request with a key checks it anew. interface.md «API key status».
    if (listening.checked === 'as key') await checkAgain();
    return joining.join(session, request);
  });
  on('leave', LeaveRequest, ({ buildingId }) => joining.leave(session, buildingId));
  socket.conn.on('drain', out.drained);
  wire?.on('drain', out.drained);
  socket.once('disconnect', () => {
    gone = true;
    for (const timer of timers) clearTimeout(timer);
    socket.conn.off('drain', out.drained);
    wire?.off('drain', out.drained);
    out.close();
    joining.leaveAll(session);
  });
  const { checked } = listening;
  // The end of a browser session moves with its use, and each check finds it.
  if (expiresAt !== undefined && checked !== 'as session') endAt(Date.parse(expiresAt));
  if (checked !== 'once') checkEvery(parts.checkMs[checked]);
  return end;
};
