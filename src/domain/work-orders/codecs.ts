import { codecOf } from '../../engine/log/codec.ts';
import { workOrderEventSchemas, type WorkOrderFact } from './events.ts';

export const workOrderCodec = codecOf<WorkOrderFact>(workOrderEventSchemas);
