import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { Empty, Show, Trouble } from '../../ui/notices.tsx';
import { Ago, At } from '../../ui/times.tsx';

type Attempt = Schemas['WebhookDeliveryAttempt'];

const LOOK_MS = 5_000;

/** The last fifty attempts, with the response of the receiver. */
export const Deliveries = ({ webhookId }: { readonly webhookId: string }): JSX.Element => {
  const { api } = usePortal();
  const [isDeadOnly, setDeadOnly] = useState(false);
  const deliveries = useLoaded(
    async (signal) => {
      const query = isDeadOnly ? { deadLettered: true } : {};
      const params = { path: { webhookId }, query };
      return (await api.GET('/api/v1/webhooks/{webhookId}/deliveries', { params, signal })).data;
    },
    [api, webhookId, isDeadOnly],
  );
  useEvery(LOOK_MS, deliveries.poll);
  return (
    <Card
      title="Deliveries"
      actions={<CheckField label="Given up only" isChecked={isDeadOnly} onValue={setDeadOnly} />}
    >
      <Show of={deliveries}>
        {({ items, skippedEvents }) => (
          <>
            {skippedEvents > 0 && (
              <p class="notice">
                {skippedEvents.toLocaleString('en')} events were left out while the webhook was
                paused.
              </p>
            )}
            {items.length === 0 ? (
              <Empty title="Nothing has been sent yet" />
            ) : (
              <ol class="deliveries">
                {items.map((delivery) => (
                  <Delivery
                    key={`${delivery.deliveryId}.${delivery.attempt}`}
                    webhookId={webhookId}
                    of={delivery}
                    onQueued={deliveries.reload}
                  />
                ))}
              </ol>
            )}
          </>
        )}
      </Show>
    </Card>
  );
};

const Delivery = ({
  webhookId,
  of,
  onQueued,
}: {
  readonly webhookId: string;
  readonly of: Attempt;
  readonly onQueued: () => void;
}): JSX.Element => {
  const { api, may, say } = usePortal();
  const again = useSubmission(async () => {
    const params = { path: { webhookId, deliveryId: of.deliveryId } };
    const path = '/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver';
    await api.POST(path, { params });
    say('The delivery is sent again.');
    onQueued();
  });
  return (
    <li>
      <details>
        <summary>
          <Badge tone={of.status === 'succeeded' ? 'good' : 'bad'}>
            {of.httpCode ?? of.status}
          </Badge>
          <strong>{of.event}</strong>
          <span class="faint small">
            attempt {of.attempt}, {Math.round(of.durationMs)} ms
          </span>
          {of.deadLettered && <Badge tone="bad">given up</Badge>}
          <span class="faint small">
            <Ago at={of.attemptedAt} />
          </span>
        </summary>
        <div class="stack">
          {of.error !== null && <p>{of.error}</p>}
          {of.responseBody !== null && of.responseBody !== '' && (
            <pre class="answer">{of.responseBody}</pre>
          )}
          <p class="faint small">
            <code>{of.idempotencyKey}</code>
          </p>
          {of.nextAttemptAt !== null && (
            <p class="small">
              Next attempt <At at={of.nextAttemptAt} />.
            </p>
          )}
          <Trouble error={again.error} />
          {may('platform.webhooks:write') && (
            <Button icon="reload" onPress={again.submit} isBusy={again.isBusy}>
              Send again
            </Button>
          )}
        </div>
      </details>
    </li>
  );
};
