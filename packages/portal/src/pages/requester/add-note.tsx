import type { JSX } from 'preact';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { useOutbox } from '../../outbox/use-outbox.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { waitingPhotosOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { usePhotos } from './use-photos.ts';

/** How long the form waits before the note is sent in the background, in milliseconds. */
const WAIT_MS = 10_000;

/** A note with photos, queued in the browser while it is offline. */
export const AddNote = ({
  ticketId,
  onAdded,
}: {
  readonly ticketId: string;
  readonly onAdded: () => void;
}): JSX.Element => {
  const { outbox } = useOutbox();
  const form = useForm(`report/${ticketId}/note`, { body: '' });
  const photos = usePhotos();
  const adding = useSubmission(async () => {
    const { body } = form.values;
    const sent = waitingPhotosOf(form.commandId, await photos.chosen());
    await outbox.add(
      { id: form.commandId, command: { kind: 'note', ticketId, body }, photos: sent },
      WAIT_MS,
    );
    form.sent();
    photos.clear();
    onAdded();
  });
  return (
    <Card title="Add something">
      <Form of={adding} draft={form} submitLabel="Send">
        <TextArea
          label="Your note"
          value={form.values.body}
          onValue={form.set('body')}
          rows={3}
          maxLength={20_000}
          isRequired
        />
        <PhotoField of={photos} />
      </Form>
    </Card>
  );
};
