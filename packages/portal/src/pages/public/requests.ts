/** The requests of the pages without sign-in. They send no cookie, so that no session applies. */
import type { components } from '../../../../sdk/src/index.ts';
import { errorOf } from '../../../../sdk/src/problems.ts';

type Schemas = components['schemas'];
export type NewReport = Schemas['NewReport'];
export type Reported = Schemas['Report'];
export type Challenge = Schemas['ReportChallenge'];
export type ReportPlace = Schemas['ReportPlace'];
export type ReportStatus = Schemas['ReportStatus'];

const REPORT = '/api/service-desk/report';
/** The timeout of a request, after which it is retried. */
const ANSWER_MAX_MS = 20_000;

const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS);
  const answer = await fetch(path, { credentials: 'omit', cache: 'no-store', signal, ...init });
  if (!answer.ok) throw await errorOf(answer);
  return answer;
};

const json = async <Body>(path: string, init?: RequestInit): Promise<Body> =>
  (await (await ask(path, init)).json()) as Body;

export const readChallenge = (): Promise<Challenge> => json(`${REPORT}/challenge`);

/** @param search The query string of the label's address. */
export const readPlace = (search: string): Promise<ReportPlace> => {
  const query = new URLSearchParams(search);
  const placeParameters = ['building', 'space', 'element', 'code'];
  const parameters = [...query].filter(
    ([name, value]) => placeParameters.includes(name) && value !== '',
  );
  return json(`${REPORT}/place?${new URLSearchParams(parameters)}`);
};

/** @param proof `null` if there is none. */
export const sendReport = (
  report: NewReport,
  key: string,
  proof: string | null,
): Promise<Reported> =>
  json(REPORT, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(proof !== null && { 'x-atrium-proof': proof }),
    },
    body: JSON.stringify(report),
  });

export const readStatus = (token: string): Promise<ReportStatus> =>
  json(`${REPORT}/status`, { headers: { 'x-atrium-status-token': token } });

/** Whether this browser has a session; no answer counts as no. */
export const hasSignedIn = async (): Promise<boolean> => {
  try {
    return (await fetch('/session', { signal: AbortSignal.timeout(ANSWER_MAX_MS) })).ok;
  } catch {
    return false;
  }
};
