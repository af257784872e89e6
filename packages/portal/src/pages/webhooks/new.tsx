import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { ChoiceGroup, SelectField, TextField } from '../../ui/fields.tsx';
import { OnceShown } from '../../ui/once-shown.tsx';
import { useBuildings } from '../places.ts';

/** The event types that are sent. The API accepts two more, which are not raised yet. */
const EVENTS = [
  ['building.point.updated', 'A point has a new value'],
  ['building.alarm.triggered', 'A diagnostic rule raises an alarm'],
] as const;

const names = EVENTS.map(([event]) => event);

export const isSent = (event: string): boolean => names.some((name) => name === event);

/** A response with a new secret, which no later one contains. */
export interface NewSecret {
  readonly webhookId: string;
  /** Absent in a repeated response, after the first one was lost. */
  readonly secret?: string;
}

/** Shows the secret, or offers another where its response was lost. */
export const SecretDialog = ({
  of,
  onClose,
}: {
  readonly of: NewSecret;
  readonly onClose: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const [{ webhookId, secret }, setNewest] = useState(of);
  const rotating = useSubmission(async (keyOf) => {
    const params = { path: { webhookId }, header: { 'Idempotency-Key': keyOf() } };
    const path = '/api/v1/webhooks/{webhookId}/rotate-secret';
    setNewest((await api.POST(path, { params })).data);
  });
  if (secret === undefined)
    return (
      <Confirm
        title="The secret of this webhook was lost"
        words={
          'It was made, but the answer with it did not arrive, and it is not shown again: nobody ' +
          'has it. A secret that the receiver had before still signs, until a day has passed.'
        }
        submitLabel="Make another secret"
        of={rotating}
        onClose={onClose}
      />
    );
  return (
    <OnceShown
      title="The secret of this webhook"
      words="Copy it now: it is shown only once. The receiver verifies signatures with it."
      secret={secret}
      label="Copy the secret"
      onClose={onClose}
    />
  );
};

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
  const [events, setEvents] = useState<readonly string[]>(names);
  const [created, setCreated] = useState<NewSecret>();
  const creating = useSubmission(async (keyOf) => {
    const body = {
      url,
      events: [...events],
      ...(buildingId !== '' && { buildingId }),
      ...(description.trim() !== '' && { description }),
    };
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/webhooks', { params, body });
    setCreated(data);
    onCreated();
  });
  if (created) return <SecretDialog of={created} onClose={onClose} />;
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <Form of={creating} submitLabel="Create" onCancel={onClose}>
        <TextField
          label="URL"
          hint="https, and reachable from the Internet."
          value={url}
          onValue={setUrl}
          error={urlErrorIn(creating.error)}
          isRequired
        />
        <TextField
          label="Description"
          value={description}
          onValue={setDescription}
          error={errorAt(creating.error, 'description')}
        />
        <ChoiceGroup
          label="Events"
          choices={EVENTS.map(([event, name]) => [event, `${name} (${event})`])}
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

/** Reasons of `WEBHOOK_URL_REFUSED`, as the person at the form can act on them. */
const URL_REFUSALS: Readonly<Record<string, string>> = {
  not_https: 'Must begin with https://',
  not_a_url: 'Must be a complete URL',
  blocked_port: 'This port is not allowed',
  has_credentials: 'Must have no user name or password in it',
  has_fragment: 'Must have no # part',
  reserved_name: 'This name is reserved for local networks',
  odd_address: 'This IP address is not written in the standard form',
  not_resolvable: 'This host has no address',
  not_public: 'This host cannot be reached from the Internet',
};

const urlErrorIn = (error: unknown): string | undefined => {
  if (!AtriumError.is(error) || error.code !== 'WEBHOOK_URL_REFUSED') return errorAt(error, 'url');
  const { reason } = error.problem as { readonly reason?: string };
  return URL_REFUSALS[reason ?? ''] ?? error.problem.detail;
};
