/**
 * The layout in NATS: one stream for incoming and one for outgoing messages, so that neither is
 * full because of the other, and one durable consumer for incoming ones.
 */
import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { inboundTypes } from '../../domain/bus/inbound-types.ts';
import {
  NATS_ACKNOWLEDGED_WITHIN_MS,
  NATS_RETENTION_MS,
  NATS_DUPLICATE_WINDOW_MS,
  NATS_UNACKNOWLEDGED_MAX,
} from '../limits.ts';

export interface Layout {
  /** Messages of other systems for Atrium. */
  readonly inbound: StreamLayout;
  /** Messages of Atrium for other systems. */
  readonly outbound: StreamLayout;
}

export interface StreamLayout {
  readonly name: string;
  /** With wildcards: all buildings, and all types of a family. */
  readonly subjects: readonly string[];
}

/** The first tokens of types. */
export interface Families {
  readonly inbound: readonly string[];
  readonly outbound: readonly string[];
}

/** Other families are ignored, and in no stream of Atrium. */
const FAMILIES: Families = {
  inbound: [...new Set(inboundTypes.map((type) => type.split('.', 1)[0]!))],
  outbound: ['service-desk', 'building'],
};

/** The durable consumer of the inbound stream: never changes. */
export const INTAKE_CONSUMER = 'intake';

/** @param prefix Prefix of every subject and of the streams' names. */
export const layoutOf = (prefix: string, families: Families = FAMILIES): Layout => {
  const stream = (of: keyof Families): StreamLayout => ({
    // A dot would split the subjects that manage the stream.
    name: `${prefix.replaceAll('.', '_')}-${of}`,
    subjects: families[of].map((family) => `${prefix}.building.*.${family}.>`),
  });
  return { inbound: stream('inbound'), outbound: stream('outbound') };
};

/** The configuration of a new stream. Operators may change what is safe to change later. */
export const streamConfigOf = ({ name, subjects }: StreamLayout, replicas: number) =>
  ({
    name,
    subjects: [...subjects],
    description: 'Messages of Atrium, by building',
    retention: 'limits',
    storage: 'file',
    // A full stream refuses new messages rather than dropping unread ones.
    discard: 'new',
    max_age: nanosOf(NATS_RETENTION_MS),
    duplicate_window: nanosOf(NATS_DUPLICATE_WINDOW_MS),
    num_replicas: replicas,
  }) satisfies Partial<StreamConfig>;

export const consumerConfig = {
  durable_name: INTAKE_CONSUMER,
  ack_policy: 'explicit',
  deliver_policy: 'all',
  replay_policy: 'instant',
  ack_wait: NATS_ACKNOWLEDGED_WITHIN_MS * 1_000_000,
  max_ack_pending: NATS_UNACKNOWLEDGED_MAX,
  // Unusable messages are parked, never dropped by the server.
  max_deliver: -1,
} satisfies ConsumerConfig;

/** Why an existing stream cannot carry the messages; `null` if it can. */
export const streamMismatch = (layout: StreamLayout, found: StreamConfig): string | null => {
  const missing = layout.subjects.filter((subject) => !found.subjects.includes(subject));
  const wrong = [
    ...missing.map((subject) => `it lacks the subject ${subject}`),
    ...differences(found, {
      retention: 'limits',
      storage: 'file',
      discard: 'new',
      max_msgs_per_subject: -1,
    }),
    ...(found.sealed ? ['it is sealed'] : []),
    ...(found.no_ack ? ['it acknowledges nothing'] : []),
    ...(found.duplicate_window < nanosOf(NATS_DUPLICATE_WINDOW_MS)
      ? [`duplicate_window is shorter than ${NATS_DUPLICATE_WINDOW_MS / 1000} s`]
      : []),
  ];
  return wrong.length === 0
    ? null
    : `the NATS stream ${layout.name} does not fit: ${wrong.join('; ')}`;
};

/** Why an existing consumer cannot be used; `null` if it can. */
export const consumerMismatch = (stream: string, found: ConsumerConfig): string | null => {
  const { ack_policy, deliver_policy, max_deliver } = consumerConfig;
  const wrong = [
    ...differences(found, { ack_policy, deliver_policy, max_deliver }),
    ...(found.deliver_subject ? ['it pushes'] : []),
    ...(found.filter_subject || found.filter_subjects?.length ? ['it has a filter'] : []),
  ];
  return wrong.length === 0
    ? null
    : `the NATS consumer ${INTAKE_CONSUMER} of ${stream} does not fit: ${wrong.join('; ')}`;
};

const differences = <Config extends object>(found: Config, expected: Partial<Config>): string[] =>
  Object.entries(expected).flatMap(([name, value]) => {
    const actual: unknown = found[name as keyof Config];
    return actual === value ? [] : [`${name} is ${String(actual)}, not ${String(value)}`];
  });

/** NATS counts durations in nanoseconds. */
const nanosOf = (ms: number): number => ms * 1_000_000;
