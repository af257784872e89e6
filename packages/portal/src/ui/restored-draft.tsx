import type { JSX } from 'preact';
import { clockTime } from './times.tsx';

/** Notice that a form has the input of an earlier page. @param at When it was typed. */
export const RestoredDraft = ({
  at,
  onDiscard,
}: {
  readonly at: number;
  readonly onDiscard: () => void;
}): JSX.Element => (
  <p class="draft-notice" role="status">
    <span>Draft from {clockTime(at)} restored</span>
    <button type="button" class="button quiet" onClick={onDiscard}>
      Discard
    </button>
  </p>
);
