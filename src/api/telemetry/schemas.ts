/** What the telemetry routes take and give. contract.md section 6. */
import { z } from 'zod';
import { OBSERVATIONS_AT_ONCE_MAX } from '../../limits.ts';

const id = z.uuid().transform((value) => value.toLowerCase());

export const BuildingParams = z.object({ buildingId: id.describe('Internal id.') });

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

/** For the description and the type: what is sent is checked by `checkObservations`. */
export const ObservationsBody = z
  .strictObject({
    observations: z.array(ObservationBody).min(1).max(OBSERVATIONS_AT_ONCE_MAX),
  })
  .meta({ id: 'Observations' });

export const AcceptedBody = z
  .object({ accepted: z.int().describe('How many were sent.') })
  .meta({ id: 'ObservationsAccepted' });
