import { codecOf } from '../../engine/log/codec.ts';
import { telemetryEventSchemas, type TelemetryEvent } from './events.ts';
import { faultTicketEventSchemas, type FaultTicketEvent } from './fault-events.ts';

/** Version 2 of an alarm has no value where the point was never observed; version 1 has 0 there. */
export const telemetryCodec = codecOf<TelemetryEvent>({
  ...telemetryEventSchemas,
  AlarmTriggered: {
    schema: telemetryEventSchemas.AlarmTriggered,
    version: 2,
    upcasters: { 1: (data) => data },
    writtenBefore: { version: 1, data: (data) => ({ ...data, value: data['value'] ?? 0 }) },
  },
});
export const faultTicketCodec = codecOf<FaultTicketEvent>(faultTicketEventSchemas);
