import { codecOf } from '../../engine/log/codec.ts';
import { bulkEventSchemas, type BulkEvent } from './bulk.ts';
import { ticketEventSchemas, type TicketEvent } from './events.ts';
import { feedSkipEventSchemas, type FeedSkipEvent } from './feed-skips.ts';
import { numberingEventSchemas, type NumberingEvent } from './numbering.ts';

export const ticketCodec = codecOf<TicketEvent>(ticketEventSchemas);
export const numberingCodec = codecOf<NumberingEvent>(numberingEventSchemas);
export const feedSkipCodec = codecOf<FeedSkipEvent>(feedSkipEventSchemas);
export const bulkCodec = codecOf<BulkEvent>(bulkEventSchemas);
