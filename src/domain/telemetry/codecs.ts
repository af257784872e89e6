import { codecOf } from '../../engine/log/codec.ts';
import { faultTicketEventSchemas, type FaultTicketEvent } from './fault-events.ts';

export const faultTicketCodec = codecOf<FaultTicketEvent>(faultTicketEventSchemas);
