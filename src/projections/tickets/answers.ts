import type { Instant } from '../../engine/aggregates/decider.ts';
import {
  FIELD_OPTIONS_MAX,
  OPTION_VALUE_CHARACTERS_MAX,
} from '../../domain/service-desk/limits.ts';
import { FIELD_KEY_FORM } from '../../domain/service-desk/request-types.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import type { Json, JsonObject } from '../../domain/tickets/free-form.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';
import { ANSWERED_FIELDS_MAX } from './limits.ts';
import { pairOf } from './metadata.ts';

/** The answers of a ticket's form by which lists can be filtered. */
export interface TicketAnswersRow {
  readonly id: string;
  readonly organisationId: string;
  readonly createdAt: Instant;
  /** Each a {@link pairOf} a field and an option, `true` or `false`. */
  readonly answers: readonly string[];
}

/**
 * Which tickets have an answer, in the order of the list.
 *
 * What could be an option is kept whatever the form says, because forms change while tickets live:
 * no change of a form rebuilds this. A row is written only when answers change, and the index is a
 * tally with one line per answer and ticket, as that of `ticketMetadata`.
 */
export const ticketAnswers: Projection<TicketEvent, TicketAnswersRow> = {
  name: 'ticket-answers',
  version: 1,
  categories: ['ticket'],
  codec: ticketCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: ({ event, at, stream }, row) => {
    if (event.type === 'TicketOpened') {
      const { ticketId: id, organisation: organisationId, formData } = event;
      return { id, organisationId, createdAt: at, answers: answersIn(formData) };
    }
    if (row === null) throw new Error(`${event.type} before TicketOpened in ${stream}`);
    if (event.type !== 'TicketEdited' || event.changes.formData === undefined) return row;
    const answers = answersIn(event.changes.formData);
    return answers.join() === row.answers.join() ? row : { ...row, answers };
  },
  table: {
    name: 'ticket_answers',
    key: 'id',
    columns: {
      id: 'uuid not null',
      organisationId: 'text not null',
      createdAt: 'text not null',
      answers: 'json not null',
    },
    indexes: [],
  },
  tallies: [
    {
      name: 'answer',
      columns: {
        organisationId: 'text not null',
        answer: 'uuid not null',
        createdAt: 'text not null',
        id: 'uuid not null',
      },
      keysOf: ({ organisationId, createdAt, id, answers }) =>
        answers.map((answer) => [organisationId, answer, createdAt, id]),
    },
  ],
};

/**
 * Sorted, each once. Of too many fields the last, because a form's own follow those it has lost.
 */
export const answersIn = (formData: JsonObject): readonly string[] => {
  const answered = Object.entries(formData)
    .filter(([key]) => FIELD_KEY_FORM.test(key))
    .slice(-ANSWERED_FIELDS_MAX);
  const pairs = answered.flatMap(([key, answer]) =>
    optionsIn(answer).map((option) => pairOf(key, option)),
  );
  return [...new Set(pairs)].sort();
};

/** What a filter can name of an answer; nothing of a long text, a number or an object. */
const optionsIn = (answer: Json): readonly string[] => {
  if (typeof answer === 'boolean') return [String(answer)];
  const values: readonly Json[] = isList(answer) ? answer : [answer];
  return values.slice(0, FIELD_OPTIONS_MAX).filter(isOption);
};

const isList = (answer: Json): answer is readonly Json[] => Array.isArray(answer);

const isOption = (value: Json): value is string =>
  typeof value === 'string' && value !== '' && value.length <= OPTION_VALUE_CHARACTERS_MAX;
