import { codecOf } from '../../engine/log/codec.ts';
import { telemetryEventSchemas, type TelemetryEvent } from '../telemetry/events.ts';
import { faultTicketEventSchemas, type FaultTicketEvent } from '../telemetry/fault-events.ts';
import { buildingImported, type BuildingEvent } from './events.ts';

export const buildingCodec = codecOf<BuildingEvent>({ BuildingImported: buildingImported });
export const announcementCodec = codecOf<BuildingEvent | TelemetryEvent | FaultTicketEvent>({
  BuildingImported: buildingImported,
  ...telemetryEventSchemas,
  ...faultTicketEventSchemas,
});
