import { errorOf } from '../../sdk/src/problems.ts';
import type { Api } from './session/requests.ts';

const ENDINGS = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson' } as const;

/**
 * Saves a response as a file with today's date: `audit-2026-11-25.csv`.
 *
 * @throws as the client does.
 */
export const download = async (
  api: Api,
  path: string,
  type: keyof typeof ENDINGS,
  name: string,
): Promise<void> => {
  const answer = await api.fetch(path, { headers: { accept: type } });
  if (!answer.ok) throw await errorOf(answer);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}-${new Date().toISOString().slice(0, 10)}.${ENDINGS[type]}`;
  link.click();
  URL.revokeObjectURL(address);
};
