import { codecOf } from '../../engine/log/codec.ts';
import {
  buildingImported,
  telemetryEventSchemas,
  type BuildingEvent,
  type TelemetryEvent,
} from './events.ts';

export const buildingCodec = codecOf<BuildingEvent>({ BuildingImported: buildingImported });
export const telemetryCodec = codecOf<TelemetryEvent>(telemetryEventSchemas);
export const announcementCodec = codecOf<BuildingEvent | TelemetryEvent>({
  BuildingImported: buildingImported,
  ...telemetryEventSchemas,
});
