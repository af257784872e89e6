/** Quick actions for every page: the notices with `Undo`, and the optimistic values on screen. */
import { createContext, type ComponentChildren, type FunctionComponent, type JSX } from 'preact';
import { useContext, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { createQuickActions, type ActionNotice, type QuickActions } from '../actions.ts';
import { usePortal } from '../context.ts';
import { unansweredActions, type UnansweredAction } from '../unanswered.ts';
import { Button } from './controls.tsx';
import { wordsOf } from './error-words.ts';
import { clockTime } from './times.tsx';

const Actions = createContext<QuickActions | null>(null);

/** An action without an answer, with the id of its record. */
export interface FoundAction {
  readonly id: string;
  readonly action: UnansweredAction;
  /** Begun in this window, not by an earlier page. */
  readonly isOwn: boolean;
}

export type UnansweredView = FunctionComponent<{ readonly of: readonly FoundAction[] }>;

/**
 * Sends held actions when the page is hidden or left, and has the outcome of actions without an
 * answer determined, of this page and of earlier ones. Rendered once, around all pages.
 */
export const QuickActionsProvider = ({
  loadUnanswered,
  children,
}: {
  /** Loads the view that determines their outcomes and reports failures. */
  readonly loadUnanswered: () => Promise<UnansweredView>;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const { me } = usePortal();
  const { id } = me.actor;
  const page = useMemo(() => new AbortController(), []);
  const records = useMemo(
    () => unansweredActions([id, me.organisation], crypto.randomUUID(), page.signal),
    [id, me.organisation, page],
  );
  const [found, setFound] = useState<readonly FoundAction[]>([]);
  const [isNeeded, setNeeded] = useState(false);
  const { actions, find } = useMemo(() => {
    const find = (isOwn: boolean) => (id: string, action: UnansweredAction) => {
      setFound((earlier) => [...earlier, { id, action, isOwn }]);
      setNeeded(true);
    };
    return { actions: createQuickActions(records, find(true)), find };
  }, [records]);
  // Loaded with the first action: without a connection it is too late.
  useEffect(() => actions.subscribe(() => setNeeded(true)), [actions]);
  useEffect(() => {
    records.takeOver(find(false), page.signal);
    return () => page.abort();
  }, [records, page]);
  const [Unanswered, setUnanswered] = useState<UnansweredView | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    // If a newer release has replaced the script, the records stay for one of its pages.
    void loadUnanswered().then(
      (view) => setUnanswered(() => view),
      () => {},
    );
  }, [isNeeded]);
  useEffect(() => {
    const leaving = () => void actions.flush();
    const hidden = () => document.hidden && leaving();
    addEventListener('pagehide', leaving);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      removeEventListener('pagehide', leaving);
      document.removeEventListener('visibilitychange', hidden);
      leaving();
    };
  }, [actions]);
  return (
    <Actions.Provider value={actions}>
      {children}
      {Unanswered && <Unanswered of={found} />}
      <Notices />
    </Actions.Provider>
  );
};

/**
 * `act` begins an action (see `QuickAction`), `undo()` undoes the latest, and `shown(record)` is a
 * record with pending effects: render lists, cards and pages from `shown`, and the effect, its
 * failure and its undoing appear everywhere. Renders again whenever that changes.
 */
export const useQuickActions = (): QuickActions => {
  const actions = useContext(Actions);
  if (actions === null) throw new Error('outside the shell');
  const [, renderAgain] = useReducer<number, undefined>((times) => times + 1, 0);
  useEffect(() => actions.subscribe(() => renderAgain(undefined)), [actions]);
  return actions;
};

const Notices = (): JSX.Element => {
  const { notices, pause } = useQuickActions();
  return (
    <section
      class="action-notices"
      aria-label="What was done"
      onMouseEnter={() => pause(true)}
      onMouseLeave={() => pause(false)}
      onFocusCapture={() => pause(true)}
      onBlurCapture={() => pause(false)}
    >
      {/* A live region announces only what is added to it. */}
      <div role="status" class="stack">
        {notices()
          .filter(({ error }) => error === undefined)
          .map((notice) => (
            <Notice key={notice.key} of={notice} />
          ))}
      </div>
      <div role="alert" class="stack">
        {notices()
          .filter(({ error }) => error !== undefined)
          .map((notice) => (
            <Notice key={notice.key} of={notice} />
          ))}
      </div>
    </section>
  );
};

const Notice = ({ of }: { readonly of: ActionNotice }) => {
  const { key, words, canUndo, isPending, repeatWords, canStop, error, begunAt } = of;
  const { undo, repeat, stop, dismiss } = useQuickActions();
  return (
    <div class={`action-notice${error === undefined ? '' : ' failed'}`}>
      <p>
        {words}
        {error !== undefined && `: ${wordsOf(error)}`}
        {isPending && !navigator.onLine && '. No connection.'}
        {begunAt !== undefined && ` Begun ${clockTime(begunAt)}.`}
      </p>
      {canUndo && <Button onPress={() => undo(key)}>Undo</Button>}
      {repeatWords !== null && <Button onPress={() => repeat(key)}>{repeatWords}</Button>}
      {canStop ? (
        <Button onPress={() => stop(key)}>Stop</Button>
      ) : (
        <Button kind="quiet" icon="close" label="Dismiss" onPress={() => dismiss(key)} />
      )}
    </div>
  );
};
