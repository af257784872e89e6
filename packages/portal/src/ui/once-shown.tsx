import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button, CopyableText, Dialog } from './controls.tsx';
import { useUnsaved, type UnsavedQuestion } from './unsaved.tsx';

const LEAVING: UnsavedQuestion = {
  title: 'Have you kept it?',
  detail: 'It is not shown again.',
  leave: 'Leave',
  stay: 'Stay here',
};

/** A secret that no later response contains: closing its dialog or its page always asks first. */
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
  useUnsaved(true, onClose, LEAVING);
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
