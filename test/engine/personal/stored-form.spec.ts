import { createDecipheriv, createSecretKey, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import type { OpeningKey, SealingKey } from '../../../src/engine/personal/person-keys.ts';
import { sealedLog } from '../../../src/engine/personal/sealed-log.ts';

const stream = 'ticket-5f0c1a52-0b1c-4d6e-8f3a-1c2d3e4f5a6b';
const TEXTS = '0636b466-5244-4547-b00e-5e4db78f7a68';
const PSEUDONYM = '83c2f9ce-e400-439b-9613-0a85c89558e0';
const keyBytes = { [TEXTS]: Buffer.alloc(32, 1), [PSEUDONYM]: Buffer.alloc(32, 2) };
const ada = { kind: 'user', id: 'ada@north.example', name: 'Ada Lovelace' } as const;

const note: TicketEvent = {
  type: 'NoteAdded',
  noteId: '0b6a3c0e-7a51-4a7c-9d0f-2f7b1f6f9a11',
  body: 'Please ring twice — at Zoë’s door',
  visibility: 'public',
};
const moved: TicketEvent = { type: 'TicketTransitioned', from: 'new', to: 'triaged' };

const meta = {
  commandId: '6b46bf0a-72f3-4300-b53d-3312c3f9be18',
  at: '2026-03-01T09:00:00.000Z',
  origin: 'api',
  organisation: 'north',
  schema: '2',
  by: `person:${PSEUDONYM}`,
  personKeys: `${TEXTS},${PSEUDONYM}`,
};
/** A note and a transition of one command, as stored by release 0.2. */
const stored: readonly NewEvent[] = [
  {
    id: '34c25ff5-145a-4367-b4af-3ecf452bac16',
    type: 'NoteAdded',
    data: {
      noteId: '0b6a3c0e-7a51-4a7c-9d0f-2f7b1f6f9a11',
      body: '(erased)',
      visibility: 'public',
      sealed: [
        {
          key: TEXTS,
          purpose: 'texts',
          box:
            'LyBRolzy7QZ5023hn3j53NHGijU69XFAudXehv+3bpT/VJVnnG22gcDehFl6+sVACvgJo+lEviOHumJgiIUn' +
            '83AHapV3CpJX5ffa3Hdcf01hZYnw9tL1Vlc2FA==',
        },
      ],
    },
    meta,
  },
  {
    id: '8b89aca9-6449-4d8b-b293-0188a906934e',
    type: 'TicketTransitioned',
    data: {
      from: 'new',
      to: 'triaged',
      sealed: [{ key: TEXTS, box: 'U6xCwl5F92+rnqqrDPFCxHdv0owOkzROvSk0y8oLwTS9bUOWHpRcLxR2VIc=' }],
    },
    meta,
  },
];

const sealingKeys = ([TEXTS, PSEUDONYM] as const).map((keyId): SealingKey => ({
  keyId,
  key: createSecretKey(keyBytes[keyId]),
}));
const openingKeys: ReadonlyMap<string, OpeningKey> = new Map(
  sealingKeys.map(({ keyId, key }) => [keyId, { key, subject: `user:${ada.id}`, name: ada.name }]),
);
const keys = {
  sealingCached: () => null,
  sealing: async (owners: readonly { readonly purpose: string }[]) =>
    owners.map(({ purpose }) => sealingKeys[purpose === 'texts' ? 0 : 1]!),
  opening: async () => openingKeys,
};

let raw: EventStore;
let log: EventStore;
beforeEach(() => {
  raw = memoryEventStore();
  log = sealedLog(raw, keys, ticketCodec.types);
});

describe('the stored form of a sealed event', () => {
  it('opens as an earlier release stored it', async () => {
    await raw.append(stream, 'any', stored);
    const read = (await log.readStream(stream)).map((event) => ticketCodec.decode(event));
    expect(read.map(({ event }) => event)).toEqual([note, moved]);
    for (const one of read) expect(one).toMatchObject({ by: ada, bodyHash: 'body-hash' });
  });

  it('can be opened by an earlier release', async () => {
    const given = [note, moved].map((event) =>
      ticketCodec.encode(randomUUID(), event, {
        commandId: meta.commandId,
        at: meta.at,
        by: ada,
        origin: 'api',
        organisation: 'north',
        bodyHash: 'body-hash',
      }),
    );
    await log.append(stream, 'any', given);
    const written = await raw.readStream(stream);
    for (const [n, { data, meta: writtenMeta }] of written.entries()) {
      const expected = stored[n]!;
      expect(writtenMeta).toEqual(meta);
      const { sealed, ...rest } = data as { readonly sealed: readonly { box: string }[] };
      expect({ ...rest, sealed: [{ ...sealed[0], box: '' }] }).toEqual({
        ...(expected.data as object),
        sealed: [{ ...(expected.data as { sealed: object[] }).sealed[0], box: '' }],
      });
      expect(JSON.parse(decrypted(sealed[0]!.box, `${stream}/${given[n]!.id}`))).toEqual([
        n === 0 ? { body: note.body } : {},
        'body-hash',
      ]);
    }
  });
});

/** Nonce, ciphertext and tag under AES-256-GCM, bound to the stream and the event. */
const decrypted = (box: string, context: string): string => {
  const bytes = Buffer.from(box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', keyBytes[TEXTS], bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
};
