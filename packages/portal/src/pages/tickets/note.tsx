import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission } from '../../loading.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';

export type NoteValues = { readonly body: string; readonly isPublic: boolean };

/** The form of a note on a ticket, wherever it is written: there is one draft of it. */
export const noteFormOf = (id: string): string => `tickets/${id}/note`;

export const NoteForm = ({
  id,
  onAdded,
  onDirty,
}: {
  readonly id: string;
  readonly onAdded: () => void;
  /** Called when the note is begun, and when it is sent or discarded. */
  readonly onDirty: (isDirty: boolean) => void;
}): JSX.Element => {
  const { api } = usePortal();
  const form = useForm<NoteValues>(noteFormOf(id), { body: '', isPublic: false });
  const { body, isPublic } = form.values;
  useEffect(() => onDirty(form.isDirty), [onDirty, form.isDirty]);
  const adding = useSubmission(async () => {
    const visibility = isPublic ? 'public' : 'internal';
    await api.POST('/api/service-desk/requests/{id}/updates', {
      params: { path: { id }, header: { 'Idempotency-Key': form.commandId } },
      body: { body, visibility },
    });
    form.sent();
    onAdded();
  });
  return (
    <Card title="Add a note">
      <Form of={adding} draft={form} submitLabel="Add note">
        <TextArea
          label="Note"
          isLabelHidden
          value={body}
          onValue={form.set('body')}
          rows={3}
          maxLength={20_000}
          isRequired
        />
        <CheckField
          label="Public: whoever may read the ticket sees it"
          isChecked={isPublic}
          onValue={form.set('isPublic')}
        />
      </Form>
    </Card>
  );
};
