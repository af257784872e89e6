import { expect, it } from 'vitest';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import type { PointsUpdated } from '../../../src/domain/telemetry/events.ts';
import type { StoredEvent } from '../../../src/engine/log/event-store.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { faultDetection } from '../../../src/processes/telemetry/fault-detection.ts';

const INGESTED_AT = '2026-03-02T12:00:00.000Z';
const INGEST: PointsUpdated = {
  type: 'PointsUpdated',
  buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  points: [
    {
      pointId: '6f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d22',
      elementId: null,
      spaceId: null,
      value: 21,
      unit: null,
      observedAt: INGESTED_AT,
    },
  ],
};
const by = { kind: 'system', id: 'process:fault-detection' } as const;

it('evaluates an ingest as of its own time, not of its evaluation or of the log', async () => {
  const stored: StoredEvent = {
    ...telemetryCodec.encode('0f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d00', INGEST, {
      commandId: '1f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
      at: INGESTED_AT,
      by,
      origin: 'api',
      organisation: 'acme',
    }),
    stream: `telemetry-${INGEST.buildingId}.2026-03-02`,
    revision: 0,
    position: '1',
    recordedAt: '2026-03-02T12:00:05.000Z',
  };
  const times: string[][] = [];
  const process = faultDetection({
    hasRules: async () => true,
    evaluate: async (_event, { at, ingestedAt }) => void times.push([at, ingestedAt]),
  });
  const context: EffectContext = {
    id: '7f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d33',
    at: '2026-03-02T12:00:10.000Z',
    by,
    origin: 'system',
    mayRepeat: false,
    signal: new AbortController().signal,
  };
  const react = process.on.PointsUpdated!;
  const effects = react(process.codec.decode(stored) as never, undefined);
  expect(effects).toHaveLength(1);
  for (const effect of effects as readonly never[]) await process.effects.evaluate(effect, context);
  expect(times).toEqual([['2026-03-02T12:00:10.000Z', INGESTED_AT]]);
});
