import type { JSX } from 'preact';
import { useConnection } from './live.ts';

const WORDS = {
  lost: 'No connection: changes by others are not shown. Retrying…',
  blocked:
    'Changes by others are delayed until an operator has resolved a problem with one of them.',
} as const;

/** A notice that the page receives no live changes. */
export const LiveNotice = (): JSX.Element => {
  const connection = useConnection();
  const isDelayed = connection === 'lost' || connection === 'blocked';
  return <div role="status">{isDelayed && <p class="notice">{WORDS[connection]}</p>}</div>;
};

/** Shows new tickets on request only, because rows would jump. */
export const UnseenPill = ({
  count,
  onShow,
}: {
  readonly count: number;
  readonly onShow: () => void;
}): JSX.Element => (
  <div class="unseen" role="status">
    {count > 0 && (
      <button type="button" class="pill" onClick={onShow}>
        {count.toLocaleString('en')} new
      </button>
    )}
  </div>
);
