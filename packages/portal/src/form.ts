/**
 * The state of a form on a record: it keeps the record as it was opened, whatever the page loads
 * meanwhile, tracks changed members, and survives as a draft.
 */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { usePortal } from './context.ts';
import { draftsOf, ownDraft } from './drafts.ts';
import type { Conflict } from './merge.ts';

export type Values = Readonly<Record<string, string | boolean>>;

interface Content<Of extends Values> {
  /** The record as it was when the form was opened, or as a conflict was resolved against. */
  readonly base: Of;
  /** `null` for a new record. */
  readonly revision: number | null;
  readonly values: Of;
  /** Conflicts to be resolved; `values` has the proposals. */
  readonly conflicts: readonly Conflict[];
  /** `Idempotency-Key` of a command with these values: retries are one command. */
  readonly commandId: string;
}

export interface FormState<Of extends Values> extends Content<Of> {
  /** For a field: `onValue={form.set('subject')}`. */
  readonly set: <Name extends keyof Of>(name: Name) => (value: Of[Name]) => void;
  readonly setAll: (values: Partial<Of>) => void;
  /** The members that differ from `base`. */
  readonly changed: Partial<Of>;
  readonly isDirty: boolean;
  /** When the restored draft was typed, in milliseconds since 1970; `null`: none was restored. */
  readonly restoredAt: number | null;
  /** Whether the input is stored as a draft: not if it is too long. */
  readonly isKept: boolean;
  /** Resets to `base` and removes the draft. */
  readonly discard: () => void;
  /** Called when the command has succeeded: restarts from this record and removes the draft. */
  readonly sent: (next?: Of, revision?: number | null) => void;
  /** Rebases on a newer record: `values` are to be saved on top of it. */
  readonly rebase: (content: Omit<Content<Of>, 'commandId'>) => void;
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
  const [isKept, setKept] = useState(true);
  const { base, values } = content;
  const changed = changesOf(base, values);
  const isDirty = Object.keys(changed).length > 0;
  // A layout effect, so that the storage always has what the screen shows.
  useLayoutEffect(() => {
    if (isDirty) setKept(draft.write(content));
    else draft.remove();
  }, [draft, content, isDirty]);
  const begin = (next: Of, at: number | null, sent: Of | null) => {
    draft.remove();
    setRestoredAt(null);
    setContent((last) => {
      // Keeps what was typed while the command was in flight.
      const isTypedSince = sent !== null && last.values !== sent;
      return isTypedSince ? { ...fresh(next, at), values: last.values } : fresh(next, at);
    });
  };
  const discard = () => begin(base, content.revision, null);
  const setAll = (some: Partial<Of>) =>
    setContent((last) => ({
      ...last,
      values: { ...last.values, ...some },
      commandId: crypto.randomUUID(),
    }));
  return {
    ...content,
    changed,
    isDirty,
    isKept,
    restoredAt,
    discard,
    setAll,
    set: (name) => (value) => {
      const some: Partial<Of> = {};
      some[name] = value;
      setAll(some);
    },
    sent: (next = opened, at = revision) => begin(next, at, values),
    rebase: (content) => setContent({ ...content, commandId: crypto.randomUUID() }),
  };
};

const fresh = <Of extends Values>(base: Of, revision: number | null): Content<Of> => ({
  base,
  revision,
  values: base,
  conflicts: [],
  commandId: crypto.randomUUID(),
});

export const changesOf = <Of extends Values>(base: Of, values: Of): Partial<Of> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== base[name]),
  ) as Partial<Of>;
