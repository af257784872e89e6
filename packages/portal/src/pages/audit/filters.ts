import type { AuditRecord } from './timeline.tsx';

export interface AuditFilters {
  readonly action?: AuditRecord['action'];
  readonly outcome?: AuditRecord['outcome'];
  readonly keyId?: string;
  readonly from?: string;
  readonly to?: string;
}

const NAMES = ['action', 'outcome', 'keyId', 'from', 'to'] as const;

/** Those that are set. What the server does not know it refuses by name. */
export const filtersIn = (query: URLSearchParams): AuditFilters => {
  const set = NAMES.map((name) => [name, query.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(set);
};
