import { describe, expect, it } from 'vitest';
import { messageIn, outgoingOf, placeIdOf } from '../../src/bus/nats/messages.ts';
import type { Incoming } from '../../src/bus/nats/nats.ts';
import { busEventSchemas } from '../../src/domain/bus/events.ts';
import { inboundTypes } from '../../src/domain/bus/inbound-types.ts';
import { BUS_DATA_BYTES_MAX } from '../../src/domain/bus/limits.ts';

const buildingId = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
const storedAt = '2026-03-02T12:00:00.000Z';
const reading = { prefix: 'here', stream: 'here-inbound', types: inboundTypes };
const sent = { prefix: 'here', source: 'http://atrium.test' };
const on = (type: string) => `here.building.${buildingId}.${type}`;
const bytes = (text: string) => new TextEncoder().encode(text);

const incoming = (
  data: unknown,
  {
    type = 'wifi-sensing.event',
    headers = {},
    ...over
  }: {
    type?: string;
    headers?: Record<string, string>;
  } & Partial<Incoming> = {},
): Incoming => ({
  sequence: 7,
  subject: on(type),
  body: bytes(typeof data === 'string' ? data : JSON.stringify(data)),
  storedAt,
  header: (name) => headers[name] ?? null,
  ...over,
});
const read = (...from: Parameters<typeof incoming>) => messageIn(incoming(...from), reading);
const order = (over: object = {}) => ({
  eventId: 'e-1',
  buildingId,
  workOrderId: '4711',
  ticketId: '5b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  occurredAt: '2026-03-02T11:00:00Z',
  ...over,
});

