import { codecOf } from '../../engine/log/codec.ts';
import { sealedTypes } from '../../engine/personal/sealed-types.ts';
import { statusLinkEventSchemas, type StatusLinkEvent } from './events.ts';

export const statusLinkCodec = codecOf<StatusLinkEvent>(sealedTypes(statusLinkEventSchemas));
