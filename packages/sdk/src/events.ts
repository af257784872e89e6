/** Events of webhooks, the live service and the change feed, by name. */
import type { components, webhooks } from './openapi.ts';

type Schemas = components['schemas'];

/**
 * The body of a webhook, as the OpenAPI document describes it; `event` determines the type of
 * `data`.
 *
 * @stable
 */
export type WebhookEvent = {
  [Name in keyof webhooks]: webhooks[Name] extends {
    post: { requestBody: { content: { 'application/json': infer Body } } };
  }
    ? Readonly<Body>
    : never;
}[keyof webhooks];

interface Named<Name extends string, Data> {
  readonly event: Name;
  readonly data: Data;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
}

type WifiSensingName =
  | 'wifi-sensing.event'
  | 'wifi-sensing.occupancy.changed'
  | 'wifi-sensing.hvac.presence'
  | 'wifi-sensing.meeting.lifecycle';

/** An event of a sensing system; its data are passed on unchanged. @experimental */
export type WifiSensingEvent = {
  [Name in WifiSensingName]: Named<Name, Readonly<Record<string, unknown>>>;
}[WifiSensingName];

/** An event that the live service sends about a building. @experimental */
export type BuildingEvent = Exclude<WebhookEvent, { event: 'webhook.test' }> | WifiSensingEvent;

/**
 * An item of the change feed. A warning or a breach is `updated`, with `slaEvents`. An `unreadable`
 * change has no ticket: an operator has skipped it in the feed.
 *
 * @stable
 */
export type TicketEvent =
  | Named<'service-desk.ticket.created', Schemas['TicketChange'] & { readonly change: 'created' }>
  | Named<
      'service-desk.ticket.updated',
      Schemas['TicketChange'] & {
        readonly change: Exclude<Schemas['TicketChange']['change'], 'created'>;
      }
    >
  | Named<'service-desk.ticket.unreadable', Schemas['UnreadableChange']>;

/** Every event that a client receives: `switch (event.event)` narrows `data`. @stable */
export type AtriumEvent = WebhookEvent | WifiSensingEvent | TicketEvent;

/** The event of one name. @stable */
export type EventOf<Name extends AtriumEvent['event']> = Extract<
  AtriumEvent,
  { readonly event: Name }
>;

/** A change of the feed as an event. */
export const ticketEventOf = (
  item: Schemas['TicketChange'] | Schemas['UnreadableChange'],
): TicketEvent => {
  const { change, at: timestamp } = item;
  const kind = change === 'created' || change === 'unreadable' ? change : 'updated';
  return { event: `service-desk.ticket.${kind}`, data: item, timestamp } as TicketEvent;
};
