/** The tables that the queries read, by their names in Postgres. */
import { schemaOf } from '../../../engine/projections/projection.ts';
import { ticketAnswers } from '../answers.ts';
import { ticketList } from '../list.ts';
import { ticketMetadata } from '../metadata.ts';
import { ticketSearch } from '../search.ts';

const schema = schemaOf(ticketList);

export const LIST = `${schema}.${ticketList.table.name}`;
export const COUNT = `${schema}.ticket_count`;
export const COUNT_BY_TEAM = `${schema}.ticket_count_by_team`;
export const COUNT_BY_MONTH = `${schema}.ticket_count_by_month`;
export const SEARCH = `${schemaOf(ticketSearch)}.${ticketSearch.table.name}`;
export const METADATA_PAIRS = `${schemaOf(ticketMetadata)}.${ticketMetadata.tallies![0]!.name}`;
export const ANSWERS = `${schemaOf(ticketAnswers)}.${ticketAnswers.tallies![0]!.name}`;
