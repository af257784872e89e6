/** `/report/status#<token>`: the status of a report, for everyone with the link. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/problems.ts';
import { useLoaded } from '../../loading.ts';
import { plainText } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { when } from '../../ui/times.tsx';
import { statusOf } from '../requester/words.ts';
import { Frame } from './frame.tsx';
import { readStatus, type ReportStatus } from './requests.ts';

const tokenHere = (): string => location.hash.slice(1);

export const StatusPage = (): JSX.Element => {
  const [token, setToken] = useState(tokenHere);
  useEffect(() => {
    const look = () => setToken(tokenHere());
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);
  const status = useLoaded(() => statusWith(token), [token]);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && status.reload();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [status.reload]);
  return (
    <Frame title={status.data?.number ?? 'Status'}>
      <Show of={status}>{(found) => (found === null ? <Ended /> : <Status of={found} />)}</Show>
    </Frame>
  );
};

/** `null`: the link has no report. */
const statusWith = async (token: string): Promise<ReportStatus | null> => {
  if (token === '') return null;
  try {
    return await readStatus(token);
  } catch (error) {
    if (AtriumError.is(error, 'NOT_FOUND')) return null;
    throw error;
  }
};

const Ended = (): JSX.Element => (
  <>
    <h1>This link does not work</h1>
    <p>
      It has expired, was revoked by the service desk, or is incomplete. Contact the service desk
      with the number of your report.
    </p>
  </>
);

const Status = ({ of }: { readonly of: ReportStatus }): JSX.Element => {
  const { title, detail, tone } = statusOf[of.state];
  return (
    <>
      <p class="faint">{of.number}</p>
      <h1>{of.subject ?? 'Your report'}</h1>
      <p class={`public-state ${tone}`} role="status">
        <strong>{title}</strong>
        <span>{detail}</span>
      </p>
      <Times of={of} />
      {of.notes.length > 0 && (
        <section aria-label="Notes of the service desk">
          <h2>Notes of the service desk</h2>
          <ul class="public-notes">
            {of.notes.map(({ at, body }) => (
              <li key={`${at} ${body}`}>
                <time dateTime={at} class="faint small">
                  {when(at)}
                </time>
                <p>{plainText(body)}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="faint small">This link works until {when(of.expiresAt)}.</p>
    </>
  );
};

const Times = ({ of }: { readonly of: ReportStatus }): JSX.Element => (
  <dl class="public-times">
    {(
      [
        ['Reported', of.createdAt],
        ['Done', of.resolvedAt],
        ['Finished', of.closedAt],
      ] as const
    ).map(
      ([name, at]) =>
        at !== null && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <time dateTime={at}>{when(at)}</time>
            </dd>
          </div>
        ),
    )}
  </dl>
);
