/** Schemas of the saved views' routes. contract.md section 5. */
import { z } from 'zod';
import { charactersIn } from '../../domain/characters.ts';
import { FIELD_FILTER_FORM } from '../../domain/service-desk/field-filters.ts';
import { ticketSorts, defaultSort } from '../../domain/tickets/sorts.ts';
import { exampled } from '../http/examples.ts';
import { FILTER_CHARACTERS_MAX } from '../http/limits.ts';
import { id, spokenText } from '../http/text.ts';
import { FIELD_FILTERS_MAX } from '../tickets/limits.ts';
import { ActorBody } from '../http/actor.ts';
import { filterNames, TicketBody, TicketFilterQuery } from '../tickets/schemas.ts';
import {
  FIELD_COLUMN_CHARACTERS_MAX,
  VIEW_COLUMNS_MAX,
  VIEW_FILTERS_CHARACTERS_MAX,
  VIEW_NAME_CHARACTERS_MAX,
} from './limits.ts';

export const ViewParams = z.object({ viewId: id });

/** Columns that pages compute from several members of a ticket. */
const computedColumns = ['place', 'assignee', 'reporter', 'dueAt'] as const;

/** Members of a ticket, and {@link computedColumns}. */
const viewColumns: readonly string[] = [...Object.keys(TicketBody.shape), ...computedColumns];

const defaultColumns = ['number', 'subject', 'state', 'priority', 'assignee', 'dueAt', 'updatedAt'];

/** The field may have been removed from its form since. */
const fieldColumn = z
  .string()
  .max(FIELD_COLUMN_CHARACTERS_MAX)
  .regex(FIELD_FILTER_FORM, 'must be a member of tickets, a derived column or `field.<key>`');

const filter = z.exactOptional(z.string().max(FILTER_CHARACTERS_MAX));

/** Each filter of the list as a text, as it is written in a query string. */
const filters = z
  .object(Object.fromEntries(filterNames.map((name) => [name, filter])))
  .catchall(z.string().max(FILTER_CHARACTERS_MAX).describe('`field.<key>`.'))
  .meta({ maxProperties: filterNames.length + FIELD_FILTERS_MAX })
  .superRefine((value, context) => {
    const characters = Object.values(value).reduce((sum, text) => sum + charactersIn(text), 0);
    if (characters > VIEW_FILTERS_CHARACTERS_MAX)
      context.addIssue(
        `must not have more than ${VIEW_FILTERS_CHARACTERS_MAX} characters in total`,
      );
    const parsed = TicketFilterQuery.safeParse(value);
    // A path into a text would name a value that the caller has not sent.
    for (const issue of parsed.error?.issues ?? [])
      context.addIssue(
        issue.code === 'unrecognized_keys'
          ? { code: issue.code, keys: issue.keys, input: value }
          : { code: 'custom', path: issue.path.slice(0, 1), message: issue.message },
      );
  })
  .describe(
    'The query parameters of the list, with the same values: `{ "state": "new,triaged" }`.',
  );

const name = spokenText(VIEW_NAME_CHARACTERS_MAX);
const shared = z.boolean().describe('Whether everyone who may read tickets sees the view.');
const sort = z.enum(ticketSorts).describe('As `sort` of the list.');
const columns = z
  .array(z.union([z.enum(viewColumns), fieldColumn]))
  .min(1)
  .max(VIEW_COLUMNS_MAX)
  .refine((names) => new Set(names).size === names.length, 'must not repeat a column')
  .describe(
    'Members of a ticket, or one of the derived columns ' +
      `${computedColumns.map((column) => `\`${column}\``).join(', ')}; ` +
      '`field.<key>` is the answer to a form field.',
  );

const example = {
  name: 'Open, soonest due',
  shared: true,
  filters: { state: 'new,triaged,in_progress', assigned: 'me' },
  sort: 'dueAt',
  columns: ['number', 'subject', 'priority', 'place', 'dueAt'],
};

export const CreateViewBody = z
  .strictObject({
    name,
    shared: shared.default(false),
    filters: filters.default({}),
    sort: sort.default(defaultSort),
    columns: columns.default(defaultColumns),
  })
  .meta({ id: 'NewView', ...exampled(example) });

export const ChangeViewBody = z
  .strictObject({
    name: z.exactOptional(name),
    shared: z.exactOptional(shared),
    filters: z.exactOptional(filters),
    sort: z.exactOptional(sort),
    columns: z.exactOptional(columns),
  })
  .meta({ id: 'ViewPatch', ...exampled({ sort: '-priority' }) });

/** A view of an earlier release may have filters, a sort or columns that no longer exist. */
export const ViewBody = z
  .object({
    viewId: z.uuid(),
    name: z.string(),
    shared: z.boolean(),
    filters: z.record(z.string(), z.string()),
    sort: z.string(),
    columns: z.array(z.string()),
    createdBy: ActorBody.describe('The author of the view.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    revision: z.int().describe('The same revision as in the `ETag`.'),
    editable: z.boolean().describe('Whether the caller may change and delete it.'),
  })
  .meta({ id: 'View' });

/** A private view of another author, without its content. */
const HiddenViewBody = ViewBody.pick({
  viewId: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
}).meta({ id: 'HiddenView' });

export const ViewListBody = z
  .object({
    items: z.array(ViewBody),
    others: z
      .array(HiddenViewBody)
      .optional()
      .describe('The private views of others, without their content. Only for managers.'),
  })
  .meta({ id: 'Views' });
