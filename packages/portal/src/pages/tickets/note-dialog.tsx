import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { Dialog, Form } from '../../ui/controls.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';
import { NoteInputs, useNote, type NoteValues } from './note.tsx';
import type { Ticket } from './words.tsx';

export interface NewNote {
  readonly body: string;
  readonly visibility: 'internal' | 'public';
}

/** The form of a note, opened on any page of tickets. */
export const NoteDialog = ({
  of,
  onClose,
}: {
  readonly of: Ticket;
  readonly onClose: () => void;
}): JSX.Element => {
  const { say } = usePortal();
  return (
    <Dialog title={`Note: ${of.number}`} onClose={onClose}>
      <OneNote
        id={of.id}
        onCancel={onClose}
        onAdded={() => {
          say(`The note is on ${of.number}.`);
          onClose();
        }}
      />
    </Dialog>
  );
};

/** Inside the dialog, which asks before chosen files are lost. */
const OneNote = ({
  id,
  onAdded,
  onCancel,
}: {
  readonly id: string;
  readonly onAdded: () => void;
  readonly onCancel: () => void;
}): JSX.Element => {
  const note = useNote(id, onAdded);
  return (
    <Form of={note.adding} draft={note.form} submitLabel="Add note" onCancel={onCancel}>
      <NoteInputs of={note} rows={5} />
    </Form>
  );
};

/** The same note for several tickets, without files. */
export const NoteForAll = ({
  form: name,
  title,
  onNote,
  onClose,
}: {
  /** The name of its draft. */
  readonly form: string;
  readonly title: string;
  readonly onNote: (note: NewNote, commandId: string) => Promise<void>;
  readonly onClose: () => void;
}): JSX.Element => {
  const form = useForm<NoteValues>(name, { body: '', isPublic: false });
  const { body, isPublic } = form.values;
  const adding = useSubmission(async () => {
    await onNote({ body, visibility: isPublic ? 'public' : 'internal' }, form.commandId);
    form.sent();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form of={adding} draft={form} submitLabel="Add note" onCancel={onClose}>
        <TextArea
          label="Note"
          value={body}
          onValue={form.set('body')}
          rows={5}
          maxLength={20_000}
          isRequired
        />
        <CheckField
          label="Public: everyone who can read the ticket sees it"
          isChecked={isPublic}
          onValue={form.set('isPublic')}
        />
      </Form>
    </Dialog>
  );
};
