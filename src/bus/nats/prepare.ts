import { JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';
import {
  consumerConfig,
  consumerMismatch,
  INTAKE_CONSUMER,
  streamConfigOf,
  streamMismatch,
  type Layout,
  type StreamLayout,
} from './layout.ts';

/** An existing stream or consumer cannot carry the messages. An operator must repair it. */
class NatsMisconfigured extends Error {
  constructor(line: string) {
    super(line);
    this.name = 'NatsMisfit';
  }
}

/**
 * Creates missing streams and the durable consumer, and checks existing ones. Idempotent; later
 * changes by operators are kept.
 *
 * @throws {@link NatsMisconfigured}; errors of the client.
 */
export const prepareNats = async (
  jsm: JetStreamManager,
  layout: Layout,
  replicas: number,
): Promise<void> => {
  for (const stream of [layout.inbound, layout.outbound])
    await prepareStream(jsm, stream, replicas);
  const { name } = layout.inbound;
  const { config } =
    (await unlessMissing(jsm.consumers.info(name, INTAKE_CONSUMER))) ??
    (await jsm.consumers.add(name, { ...consumerConfig }));
  const rejection = consumerMismatch(name, config);
  if (rejection !== null) throw new NatsMisconfigured(rejection);
};

const prepareStream = async (
  jsm: JetStreamManager,
  stream: StreamLayout,
  replicas: number,
): Promise<void> => {
  const { config } =
    (await unlessMissing(jsm.streams.info(stream.name))) ??
    (await jsm.streams.add(streamConfigOf(stream, replicas)));
  const rejection = streamMismatch(stream, config);
  if (rejection !== null) throw new NatsMisconfigured(rejection);
};

const unlessMissing = async <Info>(asked: Promise<Info>): Promise<Info | null> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return null;
    throw error;
  }
};
