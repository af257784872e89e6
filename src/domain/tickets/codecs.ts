import { codecOf } from '../../engine/log/codec.ts';
import { sealedTypes } from '../../engine/personal/sealed-types.ts';
import { bulkEventSchemas, type BulkEvent } from './bulk.ts';
import type { TicketEvent } from './events.ts';
import { feedSkipEventSchemas, type FeedSkipEvent } from './feed-skips.ts';
import { numberingEventSchemas, type NumberingEvent } from './numbering.ts';
import { ticketEventTypes } from './personal.ts';

export const ticketCodec = codecOf<TicketEvent>(ticketEventTypes);
export const numberingCodec = codecOf<NumberingEvent>(sealedTypes(numberingEventSchemas));
export const feedSkipCodec = codecOf<FeedSkipEvent>(feedSkipEventSchemas);
export const bulkCodec = codecOf<BulkEvent>(sealedTypes(bulkEventSchemas));
