import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { go, to } from '../../router.ts';
import { Actor, Badge, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Button, Confirm } from '../../ui/controls.tsx';
import { Show, Trouble } from '../../ui/notices.tsx';
import { Ago, At } from '../../ui/times.tsx';
import { nameIn, useBuildings } from '../places.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookStatus, type Webhook } from './list.tsx';
import { isSent, SecretDialog, type NewSecret } from './new.tsx';

export const WebhookDetail = ({ webhookId }: { readonly webhookId: string }): JSX.Element => {
  const { api, may, say } = usePortal();
  const [asked, setAsked] = useState<'delete' | 'rotate' | null>(null);
  const [rotated, setRotated] = useState<NewSecret>();
  const params = { path: { webhookId } };
  const webhook = useLoaded(
    async (signal) => (await api.GET('/api/v1/webhooks/{webhookId}', { params, signal })).data,
    [api, webhookId],
  );
  const testing = useSubmission(async () => {
    await api.POST('/api/v1/webhooks/{webhookId}/test', { params });
    say('The test is being sent: see the deliveries.');
  });
  const rotating = useSubmission(async (keyOf) => {
    const { data } = await api.POST('/api/v1/webhooks/{webhookId}/rotate-secret', {
      params: { ...params, header: { 'Idempotency-Key': keyOf() } },
    });
    setRotated(data);
    setAsked(null);
    webhook.reload();
  });
  const resuming = useSubmission(async () => {
    await api.POST('/api/v1/webhooks/{webhookId}/reset-failures', { params });
    say('Deliveries have resumed.');
    webhook.reload();
  });
  const deleting = useSubmission(async () => {
    await api.DELETE('/api/v1/webhooks/{webhookId}', { params });
    say('The webhook is deleted.');
    go(['webhooks']);
  });
  return (
    <Show of={webhook}>
      {(found) => (
        <>
          <PageHead
            title={found.url}
            above={[to(['webhooks']), 'Webhooks']}
            lead={<WebhookStatus of={found} />}
          >
            {may('platform.webhooks:write') && (
              <>
                <Button onPress={testing.submit} isBusy={testing.isBusy}>
                  Send a test
                </Button>
                <Button onPress={() => setAsked('rotate')}>New secret</Button>
                {(found.status === 'paused' || found.consecutiveFailures > 0) && (
                  <Button onPress={resuming.submit} isBusy={resuming.isBusy}>
                    Resume
                  </Button>
                )}
                <Button kind="danger" onPress={() => setAsked('delete')}>
                  Delete
                </Button>
              </>
            )}
          </PageHead>
          <Trouble error={testing.error ?? resuming.error} />
          {found.pausedAt !== null && (
            <p class="notice">
              Paused <Ago at={found.pausedAt} /> after {found.consecutiveFailures} failures: new
              events are not queued. After an hour without attempts, a test delivery is made.
            </p>
          )}
          <div class="columns">
            <Deliveries webhookId={webhookId} />
            <Card title="Details">
              <WebhookFacts of={found} />
            </Card>
          </div>
          {asked === 'rotate' && (
            <Confirm
              title="Create a new secret?"
              words={
                'The new secret is shown only once. For 24 hours, deliveries are also signed ' +
                'with the old one: configure the receiver with the new secret within that time.'
              }
              submitLabel="Create a new secret"
              of={rotating}
              onClose={() => setAsked(null)}
            />
          )}
          {asked === 'delete' && (
            <Confirm
              title="Delete this webhook?"
              words="No more events are sent to it, and its delivery records are deleted."
              submitLabel="Delete"
              of={deleting}
              onClose={() => setAsked(null)}
            />
          )}
          {rotated && <SecretDialog of={rotated} onClose={() => setRotated(undefined)} />}
        </>
      )}
    </Show>
  );
};

const WebhookFacts = ({ of }: { readonly of: Webhook }): JSX.Element => {
  const building = nameIn(useBuildings(), of.buildingId);
  return (
    <Facts
      of={[
        ['Description', of.description],
        [
          'Events',
          <span class="row">
            {of.events.map((event) => (
              <Badge key={event}>{isSent(event) ? event : `${event}: not sent yet`}</Badge>
            ))}
          </span>,
        ],
        ['Building', building ?? 'all'],
        ['Secret', <code>{of.secret}…</code>],
        ['Failures in a row', of.consecutiveFailures],
        ['Created', <At at={of.createdAt} />],
        ['Created by', <Actor of={of.createdBy} />],
        ['Id', <code>{of.webhookId}</code>],
      ]}
    />
  );
};
