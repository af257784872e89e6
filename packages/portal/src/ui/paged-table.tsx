import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../loading.ts';
import { ask, to, type Route } from '../router.ts';
import { Pager, Table, type Column } from './content.tsx';
import { Empty, Show } from './notices.tsx';

/** Pages beyond have no number that the server takes. */
const PAGE_MAX = 1_000_000;

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
  readonly totalCapped?: boolean;
}

/** The page that the address asks for; the first is 1, and so is what is no page. */
export const pageIn = (route: Route): number => {
  const page = Number(route.query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1;
};

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
        total > 0 ? (
          <PastTheEnd page={pageIn(route)} last={Math.ceil(total / limit)} route={route} />
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

const PastTheEnd = ({
  page,
  last,
  route,
}: {
  readonly page: number;
  readonly last: number;
  readonly route: Route;
}): JSX.Element => (
  <Empty title={`There is no page ${page.toLocaleString('en')}`}>
    <p>
      <a href={to(route.path, { ...Object.fromEntries(route.query), page: last })}>
        Page {last.toLocaleString('en')} is the last
      </a>
    </p>
  </Empty>
);
