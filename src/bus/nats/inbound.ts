import type { ConsumerInfo, JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { NATS_PULL_MS, NATS_UNACKNOWLEDGED_MAX } from '../limits.ts';
import { BusUnavailable } from '../bus.ts';
import type { Delivered, Inbound, Incoming } from './nats.ts';

/**
 * The inbound stream from its consumer's position at `info`. Every delivery has a number; a gap
 * shows that a message was lost on its way, or went to another process.
 */
export const inboundOf = (jsm: JetStreamManager, info: ConsumerInfo): Inbound => {
  const { stream_name: stream, name, ack_floor: done, delivered } = info;

  return {
    deliveredTo: delivered.stream_seq,

    async *unacknowledged() {
      if (info.num_ack_pending === 0) return;
      for (let seq = done.stream_seq + 1; seq <= delivered.stream_seq; seq += 1) {
        // Messages removed from the stream meanwhile are skipped.
        const found = await jsm.streams.getMessage(stream, { seq });
        if (found !== null) yield incomingOf(found);
      }
    },

    async *deliveries(signal) {
      if (signal.aborted) return;
      const consumer = await jsm.jetstream().consumers.get(stream, name);
      const messages = await consumer.consume({
        max_messages: NATS_UNACKNOWLEDGED_MAX,
        expires: NATS_PULL_MS,
        abort_on_missing_resource: true,
      });
      const stop = () => messages.stop();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      let expected = delivered.consumer_seq + 1;
      try {
        for await (const message of messages) {
          if (signal.aborted) return;
          if (message.info.deliverySequence !== expected)
            throw new BusUnavailable('a message was lost on its way; it is read back');
          expected += 1;
          yield deliveredOf(message);
        }
      } catch (error) {
        if (error instanceof BusUnavailable) throw error;
        throw new BusUnavailable(error instanceof Error ? error.message : String(error), error);
      } finally {
        signal.removeEventListener('abort', stop);
        messages.stop();
      }
    },
  };
};

export const incomingOf = ({ seq, subject, header, data, time }: StoredMsg): Incoming => ({
  sequence: seq,
  subject,
  header: headerOf(header),
  body: data,
  storedAt: time.toISOString(),
});

interface DeliveredMessage {
  readonly seq: number;
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
  readonly timestampNanos: bigint;
  ack(): void;
}

const deliveredOf = (message: DeliveredMessage): Delivered => ({
  sequence: message.seq,
  subject: message.subject,
  header: headerOf(message.headers),
  body: message.data,
  // Whole milliseconds, as in `incomingOf`: nanoseconds are not exact as a number.
  storedAt: new Date(Number(message.timestampNanos / 1_000_000n)).toISOString(),
  acknowledge: () => message.ack(),
});

const headerOf =
  (headers: MsgHdrs | undefined) =>
  (name: string): string | null =>
    headers?.get(name) || null;
