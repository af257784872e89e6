/** `/report`: the form of a labelled place for people who have not signed in. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/problems.ts';
import { useLoaded } from '../../loading.ts';
import { placeIn } from '../labels/label-address.ts';
import { Show } from '../../ui/notices.tsx';
import { ReportForm } from './form.tsx';
import { Frame } from './frame.tsx';
import { proofSource } from './proof.ts';
import { reportSender } from './report-sender.ts';
import {
  hasSignedIn,
  readChallenge,
  readPlace,
  sendReport,
  type NewReport,
  type ReportPlace,
} from './requests.ts';
import { Earlier, Sent, Unsent } from './sending.tsx';

/** The report form for people who have signed in, with the same place. */
const signedInPage = (): string => `/#/report${location.search}`;

/** `null`: no reports without sign-in are accepted here, or the place is unknown. */
const placeHere = async (): Promise<ReportPlace | null> => {
  if (!(await hasSignedIn())) {
    const named = placeIn(new URLSearchParams(location.search));
    return named === null ? null : readPlace(location.search).catch(noneFor);
  }
  location.replace(signedInPage());
  // Never resolves: the browser is leaving the page.
  return new Promise(() => {});
};

const noneFor = (error: unknown): null => {
  // Sandboxes have no reports without sign-in, and disclose nothing to anonymous callers.
  const none = ['NOT_FOUND', 'VALIDATION_FAILED', 'UNAUTHENTICATED'] as const;
  if (none.some((code) => AtriumError.is(error, code))) return null;
  throw error;
};

export const PublicReportPage = (): JSX.Element => {
  const proofs = useMemo(() => proofSource(readChallenge), []);
  const sender = useMemo(() => reportSender({ send: sendReport, proofs }), [proofs]);
  const [sending, setSending] = useState(sender.now);
  useEffect(() => sender.subscribe(() => setSending(sender.now())), [sender]);
  useEffect(() => {
    window.addEventListener('online', sender.wake);
    return () => window.removeEventListener('online', sender.wake);
  }, [sender]);

  const earlier = <Earlier of={sender.earlier()} />;
  if (sending.is === 'sent')
    return (
      <Sent reported={sending.reported} onAnother={sender.clear}>
        {earlier}
      </Sent>
    );
  if (sending.is === 'sending' || sending.is === 'waiting')
    return (
      <Unsent sending={sending} onAgain={sender.wake} onDiscard={sender.discard}>
        {earlier}
      </Unsent>
    );
  return (
    <Here
      earlier={earlier}
      onOpen={proofs.prepare}
      onReport={sender.add}
      {...(sending.is === 'refused' && { refused: sending })}
    />
  );
};

const Here = ({
  earlier,
  onOpen,
  onReport,
  refused,
}: {
  readonly earlier: JSX.Element;
  readonly onOpen: () => void;
  readonly onReport: (report: NewReport) => void;
  readonly refused?: { readonly report: NewReport; readonly problem: AtriumError };
}): JSX.Element => {
  const place = useLoaded(placeHere, []);
  return (
    <Frame title="Report something">
      {earlier}
      <Show of={place}>
        {(found) =>
          found === null ? (
            <SignInInstead />
          ) : (
            <ReportForm
              place={found}
              onOpen={onOpen}
              onReport={onReport}
              {...(refused !== undefined && { refused })}
            />
          )
        }
      </Show>
    </Frame>
  );
};

const SignInInstead = (): JSX.Element => (
  <>
    <h1>Report something</h1>
    <p>Sign in to report something here.</p>
    <a
      class="button primary large"
      href={`/session/login?return=${encodeURIComponent(signedInPage())}`}
    >
      Sign in
    </a>
  </>
);
