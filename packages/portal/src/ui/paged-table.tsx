import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../loading.ts';
import { ask, type Route } from '../router.ts';
import { Pager, Table, type Column } from './content.tsx';
import { Show } from './notices.tsx';

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly totalCapped?: boolean;
}

/** The page that the address asks for; the first is 1. */
export const pageIn = (route: Route): number => Number(route.query.get('page') ?? 1);

/** A list whose page stands in the address. */
export const PagedTable = <Row,>({
  of,
  route,
  limit,
  caption,
  columns,
  keyOf,
  empty,
}: {
  readonly of: Omit<Loaded<Page<Row>>, 'set'>;
  readonly route: Route;
  /** Rows of a page. */
  readonly limit: number;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** In place of a table without rows. */
  readonly empty: ComponentChildren;
}): JSX.Element => (
  <Show of={of}>
    {({ items, total, totalCapped }) =>
      items.length === 0 ? (
        empty
      ) : (
        <>
          <Table caption={caption} columns={columns} rows={items} keyOf={keyOf} />
          <Pager
            page={pageIn(route)}
            limit={limit}
            total={total}
            isCapped={totalCapped === true}
            onPage={(page) => ask(route, { page })}
          />
        </>
      )
    }
  </Show>
);
