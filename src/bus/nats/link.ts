import {
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import {
  connect,
  headers,
  InvalidArgumentError,
  type NatsConnection,
} from '@nats-io/transport-node';
import {
  NATS_REFUSAL_REPORTED_MS,
  NATS_STREAMS_CHECK_MS,
  NATS_CLOSE_MAX_MS,
  NATS_REDIAL_FIRST_MS,
  NATS_REDIAL_MAX_MS,
} from '../limits.ts';
import { TIMER_SLEEP_MAX_MS } from '../../engine/limits.ts';
import { NATS_ANSWER_MAX_MS } from '../../limits.ts';
import { backoff, retry } from '../../engine/concurrency/backoff.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { readinessError } from '../../engine/observe/readiness-error.ts';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import { BusUnavailable, MessageTooLarge } from '../bus.ts';
import { connectionOptions, hostsOf, serversOf, type NatsAddress } from './connection.ts';
import { reachableServers } from './reachable-servers.ts';
import { inboundOf, incomingOf } from './inbound.ts';
import { INTAKE_CONSUMER, type Layout } from './layout.ts';
import type { Nats } from './nats.ts';
import { prepareNats } from './prepare.ts';

export interface NatsLinkParts {
  readonly address: NatsAddress;
  readonly layout: Layout;
  /** Replicas of a new stream. Default 1. */
  readonly replicas?: number;
  readonly logger: Logger;
  /** Default {@link NATS_STREAMS_CHECK_MS}. */
  readonly lookMs?: number;
  /** Monotonic, in milliseconds. Default: the process's. */
  readonly nowMs?: () => number;
}

/** A connection whose streams were created and checked. */
interface Open {
  readonly connection: NatsConnection;
  readonly jsm: JetStreamManager;
  readonly js: JetStreamClient;
}

/**
 * Connects to NATS, creates and checks the streams, and reconnects without end after a loss. Calls
 * fail while it is disconnected, and nothing is buffered.
 */
export const natsLink = (parts: NatsLinkParts): Nats => {
  const { address, layout, replicas = 1, logger, lookMs = NATS_STREAMS_CHECK_MS } = parts;
  const { nowMs = () => performance.now() } = parts;
  const hosts = hostsOf(address);
  const ending = new AbortController();
  const changed = new Signal();
  let open: Open | null = null;
  let why = 'it has not answered yet';
  /** The last logged reason; `null`: connected. */
  let logged: string | null = null;
  let preparing: AbortController | null = null;
  let refused: { readonly why: string; readonly at: number } | null = null;

  const lost = (reason: string) => {
    open = null;
    why = reason;
    // A reason is logged once, whatever the number of attempts; a stop is not logged.
    if (reason !== logged && !ending.signal.aborted)
      logger.warn({ nats: hosts, reason }, 'NATS cannot be used');
    logged = reason;
  };

  /** A reconnected server may be another one with an empty disk, so everything is checked again. */
  const prepare = (connection: NatsConnection): void => {
    preparing?.abort();
    open = null;
    why = 'its streams are being looked at';
    const attempt = new AbortController();
    preparing = attempt;
    const signal = AbortSignal.any([ending.signal, attempt.signal]);
    const work = async () => {
      const jsm = await jetstreamManager(connection, {
        timeout: NATS_ANSWER_MAX_MS,
        checkAPI: false,
      });
      await prepareNats(jsm, layout, replicas);
      if (signal.aborted) return;
      open = { connection, jsm, js: jsm.jetstream() };
      logged = null;
      logger.info({ nats: hosts }, 'NATS is the bus');
      changed.wake();
    };
    void retry(work, signal, (error) => {
      if (!signal.aborted) lost(lineOf(error));
    });
  };

  /** A stream may have been changed so that it loses messages. */
  const look = async (connection: NatsConnection): Promise<void> => {
    if (open?.connection !== connection) return;
    try {
      await prepareNats(open.jsm, layout, replicas);
    } catch (error) {
      if (open?.connection !== connection) return;
      prepare(connection);
      lost(lineOf(error));
    }
  };

  /** Prepares and watches a connection until it is lost. */
  const follow = async (connection: NatsConnection): Promise<void> => {
    const close = () => void connection.close();
    ending.signal.addEventListener('abort', close, { once: true });
    if (ending.signal.aborted) close();
    prepare(connection);
    const looking = setInterval(() => void look(connection), lookMs);
    const error = await connection.closed();
    clearInterval(looking);
    preparing?.abort();
    ending.signal.removeEventListener('abort', close);
    lost(error ? lineOf(error) : 'the connection was lost');
  };

  const live = async (): Promise<void> => {
    const delays = backoff(NATS_REDIAL_FIRST_MS, NATS_REDIAL_MAX_MS);
    while (!ending.signal.aborted) {
      try {
        const servers = await reachableServers(serversOf(address), ending.signal);
        const connection = await connect(connectionOptions(address, servers));
        delays.reset();
        await follow(connection);
      } catch (error) {
        lost(lineOf(error));
      }
      await delays.pause(ending.signal);
    }
  };

  /** One check, however many calls have failed. */
  const lookAgain = (connection: NatsConnection, error: unknown) => {
    if (isGone(error) && open?.connection === connection) prepare(connection);
  };

  /** @throws {@link BusUnavailable}. */
  const opened = (): Open => {
    if (open === null) throw new BusUnavailable(why);
    return open;
  };

  const withManager = async <Answer>(work: (jsm: JetStreamManager) => Promise<Answer>) => {
    const { jsm, connection } = opened();
    try {
      return await work(jsm);
    } catch (error) {
      lookAgain(connection, error);
      throw new BusUnavailable(lineOf(error), error);
    }
  };

  const living = live();
  let closed: Promise<void> | undefined;
  const close = async () => {
    const { connection } = open ?? {};
    // Acknowledgements must reach the server.
    await withTimeout(connection?.flush() ?? Promise.resolve(), NATS_CLOSE_MAX_MS, () => {}).catch(
      (error: unknown) => logger.debug({ err: error }, 'NATS was left without a farewell'),
    );
    ending.abort();
    // Connecting to a silent server may take longer, and is not waited for.
    await withTimeout(living, NATS_CLOSE_MAX_MS, () => {});
  };

  return {
    layout,

    ready() {
      if (open === null) return readinessError(`NATS (${hosts}) cannot be used: ${why}`);
      if (!refused || nowMs() - refused.at > NATS_REFUSAL_REPORTED_MS) return true;
      return readinessError(`NATS (${hosts}) has not accepted a message: ${refused.why}`);
    },

    async whenReady(signal) {
      const isOpen = () => open !== null || signal.aborted;
      while (!isOpen()) await changed.after(changed.count, signal, TIMER_SLEEP_MAX_MS);
    },

    async publish({ subject, id, headers: said, body }) {
      const { connection, js } = opened();
      const sent = headers();
      for (const [name, value] of Object.entries(said)) sent.set(name, value);
      try {
        const options = { msgID: id, headers: sent, timeout: NATS_ANSWER_MAX_MS };
        const { duplicate } = await js.publish(subject, body, options);
        refused = null;
        return { repeated: duplicate };
      } catch (error) {
        if (isTooLarge(error)) throw new MessageTooLarge(lineOf(error), error);
        refused = { why: lineOf(error), at: nowMs() };
        lookAgain(connection, error);
        throw new BusUnavailable(refused.why, error);
      }
    },

    inbound: () =>
      withManager(async (jsm) =>
        inboundOf(jsm, await jsm.consumers.info(layout.inbound.name, INTAKE_CONSUMER)),
      ),

    message: (seq, subject) =>
      withManager(async (jsm) => {
        const asked = subject === undefined ? { seq } : { seq, next_by_subj: subject };
        const found = await jsm.streams.getMessage(layout.inbound.name, asked);
        return found && incomingOf(found);
      }),

    behind: () =>
      withManager(async (jsm) => {
        const { name } = layout.inbound;
        const consumer = await jsm.consumers.info(name, INTAKE_CONSUMER);
        const events = consumer.num_pending + consumer.num_ack_pending;
        if (events === 0) return { events, seconds: 0 };
        const { state } = await jsm.streams.info(name);
        const seq = Math.max(consumer.ack_floor.stream_seq + 1, state.first_seq);
        const oldest = await jsm.streams.getMessage(name, { seq });
        const since = oldest ? Date.parse(oldest.timestamp) : Date.parse(systemClock.now());
        return { events, seconds: Math.max(0, Date.parse(systemClock.now()) - since) / 1000 };
      }),

    streams: () =>
      withManager((jsm) =>
        Promise.all(
          [layout.inbound, layout.outbound].map(async ({ name }) => {
            const { state, config } = await jsm.streams.info(name);
            const bytesMax = config.max_bytes > 0 ? config.max_bytes : null;
            return { name, bytes: state.bytes, bytesMax };
          }),
        ),
      ),

    close: () => (closed ??= close()),
  };
};

/** The JetStream stream or consumer is gone, or has no leader. */
const isGone = (error: unknown): boolean =>
  (error instanceof JetStreamApiError && error.status === 404) ||
  (error instanceof Error && error.name === 'JetStreamNotEnabled');

/** Over the server's `max_payload`, which the client checks, or the stream's `max_msg_size`. */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof InvalidArgumentError && error.message.includes('max_payload')) ||
  (error instanceof JetStreamApiError && error.code === MESSAGE_EXCEEDS_MAXIMUM);

/** JetStream's error code, which the client does not name. */
const MESSAGE_EXCEEDS_MAXIMUM = 10_054;

const lineOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
