import { codecOf } from '../../engine/log/codec.ts';
import { statusLinkEventSchemas, type StatusLinkEvent } from './events.ts';

export const statusLinkCodec = codecOf<StatusLinkEvent>(statusLinkEventSchemas);
