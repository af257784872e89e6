import type { Pool } from 'pg';
import { carriedOutIn } from '../../projections/erasures/carried-out.ts';
import type { ErasureList } from '../../use-cases/erasures/erasure-list.ts';
import { failed, ok, type Finding } from './check.ts';

/** Whether the listed erasures that this database has not applied yet can be read. */
export const erasuresFinding = async (
  pool: Pool,
  list: Pick<ErasureList, 'names' | 'read'>,
): Promise<Finding> => {
  const carriedOut = carriedOutIn(pool);
  const unreadable: string[] = [];
  let listed = 0;
  for await (const names of list.names()) {
    listed += names.length;
    const missing = await carriedOut.missing(names);
    const entries = list.read(missing, ({ message }) => unreadable.push(message));
    for await (const entry of entries) void entry;
  }
  if (unreadable.length === 0) return ok(`${listed} listed, all carried out or readable`);
  const [first] = unreadable;
  return failed(`${unreadable.length} of ${listed} cannot be carried out: ${first}`);
};
