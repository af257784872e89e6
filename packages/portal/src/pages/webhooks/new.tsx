import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Dialog, Form, OnceShown } from '../../ui/controls.tsx';
import { ChoiceGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { useBuildings } from '../places.ts';

const EVENTS = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.element.status_changed',
  'building.changeset.applied',
];

/** The secret, which no later answer shows. */
export const SecretDialog = ({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): JSX.Element => (
  <OnceShown
    title="The secret of this webhook"
    words="Keep it now: it is shown this once. The receiver checks signatures with it."
    secret={secret}
    label="Copy the secret"
    onClose={onClose}
  />
);

export const NewWebhook = ({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const buildings = useBuildings();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [buildingId, setBuilding] = useState('');
  const [events, setEvents] = useState<readonly string[]>(EVENTS.slice(0, 2));
  const [secret, setSecret] = useState<string | null>(null);
  const creating = useSubmission(async () => {
    const { data } = await api.POST('/api/v1/webhooks', {
      body: {
        url,
        events: [...events],
        ...(buildingId !== '' && { buildingId }),
        ...(description.trim() !== '' && { description }),
      },
    });
    setSecret(data!.secret ?? '');
    onCreated();
  });
  if (secret !== null) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <Form of={creating} submitLabel="Create" onCancel={onClose}>
        <TextField
          label="URL"
          hint="https, and reachable from the Internet."
          value={url}
          onValue={setUrl}
          isRequired
        />
        <TextField label="Description" value={description} onValue={setDescription} />
        <ChoiceGroup
          label="Events"
          choices={EVENTS.map((event) => [event, event])}
          chosen={events}
          onValue={setEvents}
        />
        <SelectField
          label="Building"
          value={buildingId}
          choices={[['', 'All buildings'], ...buildings]}
          onValue={setBuilding}
        />
      </Form>
    </Dialog>
  );
};
