/**
 * The state of a form on a record: it keeps the record as it was opened, whatever the page loads
 * meanwhile, tracks changed members, and survives as a draft.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePortal } from './context.ts';
import { draftsOf, ownDraft } from './drafts.ts';
import type { Keeping } from './kept.ts';
import {
  changesOf,
  fresh,
  restarted,
  type Content,
  type Unsent,
  type Values,
} from './form-content.ts';

export interface FormState<Of extends Values> extends Content<Of> {
  /** For a field: `onValue={form.set('subject')}`. */
  readonly set: <Name extends keyof Of>(name: Name) => (value: Of[Name]) => void;
  readonly setAll: (values: Partial<Of>) => void;
  /** Whether a member differs from `base`. */
  readonly isDirty: boolean;
  /** When the restored draft was typed, in milliseconds since 1970; `null`: none was restored. */
  readonly restoredAt: number | null;
  /** Whether the input is stored as a draft. */
  readonly keeping: Keeping;
  /** Resets to `base` and removes the draft. */
  readonly discard: () => void;
  /**
   * Called when the command has succeeded: restarts from this record and removes the draft.
   *
   * @returns whether everything was sent, and nothing was typed meanwhile.
   */
  readonly sent: (next?: Of, revision?: number | null) => boolean;
  /** Rebases on a newer record, with what was typed since the command was sent. */
  readonly rebase: (onto: (last: Unsent<Of>) => Unsent<Of>) => void;
}

/**
 * @param name Of the form and its record: `tickets/018f…/edit`.
 * @param opened The record when the form was opened; later versions are ignored.
 */
export const useForm = <Of extends Values>(
  name: string,
  opened: Of,
  revision: number | null = null,
): FormState<Of> => {
  const { me } = usePortal();
  const { id } = me.actor;
  const draft = useMemo(
    () => ownDraft<Content<Of>>(draftsOf([id, me.organisation]), name),
    [id, me.organisation, name],
  );
  const [restoredAt, setRestoredAt] = useState(draft.found?.at ?? null);
  const [content, setContent] = useState<Content<Of>>(
    () => draft.found?.content ?? fresh(opened, revision),
  );
  const [keeping, setKeeping] = useState<Keeping>('kept');
  const { base, values } = content;
  const latest = useRef(content);
  latest.current = content;
  const isDirty = Object.keys(changesOf(base, values)).length > 0;
  // A layout effect, so that the storage always has what the screen shows.
  useLayoutEffect(() => {
    if (isDirty) setKeeping(draft.write(content));
    else draft.remove();
  }, [draft, content, isDirty]);
  const restart = (after: (last: Content<Of>) => Content<Of>) => {
    draft.remove();
    setRestoredAt(null);
    setContent(after);
  };
  const discard = () => restart(() => fresh(base, content.revision));
  const setAll = (some: Partial<Of>) =>
    setContent((last) => ({
      ...last,
      values: { ...last.values, ...some },
      commandId: crypto.randomUUID(),
    }));
  return {
    ...content,
    isDirty,
    keeping,
    restoredAt,
    discard,
    setAll,
    set: (name) => (value) => {
      const some: Partial<Of> = {};
      some[name] = value;
      setAll(some);
    },
    sent(next = opened, at = revision) {
      restart((last) => restarted(last, values, next, at));
      return latest.current.values === values;
    },
    rebase: (onto) => setContent((last) => ({ ...onto(last), commandId: crypto.randomUUID() })),
  };
};
