import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Report } from './one.tsx';

/** The photos and files of a report, for download. */
export const Attached = ({
  of,
  ticketId,
}: {
  readonly of: Report['attachments'];
  readonly ticketId: string;
}): JSX.Element | null =>
  of.length === 0 ? null : (
    <Card title="Photos and files">
      <ul class="attached">
        {of.map(({ attachmentId, name, preview }) => (
          <li key={attachmentId}>
            <a href={`/api/service-desk/requests/${ticketId}/attachments/${attachmentId}`} download>
              {preview !== undefined && <Preview at={preview} />}
              <Icon name="download" />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );

/** Renders nothing if the server has no preview. */
const Preview = ({ at }: { readonly at: string }): JSX.Element | null => {
  const [isMissing, setMissing] = useState(false);
  return isMissing ? null : <img src={at} alt="" loading="lazy" onError={() => setMissing(true)} />;
};
