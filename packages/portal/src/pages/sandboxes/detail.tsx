import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import { go, to } from '../../router.ts';
import { Actor, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Button, Confirm, Copy, CopyableText, Dialog, Form } from '../../ui/controls.tsx';
import { errorAt } from '../../ui/field-errors.ts';
import { TextField } from '../../ui/fields.tsx';
import { Show, Trouble } from '../../ui/notices.tsx';
import { Ago, At } from '../../ui/times.tsx';
import { SandboxClock } from './clock.tsx';
import { SandboxLive } from './live.tsx';
import { SandboxRequests } from './requests.tsx';
import { Snapshots } from './snapshots.tsx';
import { Progress, PROGRESS_LOOK_MS, SandboxStatus, type Sandbox } from './list.tsx';

const RESET =
  'The database is created anew: tickets, webhooks and changed values are deleted. The ' +
  "address, the expiry and the building's external ids stay.";

type Asked = 'extend' | 'reset' | 'delete';

export const SandboxDetail = ({ id }: { readonly id: string }): JSX.Element => {
  const { api, may, say } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const params = { path: { id } };
  const sandbox = useLoaded(
    async (signal) => (await api.GET('/api/v1/sandboxes/{id}', { params, signal })).data,
    [api, id],
  );
  useEvery(sandbox.data?.status === 'provisioning' ? PROGRESS_LOOK_MS : null, sandbox.poll);
  const close = () => setAsked(null);
  const resetting = useSubmission(async () => {
    const { data } = await api.POST('/api/v1/sandboxes/{id}/reset', { params });
    sandbox.set(data);
    say('The sandbox is being reset.');
    close();
  });
  const deleting = useSubmission(async () => {
    await api.DELETE('/api/v1/sandboxes/{id}', { params });
    say('The sandbox is deleted.');
    go(['sandboxes']);
  });
  // A subscriber would report the end of a deleted sandbox as a failure.
  const isFollowed = ({ status }: Sandbox) => status === 'ready' && !deleting.isBusy;
  return (
    <Show of={sandbox}>
      {(found) => (
        <>
          <PageHead
            title={found.name}
            above={[to(['sandboxes']), 'Sandboxes']}
            lead={<SandboxStatus of={found} />}
          >
            {may('platform.sandboxes:write') && (
              <>
                <Button
                  onPress={() => setAsked('extend')}
                  isDisabled={found.extensionsRemaining === 0}
                >
                  Extend
                </Button>
                <Button
                  onPress={() => setAsked('reset')}
                  isDisabled={found.status === 'provisioning'}
                >
                  Reset
                </Button>
                <Button kind="danger" onPress={() => setAsked('delete')}>
                  Delete
                </Button>
              </>
            )}
          </PageHead>
          {found.status === 'provisioning' && (
            <Card title="Provisioning">
              <Progress of={found} />
            </Card>
          )}
          {found.failureReason !== null && <Trouble error={new Error(found.failureReason)} />}
          <div class="columns">
            <div>
              {found.status === 'ready' && <Commands of={found} />}
              {found.status === 'ready' && <SandboxClock of={found} />}
            </div>
            <Card title="Details">
              <SandboxFacts of={found} />
            </Card>
          </div>
          {found.status === 'ready' && <Snapshots sandboxId={id} />}
          {isFollowed(found) && <SandboxLive of={found} />}
          {isFollowed(found) && <SandboxRequests of={found} />}
          {asked === 'extend' && (
            <Extend of={found} onClose={close} onExtended={(next) => sandbox.set(next)} />
          )}
          {asked === 'reset' && (
            <Confirm
              title="Reset this sandbox?"
              words={RESET}
              submitLabel="Reset"
              of={resetting}
              onClose={close}
            />
          )}
          {asked === 'delete' && (
            <Confirm
              title="Delete this sandbox?"
              words={
                <>
                  <strong>{found.name}</strong> and all its data are deleted at once.
                </>
              }
              submitLabel="Delete"
              of={deleting}
              onClose={close}
            />
          )}
        </>
      )}
    </Show>
  );
};

