/** Conditions on the answers of a ticket's form, as SQL. */
import type { Bind } from '../../snapshot.ts';
import { pairOf } from '../pairs.ts';
import { ANSWERS } from './tables.ts';

/** By key of a form's field; one of its values must be an answer of the ticket. */
export interface AnswerFilter {
  /** Alias. */
  readonly organisation: string;
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The tickets with one of the answers to a field; of a single one, in the order of the index. */
export const answersTo = (
  { organisation, fields = {} }: AnswerFilter,
  key: string,
  bind: Bind,
): string => {
  const [pair, ...others] = (fields[key] ?? []).map((value) => pairOf(key, value));
  const isAmong =
    pair !== undefined && others.length === 0
      ? `= ${bind(pair, 'uuid')}`
      : `= any(${bind(pair === undefined ? [] : [pair, ...others], 'uuid[]')})`;
  return `from ${ANSWERS} a
    where a.organisation_id = ${bind(organisation, 'text')} and a.pair ${isAmong}`;
};

/** The requested answers to a field that the ticket in `table` has. */
export const answersIn = (filter: AnswerFilter, key: string, bind: Bind, table: string): string =>
  `select ${answersTo(filter, key, bind)} and a.n > 0
    and a.created_at = ${table}.created_at and a.id = ${table}.id`;

/**
 * Whether the ticket in `t` has a requested answer to each of these fields. A scalar subquery,
 * which the planner does not convert into a join: it tests each ticket's answers.
 */
export const lookedAt = (filter: AnswerFilter, keys: readonly string[], bind: Bind): string =>
  keys.map((key) => `and (${lookAt(answersIn(filter, key, bind, 't'))})`).join(' ');

const lookAt = (answers: string): string => `${answers.replace('select', 'select true')} limit 1`;
