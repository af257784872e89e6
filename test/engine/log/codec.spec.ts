import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  codecOf,
  NewerReleaseNeeded,
  UnreadableEvent,
  type RecordMeta,
} from '../../../src/engine/log/codec.ts';
import type { NewEvent, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { noon } from '../../support/domain/specify.ts';

type Painted = { readonly type: 'Painted'; readonly colour: string };

const codec = codecOf<Painted>({
  Painted: {
    schema: z.strictObject({ type: z.literal('Painted'), colour: z.string().min(1) }),
    version: 2,
    upcasters: { 1: ({ color, ...data }) => ({ ...data, colour: color }) },
  },
});

const id = '0197a1b2-0000-7000-8000-000000000001';
const record: RecordMeta = { commandId: id, at: noon.at, by: noon.by, origin: 'api' };

const encoded = (over: Partial<RecordMeta> = {}): NewEvent =>
  codec.encode(id, { type: 'Painted', colour: 'red' }, { ...record, ...over });

const stored = (event: NewEvent): StoredEvent => ({
  ...event,
  stream: 'thing-a',
  revision: 3,
  position: '7',
  recordedAt: noon.at,
});

describe('an event', () => {
  it.each<RecordMeta['by']>([
    { kind: 'user', id: 'ada' },
    { kind: 'user', id: 'urn:person:7', name: 'Ada: the first' },
    { kind: 'client', id: 'erp' },
    { kind: 'key', id: 'mk_live_1' },
    { kind: 'system', id: '' },
  ])('comes back as it was recorded, by %j', (by) => {
    const all = { by, organisation: 'acme', bodyHash: 'f00' };
    expect(codec.decode(stored(encoded(all)))).toEqual({
      ...record,
      ...all,
      id,
      stream: 'thing-a',
      revision: 3,
      position: '7',
      recordedAt: noon.at,
      event: { type: 'Painted', colour: 'red' },
    });
  });

  it('has neither organisation nor hash if it was recorded without them', () => {
    const fact = codec.decode(stored(encoded()));
    expect(Object.keys(fact)).not.toContain('organisation');
    expect(Object.keys(fact)).not.toContain('bodyHash');
  });

  it('is read with metadata unknown to this release, such as a trace', () => {
    const traced = encoded({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` });
    expect(traced.meta).toHaveProperty('traceparent');
    const later = { ...traced, meta: { ...traced.meta, sinceThen: 'x' } };
    expect(codec.decode(stored(later))).toEqual(codec.decode(stored(encoded())));
  });

  it('of an older version is upcast, and then validated', () => {
    const old = (data: object): StoredEvent => {
      const event = stored(encoded());
      return { ...event, data, meta: { ...event.meta, schema: '1' } };
    };
    expect(codec.decode(old({ color: 'blue' })).event).toEqual({ type: 'Painted', colour: 'blue' });
    expect(() => codec.decode(old({ color: '' }))).toThrow(UnreadableEvent);
    expect(() => codec.decode(old({ colour: 'blue' }))).toThrow(UnreadableEvent);
  });

  it('that its schema rejects is not stored', () => {
    const act = () => codec.encode(id, { type: 'Painted', colour: '' }, record);
    expect(act).toThrow(/^new Painted does not fit/);
  });
});

describe('a stored event is rejected', () => {
  const data: [string, unknown][] = [
    ['an unknown member and one of the wrong type', { colour: 7, size: 1 }],
    ['a missing member', {}],
    ['a member of the wrong type', { colour: 1 }],
    ['data that is not an object', null],
  ];
  it.each(data)('with %s', (_, wrong) => {
    const act = () => codec.decode({ ...stored(encoded()), data: wrong });
    expect(act).toThrow(/^Painted \(thing-a, revision 3\) does not fit/);
  });

  const metas: [string, Record<string, unknown>][] = [
    ['no actor', { by: undefined }],
    ['an actor of an unknown kind', { by: 'robot:1' }],
    ['an actor whose kind only has a known prefix', { by: 'users:1' }],
    ['an actor of a kind without an id', { by: 'user' }],
    ['an actor that is not a string', { by: 7 }],
    ['no command id', { commandId: undefined }],
    ['no time', { at: undefined }],
    ['no origin', { origin: undefined }],
  ];
  it.each(metas)('with %s', (_, wrong) => {
    const event = stored(encoded());
    const meta = { ...event.meta, ...wrong } as StoredEvent['meta'];
    expect(() => codec.decode({ ...event, meta })).toThrow(UnreadableEvent);
  });

  it('of a version without an upcaster', () => {
    const act = () => codec.decode(ofVersion('0', { colour: 'red' }));
    expect(act).toThrow(UnreadableEvent);
  });
});

/** Stored by a release whose schema had this version. */
const ofVersion = (schema: string, data: object, readableAs?: string): StoredEvent => {
  const event = stored(encoded());
  const meta = { ...event.meta, schema, ...(readableAs === undefined ? {} : { readableAs }) };
  return { ...event, data, meta };
};

describe('of an event that a newer release has written', () => {
  const painted: Painted = { type: 'Painted', colour: 'red' };

  it('added members are dropped, at any depth', () => {
    const added = ofVersion('2', { colour: 'red', size: 1 });
    expect(codec.decode(added).event).toEqual(painted);
    const deep = codecOf<{ readonly type: 'Drawn'; readonly parts: readonly { at: number }[] }>({
      Drawn: z.strictObject({
        type: z.literal('Drawn'),
        parts: z.array(z.strictObject({ at: z.int() })),
      }),
    });
    const data = { parts: [{ at: 1 }, { at: 2, size: 3, unit: 'mm' }], size: 4 };
    const drawn = { ...ofVersion('1', data), type: 'Drawn' };
    expect(deep.decode(drawn).event).toEqual({ type: 'Drawn', parts: [{ at: 1 }, { at: 2 }] });
    expect(data.parts[1]).toEqual({ at: 2, size: 3, unit: 'mm' });
  });

  it('no member that may be a restriction is dropped', () => {
    const strict = codecOf<Painted>(
      { Painted: z.strictObject({ type: z.literal('Painted'), colour: z.string() }) },
      { unknownMembers: 'refused' },
    );
    const added = ofVersion('1', { colour: 'red', onlyOn: 'monday' });
    expect(() => strict.decode(added)).toThrow(NewerReleaseNeeded);
    expect(strict.decode(ofVersion('1', { colour: 'red' })).event).toEqual(painted);
  });

  it('a version that declares an older one readable is read as that one', () => {
    const data = { colour: 'red', size: 1 };
    for (const readableAs of ['1', '2'])
      expect(codec.decode(ofVersion('4', data, readableAs)).event).toEqual(painted);
    expect(() => codec.decode(ofVersion('4', data, '3'))).toThrow(NewerReleaseNeeded);
    expect(() => codec.decode(ofVersion('4', {}, '2'))).toThrow(UnreadableEvent);
  });

  it('no unknown member is stored by this release', () => {
    const event = { ...painted, size: 1 };
    expect(() => codec.encode(id, event, record)).toThrow(UnreadableEvent);
  });

  it('each version names the older ones that can read it', () => {
    const newer = codecOf<Painted>({
      Painted: {
        schema: z.strictObject({ type: z.literal('Painted'), colour: z.string() }),
        version: 3,
        readableAs: 2,
      },
    });
    const event = stored(newer.encode(id, { type: 'Painted', colour: 'red' }, record));
    expect(event.meta).toMatchObject({ schema: '3', readableAs: '2' });
    expect(codec.decode(event).event).toEqual(painted);
  });

  it('no other type and no other version is read', () => {
    const event = stored(encoded());
    expect(() => codec.decode({ ...event, type: 'Sold' })).toThrow(NewerReleaseNeeded);
    const meta = { ...event.meta, schema: '3' };
    expect(() => codec.decode({ ...event, meta })).toThrow(NewerReleaseNeeded);
  });
});
