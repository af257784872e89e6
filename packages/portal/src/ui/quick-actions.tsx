/** Quick actions for every page: the notices with `Undo`, and what the screen shows meanwhile. */
import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useEffect, useMemo, useReducer } from 'preact/hooks';
import { createQuickActions, type ActionNotice, type QuickActions } from '../actions.ts';
import { Button } from './controls.tsx';
import { wordsOf } from './notices.tsx';

const Actions = createContext<QuickActions | null>(null);

/** Sends what is held when the page is hidden or left. Rendered once, around all pages. */
export const QuickActionsProvider = ({
  children,
}: {
  readonly children: ComponentChildren;
}): JSX.Element => {
  const actions = useMemo(createQuickActions, []);
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
      <Notices />
    </Actions.Provider>
  );
};

/**
 * `act` begins an action (see `QuickAction`), `undo()` takes the latest back, and `shown(record)`
 * is a record as the screen has it: render lists, cards and pages from `shown`, and the effect,
 * its failure and its undoing appear everywhere. Renders again whenever that changes.
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
      {/* A live region announces only what enters it. */}
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

const Notice = ({ of: { key, words, canUndo, error } }: { readonly of: ActionNotice }) => {
  const { undo, dismiss } = useQuickActions();
  return (
    <div class={`action-notice${error === undefined ? '' : ' failed'}`}>
      <p>
        {words}
        {error !== undefined && `: ${wordsOf(error)}`}
      </p>
      {canUndo && <Button onPress={() => undo(key)}>Undo</Button>}
      <Button kind="quiet" icon="close" label="Dismiss" onPress={() => dismiss(key)} />
    </div>
  );
};
