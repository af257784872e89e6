import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Card } from '../../ui/content.tsx';
import { Form } from '../../ui/controls.tsx';
import { CheckField, TextArea } from '../../ui/fields.tsx';

export const NoteForm = ({
  id,
  onAdded,
}: {
  readonly id: string;
  readonly onAdded: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const [body, setBody] = useState('');
  const [isPublic, setPublic] = useState(false);
  const adding = useSubmission(async () => {
    const visibility = isPublic ? 'public' : 'internal';
    await api.POST('/api/service-desk/requests/{id}/updates', {
      params: { path: { id } },
      body: { body, visibility },
    });
    setBody('');
    onAdded();
  });
  return (
    <Card title="Add a note">
      <Form of={adding} submitLabel="Add note">
        <TextArea
          label="Note"
          isLabelHidden
          value={body}
          onValue={setBody}
          rows={3}
          maxLength={20_000}
          isRequired
        />
        <CheckField
          label="Public: whoever may read the ticket sees it"
          isChecked={isPublic}
          onValue={setPublic}
        />
      </Form>
    </Card>
  );
};
