import { describe, expect, it } from 'vitest';
import { authorityOf } from '../../../src/domain/authority.ts';
import { attachmentName } from '../../../src/domain/tickets/attachment-name.ts';
import {
  attachmentsAfter,
  type TicketAttachments,
} from '../../../src/domain/tickets/attachment-list.ts';
import {
  attachmentChangesIn,
  mayRemove,
  type AttachedFile,
} from '../../../src/domain/tickets/attachments.ts';
import { withinCapacity } from '../../../src/domain/tickets/capacity.ts';
import { changeOf } from '../../../src/domain/tickets/change.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import {
  ATTACHMENT_BYTES_MAX,
  ATTACHMENT_NAME_CHARACTERS_MAX,
  TICKET_ATTACHMENTS_BYTES_MAX,
  TICKET_ATTACHMENTS_MAX,
  TICKET_TEXT_BYTES_MAX,
} from '../../../src/domain/tickets/limits.ts';
import { isPublic } from '../../../src/domain/tickets/notes.ts';
import { publicationOf } from '../../../src/domain/tickets/publication.ts';
import { addToNote, timelineOf } from '../../../src/domain/tickets/timeline.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import { acme, opened, recordedOf, viewOf } from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const idOf = (index: number) => `7f0c1a52-8c0e-4f0c-9d39-${index.toString(16).padStart(12, '0')}`;
const fileOf = (index: number, over: Partial<AttachedFile> = {}): AttachedFile => ({
  attachmentId: idOf(index),
  name: 'leak.png',
  mediaType: 'image/png',
  bytes: 1_000,
  sha256: 'a'.repeat(64),
  visibility: 'internal',
  ...over,
});
const added = (file: AttachedFile): TicketEvent => ({ type: 'AttachmentAdded', ...file });
const removed = (file: AttachedFile): TicketEvent => ({ type: 'AttachmentRemoved', ...file });
const add = (file: AttachedFile) => ({ type: 'AddAttachment', authority: acme, file }) as const;
const remove = (index: number) =>
  ({ type: 'RemoveAttachment', authority: acme, attachmentId: idOf(index) }) as const;
const many = (count: number, over: Partial<AttachedFile> = {}) =>
  Array.from({ length: count }, (_, index) => added(fileOf(index, over)));

