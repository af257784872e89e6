/** A report in flight, and the confirmation of one. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { CopyableText } from '../../ui/controls.tsx';
import { wordsOf } from '../../ui/error-words.ts';
import { Loading } from '../../ui/notices.tsx';
import { clockTime } from '../../ui/times.tsx';
import { Frame } from './frame.tsx';
import { askedDelayMs, type Sending } from './report-sender.ts';
import type { Reported } from './requests.ts';

export const Unsent = ({
  sending,
  onAgain,
  onDiscard,
  children,
}: {
  readonly sending: Extract<Sending, { is: 'sending' | 'waiting' }>;
  readonly onAgain: () => void;
  readonly onDiscard: () => void;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const { report } = sending;
  return (
    <Frame title="Not sent yet">
      <h1>{sending.is === 'sending' ? 'Sending…' : 'Not sent yet'}</h1>
      <p class="lead">{report.subject}</p>
      {sending.is === 'sending' ? <Loading what="Sending" /> : <Waiting of={sending} />}
      {sending.is === 'waiting' && (
        <p class="row">
          <button type="button" class="button primary large" onClick={onAgain}>
            Send now
          </button>
          <button type="button" class="button quiet" onClick={onDiscard}>
            Discard
          </button>
        </p>
      )}
      {children}
    </Frame>
  );
};

/** Reports of earlier visits, which were sent by this one. */
export const Earlier = ({ of }: { readonly of: readonly Reported[] }): JSX.Element | null =>
  of.length === 0 ? null : (
    <ul aria-label="Sent before">
      {of.map(({ number, statusUrl }) => (
        <li key={number}>
          {number} is sent too: <a href={statusUrl}>see its status</a>
        </li>
      ))}
    </ul>
  );

const Waiting = ({
  of: { problem, isKept },
}: {
  readonly of: Extract<Sending, { is: 'waiting' }>;
}): JSX.Element => {
  const afterMs = askedDelayMs(problem);
  return (
    <div class="notice" role="status">
      <p>
        {problem === null ? 'There is no connection.' : wordsOf(problem)}{' '}
        {afterMs === null
          ? 'It will be sent automatically once you are online.'
          : `It will be sent automatically at ${clockTime(Date.now() + afterMs)}.`}
      </p>
      <p>
        {isKept
          ? 'It is saved in this browser: you can close the page and open it again later.'
          : 'This browser cannot save it: leave the page open.'}
      </p>
    </div>
  );
};

export const Sent = ({
  reported: { number, statusUrl },
  onAnother,
  children,
}: {
  readonly reported: Reported;
  readonly onAnother: () => void;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const head = useRef<HTMLHeadingElement>(null);
  // Screen readers announce the focused heading of the changed page.
  useEffect(() => head.current?.focus(), [number]);
  return (
    <Frame title={number}>
      <h1 ref={head} tabIndex={-1}>
        Thank you: {number}
      </h1>
      <p>The service desk has received your report. Keep this link to follow it:</p>
      <CopyableText text={statusUrl} label="Copy the link" />
      <p>
        <a class="button primary large" href={statusUrl}>
          See its status
        </a>
      </p>
      <p class="faint small">
        Anyone with the link can see the status. Bookmark it: it cannot be sent to you again.
      </p>
      <p>
        <button type="button" class="button" onClick={onAnother}>
          Report something else here
        </button>
      </p>
      {children}
    </Frame>
  );
};
