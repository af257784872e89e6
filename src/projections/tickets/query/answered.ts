/**
 * Lists by answers of forms. No tally combines answers with other filters, so tickets are counted
 * one by one, up to a bound. docs/decisions/0019.
 */
import { SEARCH_TOTAL_MAX, TICKET_READ_MAX_MS } from '../limits.ts';
import { answersTo, lookedAt } from './answers.ts';
import { conditionsOf, within, type TicketFilter } from './filter.ts';
import { orderBy, type Order } from './order.ts';
import type { Page } from './page.ts';
import { SearchTooWide, type Hits } from './search.ts';
import type { Bind, Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';
import { sumOf, totalsOf } from './total.ts';

export interface AnsweredBounds {
  /** Largest number of counted tickets. */
  readonly answeredTotalMax: number;
}

/**
 * A page of the tickets with answers, in the order of the list.
 *
 * If few tickets have an answer, or few match the other filters, all of them are read and sorted;
 * otherwise the list is walked in its order until the page is full.
 *
 * @throws {@link SearchTooWide} if time runs out, or past {@link SEARCH_TOTAL_MAX} tickets of an
 *   order in parts.
 */
export const answeredHitsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  order: Order,
  page: Page,
  bounds: AnsweredBounds,
): Promise<Hits> => {
  const rare = await rareIn(snapshot, filter, bounds);
  if (rare !== null || (await isNarrow(snapshot, filter, bounds)))
    return sorted(snapshot, filter, rare, order, page);
  await snapshot.inOrder();
  return walked(snapshot, filter, order, page, bounds);
};

/** A field whose answers are rare; `null`: none. */
const rareIn = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { answeredTotalMax }: AnsweredBounds,
): Promise<string | null> => {
  for (const key of Object.keys(filter.fields ?? {})) {
    // An index-only count, without `n > 0`: `n` is not in the index.
    const [counted] = await snapshot.rows<{ n: number }>(
      (bind) => `select count(*)::float8 as n from (
        select ${answersTo(filter, key, bind)} limit ${bind(answeredTotalMax + 1, 'bigint')}) as a`,
    );
    if (counted!.n <= answeredTotalMax) return key;
  }
  return null;
};

/** Whether few tickets match the other filters. */
const isNarrow = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { answeredTotalMax }: AnsweredBounds,
): Promise<boolean> => {
  const { fields: _, ...others } = filter;
  if (within(others, [])) return false;
  return sumOf(await totalsOf(snapshot, others, null)) <= answeredTotalMax;
};

const sorted = async (
  snapshot: Snapshot,
  { fields = {}, ...filter }: TicketFilter,
  rare: string | null,
  { parts, descending }: Order,
  { offset, limit }: Page,
): Promise<Hits> => {
  const others = Object.keys(fields).filter((key) => key !== rare);
  const direction = descending ? 'desc' : 'asc';
  const found = await snapshot.rowsInTime<{ n: number; ids: readonly string[] }>((bind) => {
    const part = parts.map(({ condition }, at) => `when ${condition} then ${at}`).join(' ');
    const answered =
      rare === null
        ? ''
        : `answered as materialized (
            select distinct a.id ${answersTo({ ...filter, fields }, rare, bind)} and a.n > 0),`;
    return `with ${answered} hits as materialized (
        select t.id, row_number() over (
          order by case ${part} end, ${orderBy(parts[0]!, direction)}) as place
        from ${rare === null ? `${LIST} t` : `answered join ${LIST} t on t.id = answered.id`}
        where ${conditionsOf(filter, bind)} ${lookedAt({ ...filter, fields }, others, bind)})
      select count(*)::float8 as n,
        array(select id::text from hits order by place
          limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) as ids
      from hits`;
  }, TICKET_READ_MAX_MS);
  if (found === null) throw new SearchTooWide('field');
  const [{ n, ids }] = found as [(typeof found)[number]];
  return { ids, found: n, capped: false };
};

const walked = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { by, parts, descending }: Order,
  { offset, limit }: Page,
  { answeredTotalMax }: AnsweredBounds,
): Promise<Hits> => {
  const { fields = {}, ...others } = filter;
  const several = Object.keys(fields).filter((key) => fields[key]!.length > 1);
  const single = Object.fromEntries(
    Object.entries(fields).filter(([key]) => !several.includes(key)),
  );
  /** Merged with the list if both are in one order, else tested ticket by ticket. */
  const answered = (isMerged: boolean, bind: Bind): string => {
    const merged =
      isMerged && Object.keys(single).length > 0 ? { ...others, fields: single } : others;
    const keys = isMerged ? several : Object.keys(fields);
    return `${conditionsOf(merged, bind)} ${lookedAt(filter, keys, bind)}`;
  };
  const rowsMax = offset + limit;
  const isDivided = parts.length > 1;
  if (isDivided && rowsMax > SEARCH_TOTAL_MAX) throw new SearchTooWide('field');
  // In an order of several parts, all rows before the page are read to find its beginning.
  const skipped = isDivided ? 0 : offset;
  const ids: string[] = [];
  for (const part of parts) {
    const left = rowsMax - skipped - ids.length;
    if (left <= 0) break;
    const rows = await snapshot.rowsInTime<{ id: string }>(
      (bind) => `select t.id from ${LIST} t
        where ${answered(by === 'createdAt', bind)} and ${part.condition}
        order by ${orderBy(part, descending ? 'desc' : 'asc')}
        limit ${bind(left, 'bigint')} offset ${bind(skipped, 'bigint')}`,
      TICKET_READ_MAX_MS,
    );
    if (rows === null) throw new SearchTooWide('field');
    for (const { id } of rows) ids.push(id);
  }
  const counted = await snapshot.rowsInTime<{ n: number }>(
    (bind) => `select count(*)::float8 as n from (
      select from ${LIST} t where ${answered(true, bind)}
      order by t.created_at desc, t.id desc
      limit ${bind(answeredTotalMax + 1, 'bigint')}) as answered`,
    TICKET_READ_MAX_MS,
  );
  // After a timeout, the total is only counted to the end of the page.
  const n = counted?.[0]?.n ?? skipped + ids.length;
  const capped = counted === null || n > answeredTotalMax;
  const found = counted === null ? n : Math.min(n, answeredTotalMax);
  return { ids: ids.slice(offset - skipped), found, capped };
};
