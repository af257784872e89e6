import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Submission } from '../loading.ts';
import { Icon, type IconName } from './icons.tsx';
import { Trouble } from './notices.tsx';

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
  /** Where it shows an icon alone, or the same word as others beside it. */
  readonly label?: string;
}): JSX.Element => (
  <button
    type="button"
    class={`button ${kind}`}
    onClick={onPress}
    disabled={isBusy || isDisabled}
    {...(label !== undefined && { 'aria-label': label, title: label })}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

/** A form, its command and what became of it. */
export const Form = ({
  of,
  submitLabel,
  onCancel,
  kind = 'primary',
  children,
}: {
  readonly of: Submission;
  readonly submitLabel: string;
  readonly onCancel?: () => void;
  readonly kind?: 'primary' | 'danger';
  readonly children?: ComponentChildren;
}): JSX.Element => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      of.submit();
    }}
  >
    {children}
    <Trouble error={of.error} />
    <div class="form-end">
      {onCancel && (
        <button type="button" class="button plain" onClick={onCancel}>
          Cancel
        </button>
      )}
      <button type="submit" class={`button ${kind}`} disabled={of.isBusy}>
        {of.isBusy && <span class="spinner" aria-hidden="true" />}
        {submitLabel}
      </button>
    </div>
  </form>
);

/** The browser's own: it keeps the keyboard inside and gives it back. */
export const Dialog = ({
  title,
  onClose,
  children,
  isWide = false,
}: {
  readonly title: string;
  /** Left out where it cannot be put away. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current!;
    if (!shown.open) shown.showModal();
    return () => shown.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      class={isWide ? 'wide' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        {onClose && <Button kind="quiet" icon="close" label="Close" onPress={onClose} />}
      </header>
      {children}
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

/** A text to be taken along: a token, a command. */
export const Taken = ({
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
