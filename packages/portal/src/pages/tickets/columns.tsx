/** The columns of the ticket list, and their sort keys. */
import type { ComponentChildren, JSX } from 'preact';
import { to } from '../../router.ts';
import { Ago } from '../../ui/times.tsx';
import { answerWords, fieldIn, requestTypeIn, type Configuration } from './answers.ts';
import { assigneeOf, type Names } from './people.ts';
import { fieldKeyIn, fieldName } from './query.ts';
import { SlaHint } from './sla.tsx';
import { TypeIcon, TypeName } from './type-icon.tsx';
import { titleOf, type Ticket } from './words.tsx';

export interface ColumnParts {
  readonly names: Names;
  readonly places: ReadonlyMap<string, string>;
}

export interface TicketColumn {
  readonly key: string;
  readonly name: string;
  /** Key of the list's `sort`. */
  readonly sort?: 'createdAt' | 'updatedAt' | 'dueAt' | 'priority';
  readonly cell: (ticket: Ticket, parts: ColumnParts) => ComponentChildren;
  /** Whether it needs the names of the rooms in the ticket's building. */
  readonly isOfRooms?: boolean;
}

const Faint = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <span class="faint">{children}</span>
);

const SUBJECT: TicketColumn = {
  key: 'subject',
  name: 'Subject',
  cell: (ticket) => (
    <a class="subject" tabIndex={-1} href={to(['tickets', ticket.id])}>
      {titleOf(ticket)}
    </a>
  ),
};

const REQUEST_TYPE: TicketColumn = {
  key: 'requestType',
  name: 'Request type',
  cell: ({ requestType }) => requestType,
};

/** State, priority and assignee are edited inline: the grid renders their cells. */
export const columns: readonly TicketColumn[] = [
  {
    key: 'number',
    name: 'Number',
    cell: ({ number }) => <span class="faint nowrap">{number}</span>,
  },
  SUBJECT,
  { key: 'state', name: 'State', cell: () => null },
  { key: 'priority', name: 'Priority', sort: 'priority', cell: () => null },
  {
    key: 'assignee',
    name: 'Assigned',
    cell: (ticket, { names }) => assigneeOf(ticket, names) ?? <Faint>nobody</Faint>,
  },
  {
    key: 'place',
    name: 'Place',
    cell: ({ spaceId }, { places }) =>
      spaceId === null ? <Faint>–</Faint> : (places.get(spaceId) ?? <Faint>…</Faint>),
  },
  { key: 'dueAt', name: 'Due', sort: 'dueAt', cell: (ticket) => <SlaHint of={ticket} /> },
  {
    key: 'updatedAt',
    name: 'Changed',
    sort: 'updatedAt',
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
  { key: 'category', name: 'Category', cell: ({ category }) => category ?? <Faint>–</Faint> },
  {
    key: 'reporter',
    name: 'Reported by',
    cell: ({ reporterName, reporterEmail, reporterErased }) =>
      reporterName ?? reporterEmail ?? <Faint>{reporterErased ? 'Erased person' : '–'}</Faint>,
  },
  REQUEST_TYPE,
  {
    key: 'createdAt',
    name: 'Raised',
    sort: 'createdAt',
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

/** The answers to a field, also to one that no form has any longer. */
const fieldColumn = (key: string, configuration: Configuration | undefined): TicketColumn => ({
  key: fieldName(key),
  name: fieldIn(configuration, key)?.label ?? key,
  isOfRooms: fieldIn(configuration, key)?.kind === 'space',
  cell: ({ formData, requestType }, { names: { people }, places }) => {
    if (!Object.hasOwn(formData, key)) return <Faint>–</Faint>;
    const field = fieldIn(configuration, key, requestType) ?? {};
    return answerWords(field, formData[key], { people, rooms: places });
  },
});

/** The subject links to the ticket and is always shown. */
export const columnsOf = (
  keys: readonly string[],
  configuration: Configuration | undefined,
): readonly TicketColumn[] => {
  const chosen = keys.flatMap((key) => {
    const field = fieldKeyIn(key);
    if (field !== null) return fieldColumn(field, configuration);
    const column = columns.find((candidate) => candidate.key === key) ?? [];
    return key === 'requestType' ? requestTypeColumn(configuration) : column;
  });
  const hasSubject = chosen.some(({ key }) => key === 'subject');
  const shown = hasSubject ? chosen : [SUBJECT, ...chosen];
  return shown.map((column) => (column === SUBJECT ? subjectColumn(configuration) : column));
};

const requestTypeColumn = (configuration: Configuration | undefined): TicketColumn => ({
  ...REQUEST_TYPE,
  cell: ({ requestType: slug }) => <TypeName of={requestTypeIn(configuration, slug)} slug={slug} />,
});

/** With the icon of its request type, if the configuration has the type. */
const subjectColumn = (configuration: Configuration | undefined): TicketColumn => ({
  ...SUBJECT,
  cell: (ticket, parts) => {
    const type = requestTypeIn(configuration, ticket.requestType);
    if (!type) return SUBJECT.cell(ticket, parts);
    return (
      <span class="type-name" title={type.name}>
        <TypeIcon name={type.icon} /> {SUBJECT.cell(ticket, parts)}
      </span>
    );
  },
});
