/** A client of the live service: the official library, over a real connection. */
import { once } from 'node:events';
import { io, type Socket } from 'socket.io-client';
import { onTestFinished } from 'vitest';

export interface Told {
  readonly event: string;
  readonly body: {
    readonly event: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly timestamp: string;
  };
  readonly position: string;
}

export interface LiveClient {
  readonly socket: Socket;
  /** Received events, in their order. */
  readonly told: readonly Told[];
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  ask(event: 'join' | 'leave', payload: unknown): Promise<any>;
  /** The code with which the server ends the session. */
  ending(): Promise<string>;
}

interface LiveOptions {
  readonly namespace?: string;
  readonly token?: string | null;
  readonly transport?: 'websocket' | 'polling';
  readonly headers?: Readonly<Record<string, string>>;
}

const ANSWER_MAX_MS = 60_000;

const opened = (address: string, options: LiveOptions): Socket => {
  const { namespace = '/buildings', token, transport = 'websocket', headers = {} } = options;
  const socket = io(`${address}${namespace}`, {
    transports: [transport],
    reconnection: false,
    forceNew: true,
    extraHeaders: { ...headers },
    ...(token ? { auth: { token } } : {}),
  });
  onTestFinished(() => void socket.disconnect());
  return socket;
};

export const liveClient = async (address: string, options: LiveOptions): Promise<LiveClient> => {
  const socket = opened(address, options);
  const told: Told[] = [];
  socket.onAny((event: string, body: Told['body'], position: string) => {
    if (position !== undefined) told.push({ event, body, position });
  });
  const ended = new Promise<string>((resolve) =>
    socket.once('session.ending', ({ code }: { code: string }) => resolve(code)),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
    socket.once('disconnect', (reason) => reject(new Error(reason)));
  });
  return {
    socket,
    told,
    ask: (event, payload) => socket.timeout(ANSWER_MAX_MS).emitWithAck(event, payload),
    ending: () => ended,
  };
};

/** The `connect_error` of a refused client. */
export const liveRefusal = async (
  address: string,
  options: LiveOptions,
): Promise<{ readonly message: string; readonly data?: { readonly code: string } }> => {
  const socket = opened(address, options);
  socket.once('connect', () => socket.emit('error', new Error('it was not refused')));
  const [error] = await Promise.race([
    once(socket as never, 'connect_error') as Promise<[Error & { data?: { code: string } }]>,
    once(socket as never, 'connect').then(() => {
      throw new Error('it was not refused');
    }),
  ]);
  return error;
};
