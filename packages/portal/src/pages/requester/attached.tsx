import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Report } from './one.tsx';

/** The photos and files of a report, to be downloaded. */
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
        {of.map(({ attachmentId, name }) => (
          <li key={attachmentId}>
            <a href={`/api/service-desk/requests/${ticketId}/attachments/${attachmentId}`} download>
              <Icon name="download" />
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
