/**
 * Unsaved input: the person is asked before it is lost. Forms and dialogs register while they are
 * dirty; the question precedes another page, going back and the closing of a dialog, and the
 * browser asks before the page is left.
 */
import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { followHistory } from '../history.ts';

/** Discards the input of one form, with its draft. */
interface Discard {
  (): void;
  /** The question to ask first. */
  readonly question: () => UnsavedQuestion;
}

export interface UnsavedQuestion {
  readonly title: string;
  readonly detail?: string;
  /** The label of the answer that discards it. */
  readonly leave: string;
  readonly stay: string;
  /** Asked only before the window or the session is left, not before another page of the portal. */
  readonly isOfWindow?: true;
}

const INPUT: UnsavedQuestion = {
  title: 'Discard what you typed?',
  leave: 'Discard',
  stay: 'Keep editing',
};

/** Input whose form does not track whether it is dirty. */
export const unmanaged = (): Discard => Object.assign(() => {}, { question: () => INPUT });

interface UnsavedInput {
  /** Asks whether `inputs` may be discarded, and calls `proceed` if they may. */
  readonly ask: (inputs: ReadonlySet<Discard>, proceed: () => void, stay?: () => void) => void;
  readonly inputs: Set<Discard>;
}

const Unsaved = createContext<UnsavedInput | null>(null);

/** The inputs of one dialog. */
export interface DialogScope {
  readonly inputs: Set<Discard>;
  /** Closes the dialog, after the question if it has unsaved input; `null`: it stays open. */
  close: (() => void) | null;
  /** Set by forms that track whether they are dirty. */
  isManaged: boolean;
}

export const newDialogScope = (): DialogScope => ({
  inputs: new Set(),
  close: null,
  isManaged: false,
});

export const DialogContext = createContext<DialogScope | null>(null);

interface Question {
  /** Those that the question is about. */
  readonly asked: readonly Discard[];
  /** Those that are unsaved now. */
  readonly inputs: ReadonlySet<Discard>;
  readonly proceed: () => void;
  readonly stay: () => void;
}

/** Rendered once, around all pages. */
export const UnsavedProvider = ({
  children,
}: {
  readonly children: ComponentChildren;
}): JSX.Element => {
  const [question, setQuestion] = useState<Question | null>(null);
  const unsaved = useMemo<UnsavedInput>(
    () => ({
      inputs: new Set(),
      ask: (inputs, proceed, stay = () => {}) =>
        setQuestion({ asked: [...inputs], inputs, proceed, stay }),
    }),
    [],
  );
  // A layout effect: pages render from the history that it starts to track.
  useLayoutEffect(() => {
    const { inputs, ask } = unsaved;
    const leaving = (event: BeforeUnloadEvent) => {
      if (inputs.size > 0) event.preventDefault();
    };
    addEventListener('beforeunload', leaving);
    const unfollow = followHistory((proceed, stay) => {
      const ofPage = [...inputs].filter((input) => !input.question().isOfWindow);
      if (ofPage.length === 0) return true;
      ask(new Set(ofPage), proceed, stay);
      return false;
    });
    return () => {
      removeEventListener('beforeunload', leaving);
      unfollow();
    };
  }, [unsaved]);
  return (
    <Unsaved.Provider value={unsaved}>
      {children}
      {question && <Ask of={question} onAnswered={() => setQuestion(null)} />}
    </Unsaved.Provider>
  );
};

export const useUnsavedInput = (): UnsavedInput => {
  const unsaved = useContext(Unsaved);
  if (unsaved === null) throw new Error('outside the shell');
  return unsaved;
};

/**
 * Registers the input of a form while it is dirty.
 *
 * @param question Default: about typed input.
 */
export const useUnsaved = (
  isDirty: boolean,
  discard: () => void,
  question: UnsavedQuestion = INPUT,
): void => {
  const { inputs } = useUnsavedInput();
  const dialog = useContext(DialogContext);
  const latest = useRef({ discard, question });
  latest.current = { discard, question };
  if (dialog) dialog.isManaged = true;
  // A layout effect: the clean-up of a passive one may run after the next page was requested.
  useLayoutEffect(() => {
    if (!isDirty) return;
    const entry = Object.assign(() => latest.current.discard(), {
      question: () => latest.current.question,
    });
    inputs.add(entry);
    dialog?.inputs.add(entry);
    return () => {
      inputs.delete(entry);
      dialog?.inputs.delete(entry);
    };
  }, [isDirty, inputs, dialog]);
};

const UNFINISHED: UnsavedQuestion = {
  title: 'The action is not finished',
  detail: 'It stops when you leave. Afterwards you can go on with it.',
  leave: 'Leave',
  stay: 'Stay',
  isOfWindow: true,
};

/** Asks before the window is left while an action on many records is running. */
export const useUnfinished = (isRunning: boolean): void => {
  const [isLeft, setLeft] = useState(false);
  if (isLeft && !isRunning) setLeft(false);
  useUnsaved(isRunning && !isLeft, () => setLeft(true), UNFINISHED);
};

/**
 * A dialog of the browser that closes only through `close`, on Esc too. Browsers close it by
 * themselves on a second Esc; then it is shown again. The focus returns to what opened it.
 */
export const useModal = (close: (() => void) | undefined) => {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = ref.current!;
    const opener = document.activeElement;
    shown.showModal();
    return () => {
      shown.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return {
    ref,
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close?.();
    },
    onCancel(event: Event) {
      event.preventDefault();
      close?.();
    },
    onClose() {
      const dialog = ref.current;
      if (dialog?.isConnected && !dialog.open) dialog.showModal();
    },
  };
};

/** Each question once, those about input first. */
const questionsOf = (inputs: readonly Discard[]): readonly UnsavedQuestion[] => {
  const byTitle = new Map(inputs.map((input) => [input.question().title, input.question()]));
  return [...byTitle.values()].toSorted((a, b) => +!!a.isOfWindow - +!!b.isOfWindow);
};

const Ask = ({
  of: { asked, inputs, proceed, stay },
  onAnswered,
}: {
  readonly of: Question;
  readonly onAnswered: () => void;
}): JSX.Element => {
  const keep = () => {
    onAnswered();
    stay();
  };
  const discard = () => {
    onAnswered();
    // Input that was saved meanwhile stays, and so does input that was not asked about.
    for (const forget of asked) if (inputs.has(forget)) forget();
    proceed();
  };
  const [first = INPUT, ...others] = questionsOf(asked);
  return (
    <dialog {...useModal(keep)} aria-labelledby="unsaved-title">
      <header class="dialog-head">
        <h2 id="unsaved-title">{first.title}</h2>
      </header>
      {first.detail && <p>{first.detail}</p>}
      {others.map(({ title, detail }) => (
        <p key={title}>
          <strong>{title}</strong> {detail}
        </p>
      ))}
      <div class="form-end">
        <button type="button" class="button danger" onClick={discard}>
          {first.leave}
        </button>
        {/* The initial focus of a dialog is the element with `autofocus`. */}
        <button type="button" class="button primary" autofocus onClick={keep}>
          {first.stay}
        </button>
      </div>
    </dialog>
  );
};
