import { v5 as uuidFrom } from 'uuid';
import type { PointsUpdated, TelemetryEvent } from '../domain/building/events.ts';
import { messagesOf } from '../domain/building/messages.ts';
import type { Diagnostics } from '../telemetry/diagnostics.ts';
import type { Recorded } from '../store/codec.ts';
import { telemetryCodec } from '../store/codecs.ts';
import { keyOf } from '../store/streams.ts';
import { publishTo, type Publish, type PublishEffect } from './effects.ts';
import { done } from './outcome.ts';
import type { Process } from './process.ts';

interface Evaluate {
  readonly kind: 'evaluate';
  readonly fact: PointsUpdated;
  readonly organisation: string;
}

/** A building's journals, day after day, in one lane: rules follow samples in their order. */
const buildingOf = (stream: string): string => keyOf(stream).split('.', 1)[0]!;

/**
 * Shows what points tell to the rules that watch them. What the rules have seen is remembered with
 * what they have found, so that a crash shows an ingest again and nothing is found twice.
 */
export const faultDetection = (
  diagnostics: Pick<Diagnostics, 'evaluate'>,
): Process<TelemetryEvent, undefined, Evaluate> => ({
  name: 'fault-detection',
  categories: ['telemetry'],
  codec: telemetryCodec,
  laneOf: buildingOf,
  on: {
    PointsUpdated: ({ event: fact, organisation = '' }) => [
      { kind: 'evaluate', fact, organisation },
    ],
  },
  effects: {
    async evaluate({ fact, organisation }, { at, by, origin }) {
      await diagnostics.evaluate(fact, { at, by, origin, organisation });
      return done;
    },
  },
});

/** Tells the internal bus of alarms and faults, in their order. interface.md «Events». */
export const faultPublishing = (
  publish: Publish,
): Process<TelemetryEvent, undefined, PublishEffect> => {
  const published = ({ id, event }: Recorded<TelemetryEvent>): readonly PublishEffect[] =>
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
    codec: telemetryCodec,
    laneOf: buildingOf,
    on: { AlarmTriggered: published, FaultCreated: published },
    effects: { publish: publishTo(publish) },
  };
};
