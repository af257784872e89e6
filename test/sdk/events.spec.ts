/** Events by their names: the types of the client, the document, and the server's events. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import document from '../../openapi.json' with { type: 'json' };
import {
  createAtrium,
  type AtriumEvent,
  type EventOf,
  type ReceivedWebhook,
  type WifiSensingEvent,
} from '../../packages/sdk/src/index.ts';
import { createLive, type LiveEvent } from '../../packages/sdk/src/live.ts';
import { wifiSensingTypes } from '../../src/domain/bus/inbound-types.ts';
import { webhookEventTypes } from '../../src/domain/webhooks/subscription/events.ts';
import { testApi } from '../support/api/api.ts';

const platform = testApi();

it('are discriminated by `event`, over every channel', () => {
  const valueOf = (event: AtriumEvent | ReceivedWebhook | LiveEvent) => {
    if (event.event === 'building.point.updated') return event.data.unit;
    if (event.event === 'building.alarm.triggered') return event.data.threshold;
    if (event.event === 'service-desk.ticket.created') return event.data.ticket.number;
    return event.event === 'service-desk.ticket.unreadable' ? event.data.ticketId : null;
  };
  expectTypeOf(valueOf).returns.toEqualTypeOf<string | number | null>();
  type Alarm = EventOf<'building.alarm.triggered'>['data'];
  expectTypeOf<Alarm['severity']>().toEqualTypeOf<string>();
  expectTypeOf<LiveEvent['event']>().not.toEqualTypeOf<string>();
});

it('have the names that the server has', () => {
  expect(Object.keys(document.webhooks)).toEqual([...webhookEventTypes, 'webhook.test']);
  const names: Readonly<Record<WifiSensingEvent['event'], true>> = {
    'wifi-sensing.event': true,
    'wifi-sensing.occupancy.changed': true,
    'wifi-sensing.hvac.presence': true,
    'wifi-sensing.meeting.lifecycle': true,
  };
  expect(Object.keys(names)).toEqual(wifiSensingTypes);
});

describe('emitted by a platform', () => {
  it('have the data that the document describes, and no others', async () => {
    const buildingId = await platform.importBuilding();
    const token = () => platform.issuer.tokenOf('manager@acme.test');
    const atrium = createAtrium({ url: platform.address, token });
    const params = { path: { buildingId } };
    const { data: points } = await atrium.GET('/api/v1/buildings/{buildingId}/points', { params });
    const point = points.items.find(({ valueType }) => valueType === 'number')!;
    await atrium.POST('/api/v1/buildings/{buildingId}/diagnostic-rules', {
      params,
      body: {
        title: 'Too warm',
        severity: 'high',
        pointId: point.id,
        comparison: 'gt',
        threshold: 1_000,
      },
    });
    const emitted: LiveEvent[] = [];
    const ended = new AbortController();
    const live = createLive({ url: platform.address, token });
    const keep = (event: LiveEvent) => void emitted.push(event);
    await live.on(
      buildingId,
      {
        resync: async () => {
          await atrium.POST('/api/v1/buildings/{buildingId}/observations', {
            params,
            body: { observations: [{ pointId: point.id, value: 1_001 }] },
          });
        },
        'building.point.updated': keep,
        'building.alarm.triggered': (event) => {
          expectTypeOf(event.data.threshold).toEqualTypeOf<number>();
          keep(event);
          ended.abort();
        },
      },
      { signal: ended.signal },
    );
    expect(emitted.map(({ event }) => event)).toEqual([
      'building.point.updated',
      'building.alarm.triggered',
    ]);

    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'openapi');
    for (const { resync: _, position: __, ...body } of emitted) {
      const { $ref } = (document.webhooks as Hooks)[body.event]!.post.requestBody.content[
        'application/json'
      ].schema;
      expect(ajv.validate({ $ref: `openapi${$ref}` }, body), ajv.errorsText()).toBe(true);
      const name = body.event === 'building.point.updated' ? 'PointUpdated' : 'AlarmTriggered';
      const { properties } = document.components.schemas[name];
      expect(Object.keys(body.data).toSorted()).toEqual(Object.keys(properties).toSorted());
    }
  });

  it('of the change feed are listed beside its items', async () => {
    const buildingId = await platform.importBuilding();
    const token = () => platform.issuer.tokenOf('agent@acme.test');
    const atrium = createAtrium({ url: platform.address, token });
    const { data } = await atrium.POST('/api/service-desk/requests', {
      body: { buildingId, description: 'x' },
    });
    const params = { path: { id: data.id } };
    await atrium.PATCH('/api/service-desk/requests/{id}', { params, body: { subject: 'y' } });
    const pages = await Array.fromAsync(atrium.changes({ follow: false }));
    const events = pages.flatMap((page) => page.events);
    expect(events.map((event) => [event.event, event.timestamp])).toEqual([
      ['service-desk.ticket.created', events[0]!.data.at],
      ['service-desk.ticket.updated', events[1]!.data.at],
    ]);
    expect(events.map((event) => event.data)).toEqual(pages.flatMap(({ items }) => items));
  });
});

type Hooks = Readonly<
  Record<
    string,
    {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } };
    }
  >
>;
