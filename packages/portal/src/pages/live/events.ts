/** Events of one building over Socket.IO, resumed after a lost connection. */
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';

export interface LiveEvent {
  readonly body: {
    readonly event: string;
    readonly data: unknown;
    readonly timestamp: string;
  };
  readonly position: string;
  /** Several events may share a position. */
  readonly index: number;
}

export interface Live {
  readonly state: 'connecting' | 'listening' | 'disconnected';
  /** Newest first. */
  readonly events: readonly LiveEvent[];
  readonly count: number;
  readonly error: unknown;
}

const EVENTS_MAX = 200;
/** Batches the updates: a building may emit hundreds of events at once. */
const SHOWN_EVERY_MS = 250;

/** The delay before reconnecting after the server has ended the connection. */
const CONNECTED_AGAIN_MS = 1_000;

const NOTHING: Live = { state: 'connecting', events: [], count: 0, error: undefined };

const isRefused = (error: Error): boolean => error.message === 'UNAUTHENTICATED';

type Joined =
  | { readonly ok: true; readonly position: string; readonly resync?: boolean }
  | { readonly ok: false; readonly code: string };

/**
 * @param buildingId `null`: no subscription; earlier events stay.
 * @param url Of the platform, or of the proxy to a sandbox.
 */
export const useLive = (buildingId: string | null, url = location.origin): Live => {
  const { session } = usePortal();
  const [live, setLive] = useState(NOTHING);
  useEffect(() => {
    if (buildingId === null) return;
    setLive((last) => ({ ...last, state: 'connecting', error: undefined }));
    let since: string | undefined;
    let count = 0;
    let waiting: LiveEvent[] = [];
    let leave = () => {};
    let isGone = false;
    const failed = (error: Error) => setLive((last) => ({ ...last, state: 'disconnected', error }));
    const show = () => {
      if (waiting.length === 0) return;
      const came = waiting;
      waiting = [];
      setLive((last) => ({
        ...last,
        count: last.count + came.length,
        events: [...came.toReversed(), ...last.events].slice(0, EVENTS_MAX),
      }));
    };
    const timer = setInterval(show, SHOWN_EVERY_MS);
    const listen = async () => {
      const { io } = await import('socket.io-client');
      if (isGone) return;
      const { origin, pathname } = new URL(url);
      const socket = io(`${origin}/buildings`, {
        path: `${pathname.replace(/\/$/, '')}/socket.io/`,
        transports: ['websocket'],
      });
      let again: ReturnType<typeof setTimeout> | undefined;
      leave = () => {
        clearTimeout(again);
        socket.disconnect();
      };
      /** Socket.IO does not reconnect by itself after the server has refused the connection. */
      const connectWithSession = async () => {
        await session.resumed();
        socket.connect();
      };
      // By a callback: events may arrive in the same turn, before an await goes on.
      const joined = (answer: Joined) => {
        if (!answer.ok) return failed(new Error(`Not joined: ${answer.code}.`));
        if (since === undefined || answer.resync) since = answer.position;
        setLive((last) => ({ ...last, state: 'listening', error: undefined }));
      };
      socket.on('connect', () => socket.emit('join', { buildingId, since }, joined));
      socket.on('disconnect', (reason) => {
        setLive((last) => ({ ...last, state: 'disconnected' }));
        // The server has ended the connection with the session, and Socket.IO does not reconnect by
        // itself. The delay is for a deleted sandbox, which also ends the connection, just before
        // this page is left.
        if (reason === 'io server disconnect')
          again = setTimeout(() => socket.connect(), CONNECTED_AGAIN_MS);
      });
      socket.on('connect_error', (refusal: Error) => {
        failed(refusal);
        if (isRefused(refusal)) connectWithSession().catch(failed);
      });
      socket.onAny((_event, body?: LiveEvent['body'], position?: string) => {
        if (body === undefined || position === undefined) return;
        since = position;
        count += 1;
        waiting.push({ body, position, index: count });
      });
    };
    listen().catch(failed);
    return () => {
      isGone = true;
      clearInterval(timer);
      leave();
    };
  }, [session, buildingId, url]);
  return live;
};
