import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import type { OutboxItem } from '../../outbox/outbox.ts';
import { useOutbox } from '../../outbox/use-outbox.ts';
import { go } from '../../router.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { useChangedItem } from './change-item.ts';
import { waitingPhotosOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { usePhotos } from './use-photos.ts';

/** How long the form waits before the note is sent in the background, in milliseconds. */
const WAIT_MS = 10_000;

interface Parts {
  readonly ticketId: string;
  readonly onAdded: () => void;
}

/** A note with photos, queued in the browser while it is offline. */
export const AddNote = (parts: Parts): JSX.Element => {
  const changed = useChangedItem();
  return <NoteForm key={changed?.id} {...parts} changed={changed} />;
};

const NoteForm = ({
  ticketId,
  onAdded,
  changed,
}: Parts & {
  /** The refused note that this one replaces; `null`: it is a new one. */
  readonly changed: OutboxItem | null;
}): JSX.Element => {
  const { say } = usePortal();
  const { outbox } = useOutbox();
  const name = `report/${ticketId}/note${changed === null ? '' : `/${changed.id}`}`;
  const form = useForm(name, {
    body: changed?.command.kind === 'note' ? changed.command.body : '',
  });
  const photos = usePhotos(form, name, changed?.photos);
  const adding = useSubmission(async () => {
    const { body } = form.values;
    const sent = waitingPhotosOf(form.commandId, await photos.chosen());
    const { became } = await outbox.add(
      { id: form.commandId, command: { kind: 'note', ticketId, body }, photos: sent },
      WAIT_MS,
    );
    form.sent();
    photos.clear();
    if (changed !== null) {
      outbox.discard(changed.id);
      go(['mine', ticketId]);
    }
    if (became === 'ticket') say('The note is added.');
    onAdded();
  });
  return (
    <Card title="Add something">
      <Form of={adding} draft={photos.draft} submitLabel="Send">
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
