import type { Calls } from './calls.ts';
import type { paths } from './openapi.ts';

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** Of each member of a union: an answer may differ by the parameters. */
type ItemIn<Body> = Body extends { items: (infer Item)[] } ? Item : never;

/** An item of the list at this path. @stable */
export type ItemOf<Path extends keyof paths> = ItemIn<Answer<Path>>;

/** Paths whose answer has `items`. @stable */
export type ListPath = {
  [Path in keyof paths]: [ItemOf<Path>] extends [never] ? never : Path;
}[keyof paths];

type Parameters<Path extends ListPath> = paths[Path] extends { get: { parameters: infer All } }
  ? Omit<All, 'header' | 'cookie'>
  : never;

/** @stable */
export type Items = <Path extends ListPath>(
  path: Path,
  options?: {
    readonly params?: Parameters<Path>;
    readonly signal?: AbortSignal;
  },
) => AsyncGenerator<ItemOf<Path>, void, undefined>;

/** What any list answers, however it is paged. */
export interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | null;
  readonly caughtUp?: boolean;
  readonly blocked?: object;
  readonly nextFrom?: string | null;
  readonly page?: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly total?: number;
}

type Ask = (path: string, init: object) => Promise<{ readonly data?: unknown }>;

/** Lists that are gone on with by `after`, as feeds are, and not by `cursor`. */
export const GOES_ON_AFTER: ReadonlySet<keyof paths> = new Set<keyof paths>([
  '/api/service-desk/changes',
  '/api/service-desk/requests/{id}/updates',
  '/api/v1/bus/events',
  '/api/v1/sandboxes/{id}/requests',
]);

/** By cursor, by offset or by page: the answer says which, and where the next one is. */
export const itemsOf = (client: Calls): Items =>
  async function* items<Path extends ListPath>(
    path: Path,
    { params, signal }: { params?: Parameters<Path>; signal?: AbortSignal } = {},
  ) {
    const { query, ...others } = (params ?? {}) as { readonly query?: Query };
    const byAfter = GOES_ON_AFTER.has(path) || query?.['after'] !== undefined;
    // The parameters were checked against the caller's path; types of one path do not fit all.
    const ask = client.GET as Ask;
    for (let asked: Query | null = { ...query }; asked !== null;) {
      const init = { params: { ...others, query: asked }, ...(signal && { signal }) };
      const { data } = await ask(path, init);
      const page = data as Page;
      yield* page.items as readonly ItemOf<Path>[];
      asked = next(page, asked, byAfter ? 'after' : 'cursor');
    }
  };

export type Query = Readonly<Record<string, unknown>>;

/** The query of the page that comes next; `null` where there is none. */
export const next = (answer: Page, asked: Query, byCursor: 'after' | 'cursor'): Query | null => {
  const { items, nextCursor, caughtUp, nextFrom, page, offset, total = 0, limit = 0 } = answer;
  if (caughtUp === true || answer.blocked !== undefined) return null;
  if (nextCursor !== undefined) {
    // A feed that is not caught up continues, even if its cursor has not changed.
    const isLast = caughtUp === undefined && nextCursor === asked[byCursor];
    return nextCursor === null || isLast ? null : { ...asked, [byCursor]: nextCursor };
  }
  if (nextFrom !== undefined) return nextFrom === null ? null : { ...asked, from: nextFrom };
  if (offset !== undefined)
    return offset + items.length < total && items.length > 0
      ? { ...asked, offset: offset + limit }
      : null;
  // A total may be capped: the list ends with a page that is not full.
  if (page !== undefined) return items.length === limit ? { ...asked, page: page + 1 } : null;
  return null;
};
