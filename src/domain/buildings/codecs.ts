import { codecOf } from '../../engine/log/codec.ts';
import {
  buildingImported,
  telemetryEventSchemas,
  type BuildingEvent,
  type TelemetryEvent,
} from './events.ts';
import { faultTicketEventSchemas, type FaultTicketEvent } from '../telemetry/fault-events.ts';

export const buildingCodec = codecOf<BuildingEvent>({ BuildingImported: buildingImported });
export const telemetryCodec = codecOf<TelemetryEvent>(telemetryEventSchemas);
export const announcementCodec = codecOf<BuildingEvent | TelemetryEvent | FaultTicketEvent>({
  BuildingImported: buildingImported,
  ...telemetryEventSchemas,
  ...faultTicketEventSchemas,
});
