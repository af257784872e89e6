import type { AuditRecord } from './timeline.tsx';

export interface AuditFilters {
  readonly action?: AuditRecord['action'];
  readonly outcome?: AuditRecord['outcome'];
  readonly keyId?: string;
  readonly from?: string;
  readonly to?: string;
}

const TIMES: ReadonlySet<string> = new Set(['from', 'to']);
const NAMES = ['action', 'outcome', 'keyId', 'from', 'to'] as const;

/** The filters that are set; invalid times are dropped, since an address may be mistyped. */
export const filtersIn = (query: URLSearchParams): AuditFilters => {
  const set = NAMES.map((name) => [name, query.get(name)] as const).filter(
    ([name, value]) => value && (!TIMES.has(name) || !Number.isNaN(Date.parse(value))),
  );
  return Object.fromEntries(set);
};
