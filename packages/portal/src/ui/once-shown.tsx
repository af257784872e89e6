import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button, CopyableText, Dialog } from './controls.tsx';

/** A secret that no later response contains: closing its dialog always asks first. */
export const OnceShown = ({
  title,
  words,
  secret,
  label,
  onClose,
}: {
  readonly title: string;
  readonly words: string;
  readonly secret: string;
  /** The label of the button that copies it. */
  readonly label: string;
  readonly onClose: () => void;
}): JSX.Element => {
  const [isAsking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  useEffect(() => {
    // Chromium closes a dialog on the second Escape, whatever its `cancel` event says.
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      setAsking(true);
    };
    const leave = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('keydown', escape, true);
    addEventListener('beforeunload', leave);
    return () => {
      removeEventListener('keydown', escape, true);
      removeEventListener('beforeunload', leave);
    };
  }, []);
  return (
    <Dialog title={title} onClose={ask}>
      <div class="stack">
        <p>{words}</p>
        <CopyableText text={secret} label={label} />
        {isAsking && (
          <p class="notice" role="alert">
            It will not be shown again. Close this only after you have saved it.
          </p>
        )}
        <div class="form-end">
          {isAsking && <Button onPress={() => setAsking(false)}>Keep it open</Button>}
          <Button kind="primary" onPress={onClose}>
            I have saved it
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