const SandboxFacts = ({ of }: { readonly of: Sandbox }): JSX.Element => {
  const { parameters } = of;
  return (
    <Facts
      of={[
        ['Id', <code>{of.sandboxId}</code>],
        ['Building', of.buildingId && <code>{of.buildingId}</code>],
        ['Expires', <Ago at={of.expiresAt} />],
        ['Extensions left', of.extensionsRemaining],
        ['Created', <At at={of.createdAt} />],
        ['Created by', <Actor of={of.createdBy} />],
        ['Snapshot', of.fromSnapshot && <code>{of.fromSnapshot}</code>],
        ['Kind', parameters.buildingType],
        ['Storeys', parameters.storeys],
        ['Area', `${parameters.areaSqm.toLocaleString('en')} m²`],
        ['Spaces', `${parameters.spacesMin} to ${parameters.spacesMax} per storey`],
        ['Equipment', parameters.equipmentDensity],
        ['Occupancy', parameters.occupancyProfile],
        ['Time zone', parameters.timeZone],
        ['Deliberate faults', parameters.faultKinds.join(', ') || 'none'],
        ['Days of telemetry', parameters.seedTelemetryDays],
        ['Seed', <code>{parameters.seed}</code>],
      ]}
    />
  );
};

/** The shell commands for the sandbox. */
const Commands = ({ of: { apiUrl, sandboxId } }: { readonly of: Sandbox }): JSX.Element => {
  const commands: readonly (readonly [string, string])[] = [
    ['Its buildings', `curl -H "Authorization: Bearer $ATRIUM_TOKEN" ${apiUrl}/api/v1/buildings`],
    [
      'Its tickets',
      `curl -H "Authorization: Bearer $ATRIUM_TOKEN" ${apiUrl}/api/service-desk/requests`,
    ],
    ['Extend it', `npx atrium sandbox extend ${sandboxId} --days 7`],
    ['Delete it', `npx atrium sandbox delete ${sandboxId}`],
  ];
  return (
    <Card
      title="Use it"
      actions={
        <span class="row">
          <code>{apiUrl}</code>
          <Copy text={apiUrl} label="Copy the address" />
        </span>
      }
    >
      <div class="stack">
        <p class="faint small">
          Use it with an API key of scope sandbox or full, or with your session.
        </p>
        {commands.map(([name, command]) => (
          <div key={name}>
            <h3>{name}</h3>
            <CopyableText text={command} label={`Copy: ${name}`} />
          </div>
        ))}
      </div>
    </Card>
  );
};

const DAYS_DEFAULT = 7;
const DAYS_MAX = 30;

const Extend = ({
  of: { sandboxId, extensionsRemaining },
  onClose,
  onExtended,
}: {
  readonly of: Sandbox;
  readonly onClose: () => void;
  readonly onExtended: (sandbox: Sandbox) => void;
}): JSX.Element => {
  const { api, say } = usePortal();
  const [days, setDays] = useState(String(DAYS_DEFAULT));
  const extending = useSubmission(async (keyOf) => {
    const body = { days: Number(days) };
    const params = { path: { id: sandboxId }, header: { 'Idempotency-Key': keyOf(body) } };
    const { data } = await api.POST('/api/v1/sandboxes/{id}/extend', { params, body });
    onExtended(data);
    say(`The sandbox expires ${days} days later.`);
    onClose();
  });
  return (
    <Dialog title="Extend" onClose={onClose}>
      <Form of={extending} submitLabel="Extend" onCancel={onClose}>
        <p>
          {extensionsRemaining} of 2 extensions are left. A sandbox can last at most 30 days from
          now.
        </p>
        <TextField
          label="Days"
          type="number"
          min={1}
          max={DAYS_MAX}
          value={days}
          onValue={setDays}
          error={errorAt(extending.error, 'days')}
          isRequired
        />
      </Form>
    </Dialog>
  );
};
