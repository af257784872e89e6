/**
 * The tickets as a grid (WAI-ARIA): one row is active, arrow keys and J and K move it, and only its
 * controls are in the tab order.
 */
import type { ComponentChildren, JSX } from 'preact';
import type { ColumnParts, TicketColumn } from './columns.tsx';
import type { Member } from './pickers.tsx';
import type { Sort } from './query.ts';
import type { Selection } from './selection.ts';
import { PriorityBadge, StateBadge, type Ticket } from './words.tsx';

export interface GridParts extends ColumnParts {
  readonly rows: readonly Ticket[];
  readonly columns: readonly TicketColumn[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  /** The id of the active ticket. */
  readonly active: string | undefined;
  readonly onActive: (id: string) => void;
  readonly selection: Selection;
  readonly mayWrite: boolean;
  readonly onPick: (member: Member, ticket: Ticket, anchor: HTMLElement) => void;
  readonly onOpen: (ticket: Ticket) => void;
}

/**
 * Up to this many columns have the widths of their kinds; more share the width, and then scroll.
 */
const ROOMY_MAX = 7;

export const rowOf = (id: string): HTMLElement | null =>
  document.querySelector(`tr[data-ticket="${CSS.escape(id)}"]`);

export const TicketGrid = (parts: GridParts): JSX.Element => {
  const { rows, columns, sort, onSort, active, onActive, selection, mayWrite, onOpen } = parts;
  const at = rows.findIndex(({ id }) => id === active);
  const moveTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row) rowOf(row.id)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || !(event.target instanceof HTMLTableRowElement)) return;
    const runs: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => moveTo(at - 1),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      Enter: () => onOpen(row),
      ...(mayWrite && {
        ' ': () => (event.shiftKey ? selection.extendTo(row) : selection.toggle(row)),
      }),
    };
    const run = runs[event.key];
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  };
  return (
    <div class="table-scroll">
      <table
        class={`table tickets${columns.length > ROOMY_MAX ? ' many' : ''}`}
        style={{ '--columns': columns.length }}
        role="grid"
        aria-multiselectable={mayWrite}
        aria-label="Tickets"
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {mayWrite && (
              <th scope="col" class="pick">
                <input
                  type="checkbox"
                  aria-label="Select all on this page"
                  checked={selection.hasShown}
                  onChange={selection.toggleShown}
                />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} of={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((ticket, index) => (
            <Row
              key={ticket.id}
              ticket={ticket}
              isActive={index === Math.max(0, at)}
              onFocus={() => onActive(ticket.id)}
              {...parts}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** All form fields share one class. */
const cellOf = (column: string): string => `cell-${column.split('.')[0]}`;

const Head = ({
  of: { key: column, name, sort: key },
  sort,
  onSort,
}: {
  readonly of: TicketColumn;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}): JSX.Element => {
  if (key === undefined)
    return (
      <th scope="col" class={cellOf(column)}>
        {name}
      </th>
    );
  const isAscending = sort === key;
  const isDescending = sort === `-${key}`;
  const order = isAscending ? 'ascending' : isDescending ? 'descending' : 'none';
  return (
    <th scope="col" class={cellOf(column)} aria-sort={order}>
      <button
        type="button"
        class="sort"
        onClick={() => onSort(isAscending ? `-${key}` : isDescending ? key : FIRST[key])}
      >
        {name}
        <span aria-hidden="true">{isAscending ? ' ↑' : isDescending ? ' ↓' : ''}</span>
      </button>
    </th>
  );
};

/** The initial sort order of each column. */
const FIRST = {
  createdAt: '-createdAt',
  updatedAt: '-updatedAt',
  dueAt: 'dueAt',
  priority: '-priority',
} as const;

const Row = ({
  ticket,
  isActive,
  onFocus,
  columns,
  names,
  places,
  selection,
  mayWrite,
  onPick,
}: GridParts & {
  readonly ticket: Ticket;
  readonly isActive: boolean;
  readonly onFocus: () => void;
}): JSX.Element => {
  const isSelected = selection.has(ticket.id);
  const tabIndex = isActive ? 0 : -1;
  return (
    <tr
      role="row"
      data-ticket={ticket.id}
      tabIndex={tabIndex}
      onFocusCapture={onFocus}
      class={isActive ? 'active' : undefined}
      {...(mayWrite && { 'aria-selected': isSelected })}
    >
      {mayWrite && (
        <td role="gridcell" class="pick">
          <input
            type="checkbox"
            tabIndex={tabIndex}
            aria-label={`Select ${ticket.number}`}
            checked={isSelected}
            onClick={(event) => {
              if (event.shiftKey) selection.extendTo(ticket);
              else selection.toggle(ticket);
            }}
          />
        </td>
      )}
      {columns.map(({ key, name, cell }) => (
        <td key={key} role="gridcell" data-name={name} class={cellOf(key)}>
          {mayWrite && isMember(key) ? (
            <button
              type="button"
              class="inline"
              tabIndex={tabIndex}
              aria-haspopup="dialog"
              title={`${name} of ${ticket.number}`}
              onClick={(event) => onPick(key, ticket, event.currentTarget)}
            >
              <MemberOf member={key} ticket={ticket} cell={cell(ticket, { names, places })} />
            </button>
          ) : (
            <MemberOf member={key} ticket={ticket} cell={cell(ticket, { names, places })} />
          )}
        </td>
      ))}
    </tr>
  );
};

const MEMBERS: readonly string[] = ['state', 'priority', 'assignee'] satisfies Member[];

const isMember = (key: string): key is Member => MEMBERS.includes(key);

const MemberOf = ({
  member,
  ticket,
  cell,
}: {
  readonly member: string;
  readonly ticket: Ticket;
  readonly cell: ComponentChildren;
}): JSX.Element => {
  if (member === 'state') return <StateBadge of={ticket.state} />;
  if (member === 'priority') return <PriorityBadge of={ticket.priority} />;
  return <>{cell}</>;
};
