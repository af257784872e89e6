import {
  LogUnavailable,
  type Appended,
  type EventStore,
  type Expected,
  type Guard,
  type OrderedAppends,
  type OrderedOptions,
  type SerialisedEvent,
} from './event-store.ts';
import { channelWith } from './log-with.ts';
import { serialised } from './serialised.ts';

/** One append, its events checked and serialised. */
export interface AppendRequest {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly SerialisedEvent[];
  readonly guard?: Guard;
}

/** The part of the log that differs by backend; {@link eventStoreOn} adds the rest. */
export interface LogBackend extends Omit<EventStore, 'append' | 'orderedAppends'> {
  append(request: AppendRequest): Promise<Appended>;
  readonly orderedAppends: ((options: OrderedOptions) => OrderedRequests) | null;
  /** Finishes appends in flight and closes connections. No call follows. */
  close(): Promise<void>;
}

/** {@link OrderedAppends} of serialised events. */
export interface OrderedRequests extends Omit<OrderedAppends, 'add'> {
  add(request: OrderedRequest): Promise<void>;
}

export interface OrderedRequest extends Omit<AppendRequest, 'guard'> {
  readonly expected: Exclude<Expected, 'any'>;
}

/**
 * The log in `backend`. Events are checked before the backend is called, subscriptions end when the
 * log is closed, and a closed log answers every call with {@link LogUnavailable}.
 */
export const eventStoreOn = (backend: LogBackend): EventStore => {
  const { channel, orderedAppends } = backend;
  const closing = new AbortController();
  let closed: Promise<void> | undefined;
  const open = (): LogBackend => {
    if (closing.signal.aborted) throw new LogUnavailable('it was closed');
    return backend;
  };
  return {
    backend: backend.backend,
    capabilities: backend.capabilities,
    channel: channel && channelWith(channel, async (...call) => open().channel!.ask(...call)),
    orderedAppends:
      orderedAppends &&
      ((options) => {
        const ordered = open().orderedAppends!(options);
        return {
          add: async ({ stream, expected, events }) =>
            ordered.add({ stream, expected, events: serialised(stream, events) }),
          stored: () => ordered.stored(),
          stop: () => ordered.stop(),
        };
      }),
    append: async (stream, expected, events, { guard } = {}) =>
      open().append({
        stream,
        expected,
        events: serialised(stream, events),
        ...(guard && { guard }),
      }),
    readStream: async (...call) => open().readStream(...call),
    readAll: async (...call) => open().readAll(...call),
    async *subscribe(after, options) {
      const signal = AbortSignal.any([options.signal, closing.signal]);
      if (!signal.aborted) yield* backend.subscribe(after, { ...options, signal });
    },
    head: async () => open().head(),
    compare: (a, b) => backend.compare(a, b),
    distance: (a, b) => backend.distance(a, b),
    truncateStream: async (...call) => open().truncateStream(...call),
    deleteStream: async (...call) => open().deleteStream(...call),
    close() {
      closing.abort();
      closed ??= backend.close();
      return closed;
    },
  };
};
