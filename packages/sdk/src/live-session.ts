/** One connection to the live service, from its beginning to its end. */
import { io, type Socket } from 'socket.io-client';
import type { BuildingEvent } from './events.ts';
import { LiveRefusedError, type LiveItem } from './live-items.ts';
import { endedBy, reasonOf, type ConnectError } from './live-refusals.ts';

export interface LiveServer {
  readonly url: string;
  readonly token: () => Promise<string>;
  /** For `socket.io-client`. */
  readonly socketOptions: () => Promise<object>;
}

interface Wanted {
  readonly buildingId: string;
  readonly since: string | null;
}

interface Told {
  /** Called when the building's room was entered. */
  readonly joined: () => void;
  /** Counting this one. */
  readonly attempts: number;
  readonly signal: AbortSignal | undefined;
}

type Joined =
  | { readonly ok: true; readonly position: string; readonly resync?: true }
  | { readonly ok: false; readonly code: string };

const ANSWER_MAX_MS = 30_000;
/** A loop that falls behind is connected again when it has caught up: the server has the rest. */
const WAITING_MAX = 10_000;

/**
 * Items, until the signal aborts or the loop falls behind.
 *
 * @throws {@link LiveRefusedError} if the server says no, also after a while;
 *   `AtriumUnreachableError` if there is no connection, or it is lost.
 */
export async function* heard(
  server: LiveServer,
  { buildingId, since }: Wanted,
  { joined, attempts, signal }: Told,
): AsyncGenerator<LiveItem, void, undefined> {
  const items: LiveItem[] = [];
  const socket = connected(server.url, await server.token(), await server.socketOptions());
  let wake = () => {};
  let ending: SessionEndedError | null = null;
  const ended = { is: false, refusal: null as Error | null };
  const end = (refusal: Error | null = null) => {
    ended.is = true;
    ended.refusal ??= refusal;
    socket.disconnect();
    wake();
  };
  const add = (item: LiveItem) => {
    items.push(item);
    if (items.length >= WAITING_MAX) end();
    wake();
  };
  socket.on('connect_error', (error: ConnectError) => end(reasonOf(error, attempts)));
  socket.on('disconnect', (reason) => end(ending ?? endedBy(reason, attempts)));
  // The next session may be better: with another token, or with fewer that wait.
  socket.on('session.ending', ({ code }: { readonly code: string }) => {
    ending = new SessionEndedError(code);
  });
  socket.onAny((_event, body: BuildingEvent, position: string | undefined) => {
    if (ended.is || position === undefined) return;
    add({ resync: false, ...body, position });
  });
  // Called with the acknowledgement, not after it: events may arrive in the same turn.
  const entered = (failure: Error | null, answer: Joined) => {
    if (ended.is) return;
    if (failure) return end(endedBy(failure.message, attempts));
    if (!answer.ok) return end(new LiveRefusedError(answer.code));
    joined();
    if (since === null || answer.resync) add({ resync: true, position: answer.position });
  };
  socket.on('connect', () => {
    const request = since === null ? { buildingId } : { buildingId, since };
    socket.timeout(ANSWER_MAX_MS).emit('join', request, entered);
  });
  const aborted = () => end();
  signal?.addEventListener('abort', aborted, { once: true });
  socket.connect();
  try {
    for (;;) {
      yield* items.splice(0);
      if (signal?.aborted) return;
      if (items.length > 0) continue;
      if (ended.is) break;
      await new Promise<void>((woken) => (wake = woken));
    }
  } finally {
    signal?.removeEventListener('abort', aborted);
    socket.disconnect();
  }
  if (ended.refusal) throw ended.refusal;
}

/** The server has ended the session: `TOKEN_EXPIRED`, `CREDENTIAL_REFUSED`, `SLOW_CONSUMER`, … */
class SessionEndedError extends Error {
  override readonly name = 'SessionEndedError';
  readonly code: string;

  constructor(code: string) {
    super(`the server has ended the session: ${code}`);
    this.code = code;
  }
}

const connected = (url: string, token: string, options: object): Socket =>
  io(`${url}/buildings`, {
    autoConnect: false,
    auth: { token },
    // One process answers it all: behind a load balancer, too.
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    ...options,
  });
