import { codecOf } from '../../engine/log/codec.ts';
import { erasureEventSchemas, type ErasureEvent } from './events.ts';

export const erasureCodec = codecOf<ErasureEvent>(erasureEventSchemas);
