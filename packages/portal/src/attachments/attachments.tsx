/**
 * The attachments of a ticket, for staff and, without the internal ones, for its reporter. Files
 * are added by button, drag and drop, and paste. contract.md section 5.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../context.ts';
import { useSubmission } from '../loading.ts';
import { Card } from '../ui/content.tsx';
import { Confirm } from '../ui/controls.tsx';
import { CheckField } from '../ui/fields.tsx';
import { useUnsaved } from '../ui/unsaved.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { FileDrop, FilePick, usePaste } from './file-drop.tsx';
import { isPicture, type Attachment } from './files.ts';
import { PictureViewer } from './picture-viewer.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';

export const Attachments = ({
  ticketId,
  items,
  mayAdd,
  isPublicAlone = false,
  mayRemove,
  onChanged,
}: {
  readonly ticketId: string;
  /** Oldest first. */
  readonly items: readonly Attachment[];
  readonly mayAdd: boolean;
  /**
   * Every added file is public, without a label that says so: for requesters. Default: a choice.
   */
  readonly isPublicAlone?: boolean;
  readonly mayRemove: (attachment: Attachment) => boolean;
  /** Called after an attachment was added or removed: the caller reloads `items`. */
  readonly onChanged: () => void;
}): JSX.Element | null => {
  const { say } = usePortal();
  const [isPublic, setPublic] = useState(isPublicAlone);
  const [removed, setRemoved] = useState<Attachment | null>(null);
  const [viewedId, setViewed] = useState<string | null>(null);
  const uploads = useUploads({
    ticketId,
    held: items,
    onAttached({ name }) {
      say(`${name} is attached.`);
      onChanged();
    },
  });
  const add = (files: readonly File[]) => uploads.add(files, isPublic ? 'public' : 'internal');
  usePaste(mayAdd ? add : null);
  useUnsaved(uploads.underWay > 0, uploads.cancelAll, {
    title: 'Cancel the uploads?',
    detail: `${counted(uploads.underWay)} not attached yet.`,
    leave: 'Cancel them',
    stay: 'Stay',
  });
  if (items.length === 0 && !mayAdd) return null;
  const pictures = items.filter(isPicture);
  return (
    <Card title="Attachments">
      <FileDrop onFiles={mayAdd ? add : null}>
        {items.length + uploads.items.length === 0 && <p class="faint">None yet.</p>}
        <AttachmentList
          ticketId={ticketId}
          items={items}
          isVisibilityShown={!isPublicAlone}
          mayRemove={mayRemove}
          onView={({ attachmentId }) => setViewed(attachmentId)}
          onRemove={setRemoved}
        />
        <UploadList of={uploads} />
        {mayAdd && (
          <div class="attachments-add">
            <FilePick label="Attach files" hint="Or drop or paste them here." onFiles={add} />
            {!isPublicAlone && (
              <CheckField
                label="Public: everyone who can read the ticket sees them"
                isChecked={isPublic}
                onValue={setPublic}
              />
            )}
          </div>
        )}
      </FileDrop>
      {removed && (
        <Removal
          ticketId={ticketId}
          of={removed}
          onClose={() => setRemoved(null)}
          onRemoved={onChanged}
        />
      )}
      {viewedId !== null && (
        <PictureViewer
          ticketId={ticketId}
          pictures={pictures}
          shownId={viewedId}
          onShow={setViewed}
          onClose={() => setViewed(null)}
        />
      )}
    </Card>
  );
};

const counted = (files: number): string => (files === 1 ? 'A file is' : `${files} files are`);

const Removal = ({
  ticketId,
  of: { attachmentId, name },
  onClose,
  onRemoved,
}: {
  readonly ticketId: string;
  readonly of: Attachment;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const [key] = useState(() => crypto.randomUUID());
  const removing = useSubmission(async () => {
    const path = { id: ticketId, attachmentId };
    await api.DELETE('/api/service-desk/requests/{id}/attachments/{attachmentId}', {
      params: { path, header: { 'Idempotency-Key': key } },
    });
    say(`${name} was removed.`);
    onClose();
    onRemoved();
  });
  return (
    <Confirm
      title="Remove the attachment?"
      words={`${name} is removed for everyone. This cannot be undone.`}
      submitLabel="Remove"
      of={removing}
      onClose={onClose}
    />
  );
};
