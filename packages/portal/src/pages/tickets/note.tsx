import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import {
  ChosenFileList,
  useChosenFiles,
  type ChosenFiles,
} from '../../attachments/chosen-files.tsx';
import { FileDrop } from '../../attachments/file-drop.tsx';
import { failureOf } from '../../attachments/files.ts';
import { sendNote } from '../../attachments/sending.ts';
import { usePortal } from '../../context.ts';
import { useForm, type FormState } from '../../form.ts';
import { useSubmission, type Submission } from '../../loading.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';

export type NoteValues = { readonly body: string; readonly isPublic: boolean };

/** The name of the note form of a ticket, the same on all pages: they share one draft. */
export const noteFormOf = (id: string): string => `tickets/${id}/note`;

export interface Note {
  readonly form: FormState<NoteValues>;
  readonly chosen: ChosenFiles;
  readonly adding: Submission;
  /** Upload progress from 0 to 1; `null`: the server does not answer. */
  readonly sent: number | null | undefined;
  readonly cancel: () => void;
}

/** A note on a ticket, with or without files. A failure keeps text and files. */
export const useNote = (id: string, onAdded: () => void): Note => {
  const { api, session } = usePortal();
  const form = useForm<NoteValues>(noteFormOf(id), { body: '', isPublic: false });
  const chosen = useChosenFiles();
  const [sent, setSent] = useState<number | null | undefined>(undefined);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(new Cancelled()), []);
  const { body, isPublic } = form.values;
  const visibility = isPublic ? 'public' : 'internal';

  const sendFiles = async () => {
    ending.current = new AbortController();
    try {
      const { files, key } = chosen;
      await sendNote(
        session,
        id,
        { body, visibility, files },
        {
          // A note with other text or other files is another command.
          key: `${form.commandId}.${key}`,
          onProgress: setSent,
          signal: ending.current.signal,
        },
      );
      chosen.clear();
    } catch (error) {
      if (AtriumError.is(error, 'ATTACHMENT_REFUSED'))
        throw new Error(failureOf(error), { cause: error });
      throw error;
    } finally {
      ending.current = null;
      setSent(undefined);
    }
  };
  const adding = useSubmission(async () => {
    if (chosen.files.length > 0) await sendFiles();
    else
      await api.POST('/api/service-desk/requests/{id}/updates', {
        params: { path: { id }, header: { 'Idempotency-Key': form.commandId } },
        body: { body, visibility },
      });
    form.sent();
    onAdded();
  });
  // Clears the error, which was about the previous files.
  useEffect(adding.clear, [chosen.key]);
  return { form, chosen, adding, sent, cancel: () => ending.current?.abort(new Cancelled()) };
};

/** The user cancelled the upload. */
class Cancelled extends Error {
  constructor() {
    super('The upload was cancelled. The text and the files are still here.');
    this.name = 'Cancelled';
  }
}

/** The text of a note, its visibility, and its files: picked, dropped or pasted. */
export const NoteInputs = ({
  of: { form, chosen, sent, cancel },
  isLabelHidden = false,
  rows,
}: {
  readonly of: Note;
  readonly isLabelHidden?: boolean;
  readonly rows: number;
}): JSX.Element => (
  <FileDrop onFiles={sent === undefined ? chosen.add : null}>
    <TextArea
      label="Note"
      isLabelHidden={isLabelHidden}
      value={form.values.body}
      onValue={form.set('body')}
      rows={rows}
      maxLength={20_000}
      isRequired
    />
    <CheckField
      label="Public: everyone who can read the ticket sees it"
      isChecked={form.values.isPublic}
      onValue={form.set('isPublic')}
    />
    <ChosenFileList of={chosen} sent={sent} onCancel={cancel} />
  </FileDrop>
);

export const NoteForm = ({
  id,
  onAdded,
  onDirty,
}: {
  readonly id: string;
  readonly onAdded: () => void;
  /** Called when input begins, and when the note is sent or discarded. */
  readonly onDirty: (isDirty: boolean) => void;
}): JSX.Element => {
  const { say } = usePortal();
  const note = useNote(id, () => {
    say('The note is added.');
    onAdded();
  });
  const { form, chosen, adding } = note;
  const isBegun = form.isDirty || chosen.files.length > 0;
  useEffect(() => onDirty(isBegun), [onDirty, isBegun]);
  return (
    <Card title="Add a note">
      <Form of={adding} draft={form} submitLabel="Add note">
        <NoteInputs of={note} isLabelHidden rows={3} />
      </Form>
    </Card>
  );
};
