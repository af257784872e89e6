import type { ConsumerConfig, StreamConfig } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import {
  consumerConfig,
  consumerMismatch,
  layoutOf,
  streamConfigOf,
  streamMismatch,
} from '../../src/bus/nats/layout.ts';

const { inbound, outbound } = layoutOf('acme.atrium');
/** The configuration as the server returns it. */
const asFound = (over: Partial<StreamConfig> = {}): StreamConfig => ({
  ...({ max_msgs_per_subject: -1, sealed: false } as StreamConfig),
  ...streamConfigOf(inbound, 3),
  ...over,
});

describe('the streams of NATS', () => {
  it('match every building’s messages by wildcards, inbound and outbound separately', () => {
    expect(inbound).toEqual({
      name: 'acme_atrium-inbound',
      subjects: ['acme.atrium.building.*.cafm.>', 'acme.atrium.building.*.wifi-sensing.>'],
    });
    expect(outbound).toEqual({
      name: 'acme_atrium-outbound',
      subjects: ['acme.atrium.building.*.service-desk.>', 'acme.atrium.building.*.building.>'],
    });
  });

  it('fit as Atrium creates them, and with the settings that operators may change', () => {
    expect(streamMismatch(inbound, asFound())).toBeNull();
    const changed = { max_bytes: 1_000_000, max_age: 0, num_replicas: 5, duplicate_window: 1e16 };
    expect(streamMismatch(inbound, asFound(changed))).toBeNull();
    const more = [...inbound.subjects, 'acme.other'];
    expect(streamMismatch(inbound, asFound({ subjects: more }))).toBeNull();
  });

  it.each<[Partial<StreamConfig>, string]>([
    [{ discard: 'old' }, 'discard is old, not new'],
    [{ storage: 'memory' }, 'storage is memory, not file'],
    [{ retention: 'workqueue' }, 'retention is workqueue, not limits'],
    [{ max_msgs_per_subject: 1 }, 'max_msgs_per_subject is 1, not -1'],
    [{ sealed: true }, 'it is sealed'],
    [{ no_ack: true }, 'it acknowledges nothing'],
    [{ duplicate_window: 120e9 }, 'duplicate_window is shorter than 3600 s'],
    [{ subjects: ['x'] }, 'it lacks the subject acme.atrium.building.*.cafm.>'],
  ])('do not fit with %j, as reported in one line', (over, said) => {
    const line = streamMismatch(inbound, asFound(over));
    expect(line).toContain('the NATS stream acme_atrium-inbound does not fit: ');
    expect(line).toContain(said);
    expect(line).not.toContain('\n');
  });
});

describe('the durable consumer', () => {
  it.each<[Partial<ConsumerConfig>, string | null]>([
    [{}, null],
    [{ max_ack_pending: 10, ack_wait: 1e9 }, null],
    [{ ack_policy: 'none' }, 'ack_policy is none, not explicit'],
    [{ deliver_policy: 'new' }, 'deliver_policy is new, not all'],
    [{ max_deliver: 5 }, 'max_deliver is 5, not -1'],
    [{ filter_subject: 'x' }, 'it has a filter'],
    [{ deliver_subject: 'x' }, 'it pushes'],
  ])('with %j: %s', (over, said) => {
    const line = consumerMismatch(inbound.name, { ...consumerConfig, ...over });
    expect(line).toBe(
      said && `the NATS consumer intake of acme_atrium-inbound does not fit: ${said}`,
    );
  });
});
