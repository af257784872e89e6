import { AtriumError, type Problem } from '../../../../sdk/src/index.ts';
import type { Api } from '../../session/requests.ts';
import type { Report, ReportName } from './figures.ts';

export type ReportFilters = Readonly<Record<string, string | number | null | undefined>>;

/** The address of a report; empty parameters are left out. */
const addressOf = (report: ReportName, filters: ReportFilters): string => {
  const set = Object.entries(filters).filter(([, value]) => (value ?? '') !== '');
  return `/api/service-desk/reports/${report}?${new URLSearchParams(
    set.map(([name, value]) => [name, String(value)]),
  )}`;
};

const answerOf = async (api: Api, path: string, init: RequestInit): Promise<Response> => {
  const answer = await api.fetch(path, init);
  if (!answer.ok) throw new AtriumError((await answer.json()) as Problem, answer);
  return answer;
};

/** @throws as the client does. */
export const readReport = async (
  api: Api,
  report: ReportName,
  filters: ReportFilters,
  signal: AbortSignal,
): Promise<Report> => {
  const answer = await answerOf(api, addressOf(report, filters), { signal });
  return (await answer.json()) as Report;
};

/** Downloads the report as a file. @throws as the client does. */
export const downloadReport = async (
  api: Api,
  report: ReportName,
  filters: ReportFilters,
): Promise<void> => {
  const headers = { accept: 'text/csv' };
  const answer = await answerOf(api, addressOf(report, filters), { headers });
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${report}-${filters['from']}-${filters['to']}.csv`;
  link.click();
  URL.revokeObjectURL(address);
};
