/** What the list can show of a ticket, and in which order it can be sorted. */
import type { ComponentChildren, JSX } from 'preact';
import { to } from '../../router.ts';
import { Ago } from '../../ui/times.tsx';
import { assigneeOf, type Names } from './people.ts';
import { SlaHint } from './sla.tsx';
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
}

const Faint = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <span class="faint">{children}</span>
);

/** State, priority and assignee are edited where they stand: the grid makes their cells. */
export const columns: readonly TicketColumn[] = [
  {
    key: 'number',
    name: 'Number',
    cell: ({ number }) => <span class="faint nowrap">{number}</span>,
  },
  {
    key: 'subject',
    name: 'Subject',
    cell: (ticket) => (
      <a class="subject" tabIndex={-1} href={to(['tickets', ticket.id])}>
        {titleOf(ticket)}
      </a>
    ),
  },
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
    cell: ({ reporterName, reporterEmail }) => reporterName ?? reporterEmail ?? <Faint>–</Faint>,
  },
  { key: 'requestType', name: 'Request type', cell: ({ requestType }) => requestType },
  {
    key: 'createdAt',
    name: 'Raised',
    sort: 'createdAt',
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

/** The subject leads to the ticket and is always there. */
export const columnsOf = (keys: readonly string[]): readonly TicketColumn[] => {
  const known = keys.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const hasSubject = known.some(({ key }) => key === 'subject');
  return hasSubject ? known : [...columns.filter(({ key }) => key === 'subject'), ...known];
};