describe('a message in NATS', () => {
  it('is decoded as it was published: id, time, actor and every character', () => {
    const subject = { buildingId, type: 'wifi-sensing.event' };
    const data = { text: 'Zażółć 漢字 🏢', list: [1, null, { deep: true }] };
    const said = {
      eventId: 'é–1\n',
      at: '2026-03-01T00:00:00.000Z',
      by: { kind: 'user', id: 'ana', name: 'Ána' },
    } as const;
    const { headers, body, ...rest } = outgoingOf(sent, subject, data, said);
    expect(Object.values(headers).join()).toMatch(/^[\x20-\x7e]*$/);
    expect(rest.subject).toBe(on('wifi-sensing.event'));
    expect(read(body, { headers })).toEqual({ subject, data, ...said });
  });

  it('has one id per event and building', () => {
    const id = (building: string, eventId: string) =>
      outgoingOf(sent, { buildingId: building, type: 'x.y' }, {}, { eventId, at: storedAt }).id;
    expect(id(buildingId, 'a')).toBe(id(buildingId, 'a'));
    expect(new Set([id(buildingId, 'a'), id(buildingId, 'b'), id('other', 'a')]).size).toBe(3);
  });

  it('of a foreign publisher has its id from the data, `Nats-Msg-Id`, or its sequence', () => {
    const headers = { 'Nats-Msg-Id': 'n-1' };
    expect(read({ eventId: 'd-1' }, { headers })).toMatchObject({ eventId: 'd-1' });
    expect(read({}, { headers })).toMatchObject({ eventId: 'n-1' });
    const longest = '😀'.repeat(200);
    expect(read({ eventId: longest })).toMatchObject({ eventId: longest });
    const place = placeIdOf(incoming({}), 'here-inbound');
    expect(read({})).toMatchObject({ eventId: place });
    for (const odd of ['x'.repeat(201), 'a\0b', '', 7, null])
      expect(read({ eventId: odd })).toMatchObject({ eventId: place });
    expect(placeIdOf(incoming({}, { sequence: 8 }), 'here-inbound')).not.toBe(place);
  });

  it('of a foreign publisher has its own time, if that is within the last day', () => {
    const at = (occurredAt?: unknown) => read({ occurredAt });
    expect(at('2026-03-02T12:30:00+01:00')).toMatchObject({ at: '2026-03-02T11:30:00.000Z' });
    for (const odd of [undefined, 'soon', 5, '2026-03-02T12:00:01Z', '2026-03-01T11:59:59Z'])
      expect(at(odd)).toMatchObject({ at: storedAt, by: { kind: 'system', id: 'bus' } });
  });

  it('that only claims to be of Atrium is treated as foreign', () => {
    const headers = { 'Atrium-Message': '{"eventId":"","by":{}}' };
    expect(read({ eventId: 'd-1' }, { headers })).toMatchObject({ eventId: 'd-1', at: storedAt });
    expect(read({}, { headers: { 'Atrium-Message': '{' } })).toMatchObject({ at: storedAt });
    const by = { kind: 'user', id: 'a' };
    const odd = JSON.stringify({ eventId: 'a\0', at: '2026-03-01T00:00:00.000Z', by });
    expect(read({}, { headers: { 'Atrium-Message': odd } })).toMatchObject({ at: storedAt });
  });

  it.each<[string, Incoming, RegExp]>([
    ['not JSON', incoming('{'), /no JSON/],
    ['not UTF-8', incoming('', { body: Uint8Array.of(0x22, 0xff, 0x22) }), /no JSON in UTF-8/],
    ['not an object', incoming('[1]'), /no JSON object/],
    ['too long', incoming({ text: 'x'.repeat(BUS_DATA_BYTES_MAX) }), /may have 65536 bytes/],
    ['too deep', incoming(`${'{"a":'.repeat(21)}1${'}'.repeat(21)}`), /level/],
    ['far too deep', incoming(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`), /level/],
    ['with U+0000 in a value', incoming({ list: [{ text: 'a\0b' }] }), /U\+0000/],
    ['with U+0000 in a name', incoming({ 'a\0b': 1 }), /U\+0000/],
    ['with a lone surrogate', incoming('{"text":"\\ud800"}'), /surrogates/],
    ['binary', incoming('', { body: Uint8Array.of(0, 1, 2, 0) }), /no JSON/],
    [
      'of another type, with U+0000',
      incoming({ text: '\0' }, { type: 'cafm.work-order.deleted' }),
      /none of the accepted ones/,
    ],
    [
      'about a work order, with U+0000',
      incoming(order({ note: '\0' }), { type: 'cafm.work-order.created' }),
      /U\+0000/,
    ],
    ['of an unknown type', incoming({}, { type: 'cafm.work-order.deleted' }), /type is none/],
    [
      'of no building',
      incoming({}, { subject: 'here.building.b.cafm.work-order.created' }),
      /subject/,
    ],
    [
      'of a building whose id is none',
      incoming(
        { eventId: 'e-1' },
        { subject: 'here.building.11111111-1111-1111-1111-111111111111.wifi-sensing.event' },
      ),
      /subject/,
    ],
    [
      'about another building',
      incoming(order({ buildingId: storedAt }), { type: 'cafm.work-order.created' }),
      /buildingId/,
    ],
    [
      'without its ticket',
      incoming(order({ ticketId: null }), { type: 'cafm.work-order.created' }),
      /ticketId/,
    ],
  ])('that is %s is rejected, with its readable parts', (_, message, why) => {
    const rejection = messageIn(message, reading);
    expect(rejection).toMatchObject({ rejection: expect.stringMatching(why) });
    const { eventId, data } = rejection;
    const { buildingId: building, type: subjectType } = rejection.subject;
    // As in the event that parks it.
    const fact = { type: 'MessagePublished', buildingId: building, subjectType, eventId, data };
    busEventSchemas.MessagePublished.parse(fact);
    const shown = JSON.stringify(data);
    expect(shown.length).toBeLessThan(BUS_DATA_BYTES_MAX);
    // The list of parked messages could not store it.
    expect(shown).not.toMatch(/[^\\]\\u(0000|d[89a-f])/);
  });

  it('about a work order is accepted as over HTTP', () =>
    expect(read(order(), { type: 'cafm.work-order.created' })).toMatchObject({
      eventId: 'e-1',
      at: '2026-03-02T11:00:00.000Z',
      data: order(),
    }));
});
