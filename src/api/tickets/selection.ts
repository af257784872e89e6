/** The filters of a list in a request. contract.md section 5. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { fieldFilterProblems } from '../../domain/service-desk/field-filters.ts';
import type { TicketSelection } from '../../projections/tickets/query/queries.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { callerIn, organisationIn } from '../sessions/authenticate.ts';
import { invalid, Problem } from '../http/problems.ts';
import type { TicketFilterQuery } from './schemas.ts';

/**
 * The tickets of the caller's organisation that match all filters; for a requester only their own.
 * `assigned=me` is the caller's own user id.
 *
 * @param now For `overdue`.
 * @throws {@link Problem} `ORGANISATION_REQUIRED`; `PERSON_REQUIRED` for `assigned=me` of a
 *   program, `VALIDATION_FAILED` beside another `assignedUserId`.
 */
export const selectionOf = (
  request: FastifyRequest,
  { assigned, ...filters }: z.output<typeof TicketFilterQuery>,
  now: string,
): TicketSelection => {
  const { requester } = request;
  const own = requester === null ? {} : { reporterUserId: requester.userId };
  const selection = { ...filters, ...own, organisation: organisationIn(request), now };
  if (assigned === undefined) return selection;
  const { person, actor } = callerIn(request);
  if (!person)
    throw new Problem('PERSON_REQUIRED', 'Only a signed-in person can use `assigned=me`.');
  if (filters.assignedUserId !== undefined && filters.assignedUserId !== actor.id) {
    const message = 'cannot be combined with the assignedUserId of another user';
    throw invalid([{ path: 'assigned', message }]);
  }
  return { ...selection, assignedUserId: actor.id };
};

/**
 * As {@link selectionOf}, where fields of forms are among the filters.
 *
 * @throws {@link Problem} also `VALIDATION_FAILED` for a field that cannot be filtered by.
 */
export const checkedSelection = async (
  desks: Pick<ServiceDesks, 'configurationOf'>,
  ...asked: Parameters<typeof selectionOf>
): Promise<TicketSelection> => {
  const selection = selectionOf(...asked);
  await checkFieldFilters(desks, selection);
  return selection;
};

/**
 * @param within The path of the filters in the request, such as `filters.`.
 * @throws {@link Problem} `VALIDATION_FAILED` for a field that cannot be filtered by.
 */
export const checkFieldFilters = async (
  desks: Pick<ServiceDesks, 'configurationOf'>,
  { organisation, fields }: Pick<TicketSelection, 'organisation' | 'fields'>,
  within = '',
): Promise<void> => {
  if (fields === undefined) return;
  const problems = fieldFilterProblems(await desks.configurationOf(organisation), fields);
  if (problems.length === 0) return;
  throw invalid(problems.map(({ path, message }) => ({ path: `${within}${path}`, message })));
};

/** The read models that the query reads. */
export const readModelsOf = (selection: TicketSelection): readonly string[] => [
  'ticket-list',
  ...(isSearch(selection) ? ['ticket-search'] : []),
  ...(selection.fields === undefined ? [] : ['ticket-answers']),
];

/** White space alone is no search. */
export const isSearch = ({ search = '' }: TicketSelection): boolean => search.trim() !== '';
