/**
 * The requests to subscribers, by the name of the event: for the OpenAPI document, and so for the
 * types of clients. Their data is that of the recorded event. interface.md «Webhook delivery»,
 * contract.md section 7.
 */
import { z } from 'zod';
import { alarmTriggered, pointsUpdated } from '../../domain/telemetry/events.ts';
import type { WebhookEventType } from '../../domain/webhooks/subscription/events.ts';
import type { ApiWebhook } from '../http/openapi.ts';

type Posted = WebhookEventType | 'webhook.test';

const { buildingId } = pointsUpdated.shape;
const { earlier: _, ...point } = pointsUpdated.shape.points.element.shape;
const { type: __, ...alarm } = alarmTriggered.shape;

const PointUpdated = z.object({ buildingId, ...point }).meta({ id: 'PointUpdated' });
const AlarmTriggered = z.object(alarm).meta({ id: 'AlarmTriggered' });

const timestamp = z.iso.datetime().describe('When it happened.');

const posted = (
  event: Posted,
  data: z.ZodType,
  { id, summary }: { readonly id: string; readonly summary: string },
): ApiWebhook => ({
  name: event,
  summary,
  schema: z.object({ event: z.literal(event), data, timestamp }).meta({ id }),
});

/** Data of an event that is not raised yet. */
const ofBuilding = z.looseObject({ buildingId });

const byName: Readonly<Record<Posted, ApiWebhook>> = {
  'building.point.updated': posted('building.point.updated', PointUpdated, {
    id: 'PointUpdatedEvent',
    summary: 'New observations changed a point',
  }),
  'building.alarm.triggered': posted('building.alarm.triggered', AlarmTriggered, {
    id: 'AlarmTriggeredEvent',
    summary: 'A diagnostic rule opened a fault',
  }),
  'building.element.status_changed': posted('building.element.status_changed', ofBuilding, {
    id: 'ElementStatusChangedEvent',
    summary: 'Reserved: not sent yet',
  }),
  'building.changeset.applied': posted('building.changeset.applied', ofBuilding, {
    id: 'ChangesetAppliedEvent',
    summary: 'Reserved: not sent yet',
  }),
  'webhook.test': posted(
    'webhook.test',
    z.object({ webhookId: z.uuid(), buildingId: z.uuid().nullable() }),
    { id: 'WebhookTestEvent', summary: 'A test of the webhook was requested' },
  ),
};

/** All events that are sent to subscribers. */
export const postedEvents: readonly ApiWebhook[] = Object.values(byName);