describe('an attachment', () => {
  it('is added, and removed with all that was known of it', () => {
    given(opened())
      .when(add(fileOf(1)))
      .records(added(fileOf(1)));
    given(opened(), added(fileOf(1)))
      .when(remove(1))
      .records(removed(fileOf(1)));
  });

  it('has an id of its own, and is removed once', () => {
    given(opened(), added(fileOf(1)))
      .when(add(fileOf(1)))
      .refuses('CONFLICT');
    given(opened(), added(fileOf(1)), removed(fileOf(1)))
      .when(remove(1))
      .refuses('NOT_FOUND');
    given(opened()).when(remove(1)).refuses('NOT_FOUND');
  });

  it('of another organisation does not exist', () =>
    given(opened())
      .when({ ...add(fileOf(1)), authority: authorityOf('globex') })
      .refuses('NOT_FOUND'));

  it('has at most 25 MiB', () => {
    const largest = fileOf(1, { bytes: ATTACHMENT_BYTES_MAX });
    given(opened()).when(add(largest)).records(added(largest));
    given(opened())
      .when(add({ ...largest, bytes: ATTACHMENT_BYTES_MAX + 1 }))
      .refuses('ATTACHMENT_REFUSED', { reason: 'size' });
  });

  it('is one of at most 50', () => {
    const last = fileOf(TICKET_ATTACHMENTS_MAX);
    const before = many(TICKET_ATTACHMENTS_MAX - 1);
    given(opened(), ...before)
      .when(add(last))
      .records(added(last));
    given(opened(), ...before, added(last))
      .when(add(fileOf(99)))
      .refuses('ATTACHMENT_REFUSED', { reason: 'count' });
    given(opened(), ...before, added(last), removed(last))
      .when(add(fileOf(99)))
      .records(added(fileOf(99)));
  });

  it('is one of at most 250 MiB', () => {
    const full = many(TICKET_ATTACHMENTS_BYTES_MAX / ATTACHMENT_BYTES_MAX, {
      bytes: ATTACHMENT_BYTES_MAX,
    });
    given(opened(), ...full)
      .when(add(fileOf(99, { bytes: 1 })))
      .refuses('ATTACHMENT_REFUSED', { reason: 'size' });
  });

  it('can be removed from a full ticket', () => {
    const held = { notes: 0, textBytes: TICKET_TEXT_BYTES_MAX, workOrders: new Set<string>() };
    const fact = removed(fileOf(1));
    expect(withinCapacity([fact], held, remove(1))).toEqual([fact]);
    expect(withinCapacity([added(fileOf(1))], held, add(fileOf(1)))).toMatchObject({
      refused: 'TICKET_FULL',
    });
  });

  it('is removed by its author and by managers alone', () => {
    const createdBy = { kind: 'user', id: 'ana' } as const;
    const may = (id: string, isManager = false, kind: 'user' | 'client' = 'user') =>
      mayRemove({ createdBy }, { actor: { kind, id }, isManager });
    expect([may('ana'), may('bob'), may('bob', true), may('ana', false, 'client')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('a note with files', () => {
  const noteId = idOf(900);
  const note = { noteId, body: 'See', visibility: 'public' } as const;
  const { visibility: _, ...one } = fileOf(1);
  const other = { ...one, attachmentId: idOf(2) };
  const addNote = (...files: readonly (typeof one)[]) =>
    ({ type: 'AddNote', authority: acme, ...note, files }) as const;
  const noteAdded: TicketEvent = { type: 'NoteAdded', ...note };
  const ofNote = { visibility: 'public', noteId } as const;

  it('is one command: the note, then its files, as visible as it is', () =>
    given(opened())
      .when(addNote(one, other))
      .records(noteAdded, added({ ...one, ...ofNote }), added({ ...other, ...ofNote })));

  it('is refused as a whole where one of them is', () => {
    given(opened()).when(addNote(one, one)).refuses('CONFLICT');
    const full = many(TICKET_ATTACHMENTS_MAX - 1);
    const [last, tooMany] = [
      { ...one, attachmentId: idOf(98) },
      { ...one, attachmentId: idOf(99) },
    ];
    given(opened(), ...full)
      .when(addNote(last, tooMany))
      .refuses('ATTACHMENT_REFUSED', { reason: 'count' });
    const half = { ...one, bytes: ATTACHMENT_BYTES_MAX };
    const large = many(TICKET_ATTACHMENTS_BYTES_MAX / ATTACHMENT_BYTES_MAX - 1, half);
    given(opened(), ...large)
      .when(addNote({ ...last, bytes: ATTACHMENT_BYTES_MAX }, { ...tooMany, bytes: 1 }))
      .refuses('ATTACHMENT_REFUSED', { reason: 'size' });
  });

  it('is a note for feeds; the bus has the files alone', () => {
    const facts = [noteAdded, added({ ...one, ...ofNote })];
    expect(changeOf(facts)).toBe('note');
    const actor = { kind: 'user', id: 'ana' } as const;
    const changes = attachmentChangesIn({
      facts: recordedOf(facts),
      at: '2026-03-02T12:00:00.000Z',
      actor,
    });
    const data = publicationOf('note', viewOf([opened()]), changes)?.data;
    expect(data).toMatchObject({ change: 'attachment', ...changes });
    expect(JSON.stringify(data)).not.toContain('"See"');
    expect(publicationOf('note', viewOf([opened()]))).toBeNull();
  });

  it('is one item of the timeline', () => {
    const facts = [
      opened(),
      noteAdded,
      added({ ...one, ...ofNote }),
      added({ ...other, ...ofNote }),
    ];
    const { name, mediaType, bytes } = one;
    const items = timelineOf(recordedOf([...facts, added(fileOf(3))]));
    expect(items).toMatchObject([
      {
        kind: 'note',
        id: noteId,
        attachments: [
          { attachmentId: idOf(1), name, mediaType, bytes },
          { attachmentId: idOf(2), name, mediaType, bytes },
        ],
      },
      { kind: 'attachment', to: { attachmentId: idOf(3) } },
    ]);
  });

  it('is not shown by another note, nor where its own is not shown', () => {
    const before = timelineOf(recordedOf([opened(), { ...noteAdded, noteId: idOf(901) }]));
    const items = [...before];
    addToNote(items, added({ ...one, ...ofNote }));
    expect(items).toEqual(before);
  });
});

describe('the visible attachments', () => {
  const by = { kind: 'user', id: 'ana' } as const;
  const at = '2026-03-02T12:00:00.000Z';

  it('are those added and not removed, with time and author', () => {
    const facts = [opened(), added(fileOf(1)), added(fileOf(2)), removed(fileOf(1))];
    const view = facts.reduce<TicketAttachments | null>(
      (before, event, revision) => attachmentsAfter({ event, at, by, revision }, before),
      null,
    );
    expect(view?.attachments).toEqual([{ ...fileOf(2), createdAt: at, createdBy: by }]);
  });

  it('is one word for feeds, and metadata on the bus', () => {
    const facts = [added(fileOf(1, { visibility: 'public' })), removed(fileOf(2))];
    expect(changeOf(facts)).toBe('attachment');
    const command = { facts: recordedOf(facts), at, actor: by };
    const changes = attachmentChangesIn(command);
    expect(changes).toEqual({
      attachments: [{ ...fileOf(1, { visibility: 'public' }), createdAt: at, createdBy: by }],
      removedAttachments: [idOf(2)],
    });
    expect(publicationOf('attachment', viewOf([opened()]), changes)?.data).toMatchObject(changes);
    const publicAlone = attachmentChangesIn(command, isPublic);
    expect(Object.keys(publicAlone)).toEqual(['attachments']);
  });
});

describe('the name of an attachment', () => {
  it.each([
    ['leak.png', 'leak.png'],
    ['C:\\fakepath\\leak.png', 'leak.png'],
    ['../../etc/passwd', 'passwd'],
    ['Heizung Ölstand.pdf', 'Heizung Ölstand.pdf'],
    ['invoice\u202Egnp.exe', 'invoicegnp.exe'],
    ['a\tb\r\nc.txt', 'abc.txt'],
    ['', 'file'],
    ['..', 'file'],
    ['\u200b', 'file'],
  ])('%j is kept as %j', (sent, kept) => expect(attachmentName(sent)).toBe(kept));

  it('is shortened before its ending', () => {
    const name = attachmentName(`${'ä'.repeat(500)}.png`);
    expect(Array.from(name)).toHaveLength(ATTACHMENT_NAME_CHARACTERS_MAX);
    expect(name).toMatch(/ä\.png$/);
  });
});
