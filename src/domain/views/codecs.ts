import { codecOf } from '../../engine/log/codec.ts';
import { viewEventSchemas, type ViewEvent } from './events.ts';

export const viewCodec = codecOf<ViewEvent>(viewEventSchemas);
