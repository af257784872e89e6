import { codecOf } from '../../engine/log/codec.ts';
import { busEventSchemas, parkedEventSchemas, type BusEvent, type ParkedEvent } from './events.ts';

export const busCodec = codecOf<BusEvent>(busEventSchemas);
export const parkedCodec = codecOf<ParkedEvent>(parkedEventSchemas);
