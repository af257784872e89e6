/**
 * The orders of a list as SQL. A list is a sequence of parts, each in the order of an index, so
 * that tickets without a due time are last in both directions, and priorities are sorted by rank.
 */
import { priorities } from '../../../domain/tickets/events.ts';
import type { SortKey, TicketSort } from '../../../domain/tickets/sorts.ts';

/** Divides the tickets of a filter into parts: the SQL of the part of a ticket or a count. */
export interface Division {
  readonly rows: string;
  readonly tallies: string;
}

export interface Part {
  /** A value of the {@link Division}. */
  readonly name: string;
  /** The tickets of the part, as SQL. */
  readonly condition: string;
  /** Sort columns before the id. */
  readonly columns: readonly string[];
}

export interface Order {
  readonly by: SortKey;
  readonly descending: boolean;
  /** `null`: a single part. */
  readonly division: Division | null;
  /** In the order of the list. */
  readonly parts: readonly Part[];
}

/** The name of a part that is the whole list. */
export const WHOLE = 'all';

/** @see TicketSort */
export const orderOf = (sort: TicketSort): Order => {
  const descending = sort.startsWith('-');
  const by = (descending ? sort.slice(1) : sort) as SortKey;
  return { by, descending, ...dividedBy[by](descending) };
};

/** A part's order as SQL, from its beginning (`asc`) or its end. */
export const orderBy = ({ columns }: Part, direction: 'asc' | 'desc'): string =>
  [...columns, 'id'].map((column) => `t.${column} ${direction}`).join(', ');

type Divided = Pick<Order, 'division' | 'parts'>;

const whole = (column: string) => (): Divided => ({
  division: null,
  parts: [{ name: WHOLE, condition: 'true', columns: [column] }],
});

const dividedBy: Readonly<Record<SortKey, (descending: boolean) => Divided>> = {
  createdAt: whole('created_at'),
  updatedAt: whole('updated_at'),
  dueAt: () => ({
    division: {
      rows: `case when t.next_due_at is null then 'none' else 'running' end`,
      tallies: 't.clock',
    },
    parts: [
      { name: 'running', condition: 't.next_due_at is not null', columns: ['next_due_at'] },
      { name: 'none', condition: 't.next_due_at is null', columns: [] },
    ],
  }),
  priority: (descending) => ({
    division: { rows: 't.priority', tallies: 't.priority' },
    parts: (descending ? priorities.toReversed() : priorities).map((priority) => ({
      name: priority,
      condition: `t.priority = '${priority}'`,
      columns: [],
    })),
  }),
};
