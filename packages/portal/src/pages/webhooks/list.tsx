import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, PageHead, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import { At } from '../../ui/times.tsx';
import { NewWebhook } from './new.tsx';

export type Webhook = Schemas['Webhook'];

const LIMIT = 50;

export const WebhookStatus = ({ of }: { readonly of: Webhook }): JSX.Element => (
  <span class="row">
    <Badge tone={of.status === 'active' ? 'good' : 'warn'}>{of.status}</Badge>
    {of.consecutiveFailures > 0 && <Badge tone="bad">{of.consecutiveFailures} failed</Badge>}
    {of.skippedEvents > 0 && (
      <Badge tone="warn">{of.skippedEvents.toLocaleString('en')} left out</Badge>
    )}
  </span>
);

const columns: readonly Column<Webhook>[] = [
  { name: 'URL', cell: ({ webhookId, url }) => <a href={to(['webhooks', webhookId])}>{url}</a> },
  { name: 'Description', cell: ({ description }) => description },
  {
    name: 'Events',
    cell: ({ events }) => (
      <span class="row">
        {events.map((event) => (
          <Badge key={event}>{event}</Badge>
        ))}
      </span>
    ),
  },
  { name: 'Status', cell: (webhook) => <WebhookStatus of={webhook} /> },
  { name: 'Created', cell: ({ createdAt }) => <At at={createdAt} /> },
];

export const WebhookList = (): JSX.Element => {
  const { api, may } = usePortal();
  const route = useRoute();
  const page = pageIn(route);
  const [isNew, setNew] = useState(false);
  const webhooks = useLoaded(
    async (signal) => {
      const query = { limit: LIMIT, offset: (page - 1) * LIMIT };
      return (await api.GET('/api/v1/webhooks', { params: { query }, signal })).data;
    },
    [api, page],
  );
  return (
    <>
      <PageHead title="Webhooks" lead="Receivers get signed events within seconds.">
        {may('platform.webhooks:write') && (
          <Button kind="primary" icon="plus" onPress={() => setNew(true)}>
            New webhook
          </Button>
        )}
      </PageHead>
      <PagedTable
        of={webhooks}
        route={route}
        limit={LIMIT}
        caption="Webhooks"
        columns={columns}
        keyOf={({ webhookId }) => webhookId}
        empty={
          <Empty title="No webhooks">
            <p>A receiver needs an https URL that is reachable from the Internet.</p>
          </Empty>
        }
      />
      {isNew && <NewWebhook onClose={() => setNew(false)} onCreated={webhooks.reload} />}
    </>
  );
};
