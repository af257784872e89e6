import { codecOf } from '../../engine/log/codec.ts';
import { telemetryEventSchemas, type TelemetryEvent } from './events.ts';
import { faultTicketEventSchemas, type FaultTicketEvent } from './fault-events.ts';

export const telemetryCodec = codecOf<TelemetryEvent>(telemetryEventSchemas);
export const faultTicketCodec = codecOf<FaultTicketEvent>(faultTicketEventSchemas);
