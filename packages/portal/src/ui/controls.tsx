import type { ComponentChildren, JSX } from 'preact';
import {
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks';
import type { Values } from '../form-content.ts';
import type { FormState } from '../form.ts';
import type { Submission } from '../loading.ts';
import { focusInvalid } from './field-errors.ts';
import { Icon, type IconName } from './icons.tsx';
import { Spinner, Trouble } from './notices.tsx';
import { RestoredDraft } from './restored-draft.tsx';
import {
  DialogContext,
  newDialogScope,
  unmanaged,
  useModal,
  useUnsaved,
  useUnsavedInput,
} from './unsaved.tsx';

export const Button = ({
  children,
  onPress,
  kind = 'plain',
  icon,
  isBusy = false,
  isDisabled = false,
  label,
}: {
  readonly children?: ComponentChildren;
  readonly onPress: () => void;
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: IconName;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** The accessible name, for an icon alone or for a word that several buttons share. */
  readonly label?: string;
}): JSX.Element => {
  // A disabled button would lose the focus.
  const isOff = isBusy || isDisabled;
  return (
    <button
      type="button"
      class={`button ${kind}`}
      onClick={() => {
        if (!isOff) onPress();
      }}
      aria-disabled={isOff}
      aria-busy={isBusy}
      {...(label !== undefined && { 'aria-label': label, title: label })}
    >
      {isBusy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
};

/**
 * Notice that a draft was restored, or that the input cannot be stored as one. Where it is
 * rendered, the person is asked before unsaved input is lost.
 */
export const DraftNotice = ({ of }: { readonly of: DraftState }): JSX.Element | null => {
  useUnsaved(of.isDirty, of.discard);
  if (of.keeping !== 'kept')
    return (
      <p class="draft-notice">
        {of.keeping === 'too-long'
          ? 'This text is too long to be saved as a draft: send it soon.'
          : 'This browser has no room to keep it as a draft: send it soon.'}
      </p>
    );
  if (of.restoredAt === null) return null;
  return <RestoredDraft at={of.restoredAt} onDiscard={of.discard} />;
};

type DraftState = Pick<FormState<Values>, 'isDirty' | 'restoredAt' | 'keeping' | 'discard'>;

/** A form, its command and the outcome. In a dialog, `Cancel` closes the dialog as Esc does. */
export const Form = ({
  of,
  draft,
  submitLabel,
  onCancel,
  kind = 'primary',
  isReady = true,
  children,
}: {
  readonly of: Submission;
  /** The state of its fields, if it is kept as a draft. */
  readonly draft?: DraftState;
  readonly submitLabel: string;
  readonly onCancel?: () => void;
  readonly kind?: 'primary' | 'danger';
  /** Default true. False: something that is submitted is still loading. */
  readonly isReady?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element => {
  const dialog = useContext(DialogContext);
  const cancel = () => (dialog?.close ?? onCancel)?.();
  const form = useRef<HTMLFormElement>(null);
  const isRefused = !of.isBusy && of.error !== undefined;
  useLayoutEffect(() => {
    if (isRefused) focusInvalid(form.current);
  }, [isRefused]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        of.submit();
      }}
    >
      {draft && <DraftNotice of={draft} />}
      {children}
      <Trouble error={of.error} />
      <div class="form-end">
        {onCancel && (
          <button type="button" class="button plain" onClick={cancel}>
            Cancel
          </button>
        )}
        {/* A second press is ignored. */}
        <button
          type="submit"
          class={`button ${kind}`}
          disabled={!isReady}
          aria-disabled={of.isBusy}
          aria-busy={of.isBusy}
        >
          {of.isBusy && <Spinner />}
          {submitLabel}
        </button>
      </div>
    </form>
  );
};

const FIELDS = 'input:not([type=hidden]), select, textarea';

/**
 * The browser's modal dialog, which traps the focus. The first field is focused, and the element
 * that opened the dialog afterwards. Esc, `Close` and `Cancel` ask before unsaved input is lost.
 */
export const Dialog = ({
  title,
  onClose,
  children,
  isWide = false,
}: {
  readonly title: string;
  /** Absent if the dialog cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}): JSX.Element => {
  const id = useId();
  const { ask, inputs } = useUnsavedInput();
  const [isTouched, setTouched] = useState(false);
  const scope = useMemo(newDialogScope, []);
  const isUnsaved = isTouched && !scope.isManaged;
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const forget = unmanaged();
    inputs.add(forget);
    return () => void inputs.delete(forget);
  }, [isUnsaved, inputs]);
  const close =
    onClose &&
    (() => (isUnsaved || scope.inputs.size > 0 ? ask(scope.inputs, onClose) : onClose()));
  scope.close = close ?? null;
  const modal = useModal(close);
  useLayoutEffect(() => modal.ref.current!.querySelector<HTMLElement>(FIELDS)?.focus(), []);
  return (
    <dialog
      {...modal}
      aria-labelledby={id}
      class={isWide ? 'wide' : undefined}
      onInput={() => setTouched(true)}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {close && <Button kind="quiet" icon="close" label="Close" onPress={close} />}
      </header>
      <DialogContext.Provider value={scope}>{children}</DialogContext.Provider>
    </dialog>
  );
};

const COPIED_MS = 2_000;

export const Copy = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): JSX.Element => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <Button
      kind="quiet"
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? 'Copied' : label}
      onPress={copy}
    />
  );
};

/** A text to be copied: a token, a command. */
export const CopyableText = ({
  text,
  label,
}: {
  readonly text: string;
  readonly label: string;
}): JSX.Element => (
  <div class="taken">
    <code>{text}</code>
    <Copy text={text} label={label} />
  </div>
);

/** Asks before something that cannot be undone. */
export const Confirm = ({
  title,
  words,
  submitLabel,
  of,
  onClose,
}: {
  readonly title: string;
  readonly words: ComponentChildren;
  readonly submitLabel: string;
  readonly of: Submission;
  readonly onClose: () => void;
}): JSX.Element => (
  <Dialog title={title} onClose={onClose}>
    <Form of={of} submitLabel={submitLabel} kind="danger" onCancel={onClose}>
      <p>{words}</p>
    </Form>
  </Dialog>
);
