/** Schemas of the telemetry routes. contract.md section 6. */
import { z } from 'zod';
import { OBSERVATIONS_AT_ONCE_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { id } from '../http/text.ts';

export const BuildingParams = z.object({
  buildingId: id.describe('Internal id.').meta(exampled(demo.buildingId)),
});

const ObservationBody = z
  .strictObject({
    pointId: z.uuid().describe('Internal id of a point of the building.'),
    value: z
      .union([z.number(), z.boolean()])
      .describe("Finite; of the point's `valueType`. A yes or no is no number."),
    timestamp: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Default: now. At most 5 minutes ahead, not before 2000; kept in milliseconds.'),
  })
  .meta({ id: 'Observation' });

/** For the description and the type: `checkObservations` validates the input. */
export const ObservationsBody = z
  .strictObject({
    observations: z.array(ObservationBody).min(1).max(OBSERVATIONS_AT_ONCE_MAX),
  })
  .meta({
    id: 'Observations',
    ...exampled({ observations: [{ pointId: demo.pointId, value: 21.5 }] }),
  });

export const AcceptedBody = z
  .object({ accepted: z.int().describe('How many were sent.') })
  .meta({ id: 'ObservationsAccepted' });

export const PointParams = BuildingParams.extend({
  pointId: id.describe('Internal id.').meta(exampled(demo.pointId)),
});

/** The values of `bucket` in milliseconds: each divides a day. */
export const bucketsMs = { '1m': 60_000, '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000 };

export const instant = z.iso.datetime({ offset: true }).refine(
  // Leap seconds and years out of range have the right form too.
  (text) => Number.isFinite(Date.parse(text)),
  'must be a time that there is',
);

export const ObservationsQuery = z.strictObject({
  from: instant.optional().describe('In it. Default: a day before `to`.'),
  to: instant.optional().describe('Not in it. Default: everything up to now.'),
  bucket: z
    .enum(['1m', '15m', '1h', '1d'])
    .optional()
    .describe('Length of the buckets, which begin at multiples of it from midnight (UTC).'),
});

const SampleBody = z
  .object({ timestamp: z.iso.datetime(), value: z.union([z.number(), z.boolean()]) })
  .meta({ id: 'Sample' });

const BucketBody = z
  .object({
    timestamp: z.iso.datetime().describe('When the bucket begins.'),
    min: z.number(),
    max: z.number(),
    mean: z.number().describe('Of a yes or no, the share of yes.'),
    count: z.int(),
  })
  .meta({ id: 'SampleBucket' });

export const ObservationListBody = z
  .object({
    items: z.array(z.union([SampleBody, BucketBody])),
    nextFrom: z.iso
      .datetime()
      .nullable()
      .describe('`from` of the next request; `null` where this is all.'),
  })
  .meta({ id: 'ObservationPage' });
