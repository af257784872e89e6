import type { TelemetryEvent } from '../../domain/telemetry/events.ts';
import { messagesOf } from '../../domain/buildings/messages.ts';
import { EVALUATION_ATTEMPTS_MAX } from '../../domain/telemetry/limits.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Diagnostics } from '../../building/telemetry/diagnostics.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { telemetryCodec } from '../../domain/telemetry/codecs.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { v5 as uuidFrom } from 'uuid';
import { publishTo, type Publish, type PublishEffect } from '../../bus/publish-effect.ts';
import { done } from '../../engine/processes/outcome.ts';
import type { Process } from '../../engine/processes/process.ts';

/** One partition for all daily journals of a building: rules evaluate samples in order. */
const buildingOf = (stream: string): string => keyOf(stream).split('.', 1)[0]!;

/** An ingest, which is decoded only if its building has rules. */
interface Unread {
  readonly type: 'PointsUpdated';
  readonly stored: StoredEvent;
}

/** Decodes alarms and faults, but not ingests. */
const lazyCodec: Pick<Codec<Unread | AlarmOrFault>, 'decode'> = {
  decode(stored) {
    if (stored.type !== 'PointsUpdated')
      return telemetryCodec.decode(stored) as Recorded<TelemetryEvent> & Recorded<AlarmOrFault>;
    const { id, stream, revision, position, recordedAt, meta } = stored;
    const { commandId = '', at = '', organisation = '' } = meta;
    const place = { id, stream, revision, position, recordedAt, commandId, at, organisation };
    const by = { kind: 'system', id: 'telemetry' } as const;
    return { ...place, by, origin: 'system', event: { type: 'PointsUpdated', stored } };
  },
};

type AlarmOrFault = Exclude<TelemetryEvent, { readonly type: 'PointsUpdated' }>;

interface Evaluate {
  readonly kind: 'evaluate';
  readonly stored: StoredEvent;
  readonly organisation: string;
  readonly ingestedAt: Instant;
}

/**
 * Evaluates diagnostic rules on new samples. The rules' progress is stored in the transaction of
 * their findings, so that an ingest that is repeated after a crash finds no fault twice.
 */
export const faultDetection = (
  diagnostics: Pick<Diagnostics, 'evaluate' | 'hasRules'>,
): Process<Unread | AlarmOrFault, undefined, Evaluate> => ({
  name: 'fault-detection',
  categories: ['telemetry'],
  codec: lazyCodec,
  partitionOf: buildingOf,
  attemptsMax: EVALUATION_ATTEMPTS_MAX,
  on: {
    PointsUpdated: ({ event: { stored }, at: ingestedAt, organisation = '' }) => [
      { kind: 'evaluate', stored, organisation, ingestedAt },
    ],
  },
  effects: {
    async evaluate(effect, { at, by, origin, traceparent, signal }) {
      const { stored, organisation, ingestedAt } = effect;
      if (!(await diagnostics.hasRules(buildingOf(stored.stream)))) return done;
      const { event } = telemetryCodec.decode(stored);
      const occasion = { at, by, origin, organisation, traceparent, ingestedAt };
      if (event.type === 'PointsUpdated') await diagnostics.evaluate(event, occasion, signal);
      return done;
    },
  },
});

/** Publishes alarms and faults on the internal bus, in order. interface.md «Events». */
export const faultPublishing = (
  publish: Publish,
): Process<Unread | AlarmOrFault, undefined, PublishEffect> => {
  const published = ({ id, event }: Recorded<AlarmOrFault>): readonly PublishEffect[] =>
    messagesOf(event).map(({ key, buildingId, type, data, at }) => ({
      kind: 'publish',
      eventId: uuidFrom(key, id),
      subject: { buildingId, type },
      data,
      at,
    }));
  return {
    name: 'fault-publishing',
    categories: ['telemetry'],
    codec: lazyCodec,
    partitionOf: buildingOf,
    on: { AlarmTriggered: published, FaultCreated: published },
    effects: { publish: publishTo(publish) },
  };
};
