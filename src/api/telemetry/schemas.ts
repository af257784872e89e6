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
      .describe(
        "A value of the point's `valueType`. A number must be finite, and is stored as the " +
          'nearest double (IEEE 754); a boolean is not accepted as a number.',
      ),
    timestamp: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'Default: now. At most 5 minutes in the future and not before the year 2000; stored ' +
          'in milliseconds.',
      ),
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
  .object({ accepted: z.int().describe('Number of observations accepted.') })
  .meta({ id: 'ObservationsAccepted' });

export const PointParams = BuildingParams.extend({
  pointId: id.describe('Internal id.').meta(exampled(demo.pointId)),
});

/** The values of `bucket` in milliseconds: each divides a day. */
export const bucketsMs = { '1m': 60_000, '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000 };

export const instant = z.iso.datetime({ offset: true }).refine(
  // Leap seconds and years out of range have the right form too.
  (text) => Number.isFinite(Date.parse(text)),
  'must be an existing date and time',
);

export const ObservationsQuery = z.strictObject({
  from: instant.optional().describe('Inclusive. Default: a day before `to`.'),
  to: instant.optional().describe('Exclusive. Default: everything up to now.'),
  bucket: z
    .enum(['1m', '15m', '1h', '1d'])
    .optional()
    .describe('Length of a bucket. Buckets are aligned to midnight (UTC).'),
});

const SampleBody = z
  .object({ timestamp: z.iso.datetime(), value: z.union([z.number(), z.boolean()]) })
  .meta({ id: 'Sample' });

const BucketBody = z
  .object({
    timestamp: z.iso.datetime().describe('When the bucket begins.'),
    min: z.number(),
    max: z.number(),
    mean: z.number().describe('For boolean points, the share of `true`.'),
    count: z.int(),
  })
  .meta({ id: 'SampleBucket' });

export const ObservationListBody = z
  .object({
    items: z.array(z.union([SampleBody, BucketBody])),
    nextFrom: z.iso
      .datetime()
      .nullable()
      .describe('`from` of the next request; `null` on the last page.'),
  })
  .meta({ id: 'ObservationPage' });
