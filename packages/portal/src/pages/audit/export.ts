import { AtriumError, type Problem } from '../../../../sdk/src/index.ts';
import type { Api } from '../../session/requests.ts';
import type { AuditFilters } from './filters.ts';

const ENDINGS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const;

/** Everything that the filters select, as a file. @throws as the client does. */
export const exportAs = async (
  api: Api,
  type: keyof typeof ENDINGS,
  filters: AuditFilters,
): Promise<void> => {
  const query = new URLSearchParams({ ...filters });
  const answer = await api.fetch(`/api/v1/keys/audit?${query}`, { headers: { accept: type } });
  if (!answer.ok) throw new AtriumError((await answer.json()) as Problem, answer);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.${ENDINGS[type]}`;
  link.click();
  URL.revokeObjectURL(address);
};
