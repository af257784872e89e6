/** Copies of a sandbox, and sandboxes that start from them. contract.md section 4. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bytesText } from '../../bytes.ts';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import { go } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, Card, Table, type Column, type Tone } from '../../ui/content.tsx';
import { Button, Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { Show } from '../../ui/notices.tsx';
import { Ago } from '../../ui/times.tsx';
import { PROGRESS_LOOK_MS } from './list.tsx';

type Snapshot = Schemas['Snapshot'];

const TONES: Readonly<Record<Snapshot['status'], Tone>> = {
  creating: 'busy',
  ready: 'good',
  failed: 'bad',
};

type Asked = { readonly what: 'new' } | { readonly what: 'use' | 'delete'; readonly of: Snapshot };

/**
 * @param sandboxId Only its snapshots, with a form for new ones; absent: all of the caller, if any.
 */
export const Snapshots = ({ sandboxId }: { readonly sandboxId?: string }): JSX.Element => {
  const { api, may, say } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const isWriter = may('platform.sandboxes:write');
  const snapshots = useLoaded(
    async (signal) => {
      if (sandboxId === undefined)
        return (await api.GET('/api/v1/snapshots', { signal })).data.items;
      const params = { path: { id: sandboxId } };
      return (await api.GET('/api/v1/sandboxes/{id}/snapshots', { params, signal })).data.items;
    },
    [api, sandboxId],
  );
  const isBusy = snapshots.data?.some(({ status }) => status === 'creating') === true;
  useEvery(isBusy ? PROGRESS_LOOK_MS : null, snapshots.poll);
  const deleting = useSubmission(async () => {
    if (asked?.what !== 'delete') return;
    const params = { path: { snapshotId: asked.of.snapshotId } };
    await api.DELETE('/api/v1/snapshots/{snapshotId}', { params });
    say('The snapshot is deleted.');
    close();
    snapshots.reload();
  });
  const columns: readonly Column<Snapshot>[] = [
    { name: 'Name', cell: ({ name }) => <span class="words">{name}</span> },
    {
      name: 'Status',
      cell: ({ status, failureReason }) => (
        <span class="stack">
          <Badge tone={TONES[status]}>{status}</Badge>
          {status === 'creating' && <progress aria-label="Creating" />}
          {failureReason !== null && <span class="small">{failureReason}</span>}
        </span>
      ),
    },
    { name: 'Size', cell: ({ bytes }) => bytes !== null && bytesText(bytes), isNumber: true },
    { name: 'Expires', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
    {
      name: '',
      cell: (of) =>
        isWriter && (
          <span class="row">
            <Button
              onPress={() => setAsked({ what: 'use', of })}
              isDisabled={of.status !== 'ready'}
              label={`New sandbox from ${of.name}`}
            >
              New sandbox
            </Button>
            <Button onPress={() => setAsked({ what: 'delete', of })} label={`Delete ${of.name}`}>
              Delete
            </Button>
          </span>
        ),
    },
  ];
  if (sandboxId === undefined && !snapshots.data?.length) return <></>;
  return (
    <Card
      title="Snapshots"
      actions={
        isWriter &&
        sandboxId !== undefined && (
          <Button onPress={() => setAsked({ what: 'new' })}>New snapshot</Button>
        )
      }
    >
      <Show of={snapshots}>
        {(items) =>
          items.length === 0 ? (
            <p class="faint small">
              None. A snapshot is a copy from which you can start other sandboxes. You can keep
              three, for 30 days each.
            </p>
          ) : (
            <Table
              caption="Snapshots"
              columns={columns}
              rows={items}
              keyOf={({ snapshotId }) => snapshotId}
            />
          )
        }
      </Show>
      {asked?.what === 'new' && sandboxId !== undefined && (
        <NewSnapshot sandboxId={sandboxId} onClose={close} onMade={snapshots.reload} />
      )}
      {asked?.what === 'use' && <NewBranch of={asked.of} onClose={close} />}
      {asked?.what === 'delete' && (
        <Confirm
          title="Delete this snapshot?"
          words="Sandboxes that were created from it stay, but can no longer be reset."
          submitLabel="Delete"
          of={deleting}
          onClose={close}
        />
      )}
    </Card>
  );
};

const NewSnapshot = ({
  sandboxId,
  onClose,
  onMade,
}: {
  readonly sandboxId: string;
  readonly onClose: () => void;
  readonly onMade: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const [name, setName] = useState('');
  const making = useSubmission(async (keyOf) => {
    const body = { name };
    const params = { path: { id: sandboxId }, header: { 'Idempotency-Key': keyOf(body) } };
    await api.POST('/api/v1/sandboxes/{id}/snapshots', { params, body });
    say(`${name} is being created.`);
    onMade();
    onClose();
  });
  return (
    <Dialog title="New snapshot" onClose={onClose}>
      <Form of={making} submitLabel="Create" onCancel={onClose}>
        <p>The sandbox pauses briefly while it is copied, and requests wait.</p>
        <NameField value={name} onValue={setName} error={errorAt(making.error, 'name')} />
      </Form>
    </Dialog>
  );
};

const NewBranch = ({
  of: { snapshotId, name: from },
  onClose,
}: {
  readonly of: Snapshot;
  readonly onClose: () => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const [name, setName] = useState('');
  const creating = useSubmission(async (keyOf) => {
    const body = { name, fromSnapshot: snapshotId };
    const params = { header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/sandboxes', { params, body });
    say(`${name} is being provisioned.`);
    onClose();
    go(['sandboxes', data.sandboxId]);
  });
  return (
    <Dialog title={`New sandbox from ${from}`} onClose={onClose}>
      <Form of={creating} submitLabel="Create" onCancel={onClose}>
        <p>The new sandbox has the content of the snapshot, without its webhooks.</p>
        <NameField value={name} onValue={setName} error={errorAt(creating.error, 'name')} />
      </Form>
    </Dialog>
  );
};

const NameField = ({
  value,
  onValue,
  error,
}: {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}): JSX.Element => (
  <TextField
    label="Name"
    value={value}
    onValue={onValue}
    error={error}
    maxLength={100}
    isRequired
  />
);
