/** The pictures of a ticket, one at a time. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button, Dialog } from '../ui/controls.tsx';
import { addressOf, pictureOf, type Attachment } from './files.ts';

/** The left and right arrow keys change the picture; Escape closes the viewer. */
export const PictureViewer = ({
  ticketId,
  pictures,
  shownId,
  onShow,
  onClose,
}: {
  readonly ticketId: string;
  readonly pictures: readonly Attachment[];
  readonly shownId: string;
  readonly onShow: (attachmentId: string) => void;
  readonly onClose: () => void;
}): JSX.Element | null => {
  const at = pictures.findIndex(({ attachmentId }) => attachmentId === shownId);
  const [brokenId, setBroken] = useState<string | null>(null);
  const step = (by: number) => {
    const next = pictures[at + by];
    if (next) onShow(next.attachmentId);
  };
  // A layout effect, so that the next key starts from the new picture and not from the previous
  // one.
  useLayoutEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      step(by);
    };
    addEventListener('keydown', turn);
    return () => removeEventListener('keydown', turn);
  });
  const shown = pictures[at];
  // Another user may have removed the picture.
  useEffect(() => {
    if (shown === undefined) onClose();
  }, [shown === undefined]);
  if (shown === undefined) return null;
  const { attachmentId, name } = shown;
  return (
    <Dialog title={name} isWide onClose={onClose}>
      <div class="viewer">
        {brokenId === attachmentId ? (
          <p role="alert">This picture cannot be shown here. Download it to see it.</p>
        ) : (
          <img
            key={attachmentId}
            src={pictureOf(ticketId, shown)}
            alt={name}
            onError={() => setBroken(attachmentId)}
          />
        )}
      </div>
      <div class="viewer-end">
        <Button
          icon="before"
          label="Previous picture"
          isDisabled={at === 0}
          onPress={() => step(-1)}
        />
        <span role="status">
          {at + 1} of {pictures.length}
        </span>
        <Button
          icon="after"
          label="Next picture"
          isDisabled={at === pictures.length - 1}
          onPress={() => step(1)}
        />
        <a class="button plain" href={addressOf(ticketId, attachmentId)} download={name}>
          Download
        </a>
      </div>
    </Dialog>
  );
};
