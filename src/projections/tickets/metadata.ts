import type { JsonObject } from '../../domain/tickets/free-form.ts';
import { pairOf, ticketPairs } from './pairs.ts';

const pairsOf = (metadata: JsonObject): readonly string[] =>
  Object.entries(metadata)
    .filter((member): member is [string, string] => typeof member[1] === 'string')
    .map(([key, text]) => pairOf(key, text))
    .sort();

/** Callers store their own identifiers in the metadata of tickets, and look tickets up by them. */
export const ticketMetadata = ticketPairs({ name: 'ticket-metadata', member: 'metadata' }, pairsOf);
