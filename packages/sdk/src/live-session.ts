/** One connection to the live service, from its beginning to its end. */
import { io, type Socket } from 'socket.io-client';
import { LiveRefusedError, type LiveItem } from './live-items.ts';

export interface LiveServer {
  readonly url: string;
  readonly token: () => Promise<string>;
  /** For `socket.io-client`. */
  readonly socket: object;
}

interface Wanted {
  readonly buildingId: string;
  readonly since: string | null;
}

interface Told {
  /** Called when the building's room was entered. */
  readonly joined: () => void;
  readonly signal: AbortSignal | undefined;
}

type Joined =
  | { readonly ok: true; readonly position: string; readonly resync?: true }
  | { readonly ok: false; readonly code: string };

interface Body {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
}

const ANSWER_MAX_MS = 30_000;
/** A loop that falls behind is connected again when it has caught up: the server has the rest. */
const WAITING_MAX = 10_000;

/**
 * What is told until the connection ends, for whatever reason.
 *
 * @throws {@link LiveRefusedError} if there is no connection, or no such building.
 */
export async function* heard(
  server: LiveServer,
  wanted: Wanted,
  { joined, signal }: Told,
): AsyncGenerator<LiveItem, void, undefined> {
  const items: LiveItem[] = [];
  const socket = connected(server, await server.token());
  let wake = () => {};
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
  socket.on('connect_error', (error) => end(refusalIn(error)));
  socket.on('disconnect', () => end());
  socket.onAny((_event, body: Body, position: string | undefined) => {
    if (ended.is || position === undefined) return;
    add({ resync: false, ...body, position });
  });
  const enter = async () => {
    const answer = await join(socket, wanted);
    if (ended.is) return;
    if (!answer.ok) return end(new LiveRefusedError(answer.code));
    joined();
    if (wanted.since === null || answer.resync) add({ resync: true, position: answer.position });
  };
  socket.on('connect', () => {
    enter().catch(() => end());
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

const connected = ({ url, socket }: LiveServer, token: string): Socket =>
  io(`${url}/buildings`, {
    autoConnect: false,
    auth: { token },
    // One process answers it all: behind a load balancer, too.
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    ...socket,
  });

const join = (socket: Socket, { buildingId, since }: Wanted): Promise<Joined> =>
  socket
    .timeout(ANSWER_MAX_MS)
    .emitWithAck('join', since === null ? { buildingId } : { buildingId, since });

/** Without a code the connection was lost or never came about: that may pass. */
const refusalIn = (error: Error & { readonly data?: unknown }): Error => {
  const { code, detail } = (error.data ?? {}) as { readonly code?: string; detail?: string };
  return code === undefined ? error : new LiveRefusedError(code, detail);
};
