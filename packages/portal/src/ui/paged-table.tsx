import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../loading.ts';
import { ask, to, type Route } from '../router.ts';
import { Pager, Table, type Column } from './content.tsx';
import { Empty, Show } from './notices.tsx';

/** The highest page number that the server accepts. */
const PAGE_MAX = 1_000_000;

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly totalCapped?: boolean;
}

/** The page number of the address, from 1; an invalid one counts as 1. */
export const pageIn = (route: Route): number => {
  const page = Number(route.query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1;
};

/** A list whose page number is in the address. */
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
  /** Rows per page. */
  readonly limit: number;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Shown in place of a table without rows. */
  readonly empty: ComponentChildren;
}): JSX.Element => (
  <Show of={of}>
    {({ items, total, totalCapped }) =>
      items.length === 0 ? (
        total > 0 ? (
          <PastTheEnd route={route} total={total} limit={limit} />
        ) : (
          empty
        )
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

/** In place of a page whose number is higher than the last. */
export const PastTheEnd = ({
  route,
  total,
  limit,
}: {
  readonly route: Route;
  readonly total: number;
  /** Rows per page. */
  readonly limit: number;
}): JSX.Element => {
  const last = Math.ceil(total / limit);
  return (
    <Empty title={`There is no page ${pageIn(route).toLocaleString('en')}`}>
      <p>
        <a href={to(route.path, { ...Object.fromEntries(route.query), page: last })}>
          Page {last.toLocaleString('en')} is the last
        </a>
      </p>
    </Empty>
  );
};
