import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bytesText } from '../bytes.ts';
import { actorName, Badge } from '../ui/content.tsx';
import { Button } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Ago } from '../ui/times.tsx';
import { addressOf, isPicture, type Attachment } from './files.ts';

/** The attachments with previews, where the server has them, and their actions. */
export const AttachmentList = ({
  ticketId,
  items,
  isVisibilityShown,
  mayRemove,
  onView,
  onRemove,
}: {
  readonly ticketId: string;
  readonly items: readonly Attachment[];
  readonly isVisibilityShown: boolean;
  readonly mayRemove: (attachment: Attachment) => boolean;
  readonly onView: (attachment: Attachment) => void;
  readonly onRemove: (attachment: Attachment) => void;
}): JSX.Element | null => {
  if (items.length === 0) return null;
  return (
    <ul class="attachments">
      {items.map((item) => (
        <li key={item.attachmentId}>
          <Thumbnail of={item} onView={onView} />
          <div class="attachment-words">
            <a href={addressOf(ticketId, item.attachmentId)} download={item.name}>
              {item.name}
            </a>
            <span class="faint small">
              {bytesText(item.bytes)}, {actorName(item.createdBy)}, <Ago at={item.createdAt} />
            </span>
          </div>
          {isVisibilityShown && (
            <Badge tone={item.visibility === 'public' ? 'good' : 'neutral'}>
              {item.visibility}
            </Badge>
          )}
          {mayRemove(item) && (
            <Button
              kind="quiet"
              icon="close"
              label={`Remove ${item.name}`}
              onPress={() => onRemove(item)}
            />
          )}
        </li>
      ))}
    </ul>
  );
};

const Thumbnail = ({
  of: item,
  onView,
}: {
  readonly of: Attachment;
  readonly onView: (attachment: Attachment) => void;
}): JSX.Element => {
  const [isBroken, setBroken] = useState(false);
  const shown =
    item.preview === undefined || isBroken ? (
      <Icon name={isPicture(item) ? 'picture' : 'file'} />
    ) : (
      <img src={item.preview} alt="" loading="lazy" onError={() => setBroken(true)} />
    );
  if (!isPicture(item)) return <span class="thumbnail">{shown}</span>;
  return (
    <button
      type="button"
      class="thumbnail"
      aria-label={`Show ${item.name}`}
      onClick={() => onView(item)}
    >
      {shown}
    </button>
  );
};
