import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Dialog, Form } from '../../ui/controls.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';
import type { Ticket } from './words.tsx';

export interface NewNote {
  readonly body: string;
  readonly visibility: 'internal' | 'public';
}

/** A note where the ticket stands, or the same one for several. */
export const NoteDialog = ({
  of,
  onClose,
}: {
  readonly of: Ticket;
  readonly onClose: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  return (
    <NoteForAll
      title={`Note: ${of.number}`}
      onClose={onClose}
      onNote={async (body) => {
        const params = { path: { id: of.id } };
        await api.POST('/api/service-desk/requests/{id}/updates', { params, body });
        say(`The note is on ${of.number}.`);
      }}
    />
  );
};

export const NoteForAll = ({
  title,
  onNote,
  onClose,
}: {
  readonly title: string;
  readonly onNote: (note: NewNote) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element => {
  const [body, setBody] = useState('');
  const [isPublic, setPublic] = useState(false);
  const adding = useSubmission(async () => {
    await onNote({ body, visibility: isPublic ? 'public' : 'internal' });
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form of={adding} submitLabel="Add note" onCancel={onClose}>
        <TextArea
          label="Note"
          value={body}
          onValue={setBody}
          rows={5}
          maxLength={20_000}
          isRequired
        />
        <CheckField
          label="Public: every reader of the ticket sees it"
          isChecked={isPublic}
          onValue={setPublic}
        />
      </Form>
    </Dialog>
  );
};
