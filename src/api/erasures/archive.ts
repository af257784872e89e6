/**
 * All data of a person as lines `{ section, value }`, read while they are sent: one ticket and one
 * part of a file are in memory at a time. The last line is `end`. contract.md section 11.
 */
import type { Pool } from 'pg';
import { ofPersonIn, type OfPerson, type SentFile } from '../../domain/erasures/of-person.ts';
import type { Erasure } from '../../domain/erasures/erasure.ts';
import type { Directory } from '../../domain/people/directory.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { publicTicket } from '../../domain/tickets/public-ticket.ts';
import type { SavedViews } from '../../domain/views/views.ts';
import { nullIfUnreadable } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import { FileMissing, type FileStore } from '../../files/file-store.ts';
import { accountRowsOf } from '../../projections/erasures/accounts.ts';
import { ticketsReferringTo } from '../../projections/erasures/references.ts';
import { ticketsRaisedBy, ticketsReportedFrom } from '../../projections/erasures/reported.ts';
import type { erasuresOf } from '../../use-cases/erasures/erasures.ts';
import type { Person } from '../../use-cases/erasures/person.ts';
import { Problem } from '../http/problems.ts';
import { statusOf } from './erasure-status.ts';
import { EXPORTED_PART_BYTES, PERSON_EXPORT_TICKETS_MAX } from './limits.ts';

export interface ArchiveParts {
  readonly log: EventStore;
  readonly pool: Pool;
  readonly keys: Pick<PersonKeys, 'keysOf'>;
  readonly files: Pick<FileStore, 'open'>;
  readonly viewsOf: (organisation: string) => Promise<SavedViews>;
  readonly directoryOf: (organisation: string) => Promise<Directory | undefined>;
  readonly erasuresOf: ReturnType<typeof erasuresOf>;
  /** Default {@link PERSON_EXPORT_TICKETS_MAX}. */
  readonly ticketsMax?: number;
}

/** A line of the archive. */
export interface ArchiveLine {
  readonly section: ArchiveSection;
  readonly value: unknown;
}

export const archiveSections = [
  'subject',
  'directory',
  'signIn',
  'session',
  'presence',
  'view',
  'ticket',
  'note',
  'rating',
  'timeline',
  'attachment',
  'bytes',
  'unreadable',
  'end',
] as const;
export type ArchiveSection = (typeof archiveSections)[number];

type Lines = AsyncGenerator<readonly ArchiveLine[], void, undefined>;

/**
 * A ticket that this release cannot read may name the person: its id is a line of its own. Throws
 * as the log, the database and the store of files do.
 *
 * @throws {@link Problem} `VALIDATION_FAILED`, before the first line, for a person with too many
 *   tickets.
 */
export async function* archiveOf(parts: ArchiveParts, organisation: string, person: Person): Lines {
  const indexed = await indexedTickets(parts, organisation, person);
  const { subjects, userIds, emails } = person;
  const erasures = (await parts.erasuresOf(organisation, subjects)).map(erasureLine);
  const subject = { organisationId: organisation, userIds, emails, erasures };
  yield [{ section: 'subject', value: subject }];
  yield await profileOf(parts, organisation, person);
  let tickets = 0;
  let unreadable = 0;
  for await (const ticketId of ticketsOf(parts, organisation, emails, indexed)) {
    const stream = streamOf('ticket', ticketId);
    const facts = await historyOf(parts.log, ticketCodec, stream).catch(nullIfUnreadable);
    if (facts === null) {
      unreadable += 1;
      yield [{ section: 'unreadable', value: { ticketId } }];
      continue;
    }
    const personal = ofPersonIn(facts, person);
    if (personal === null) continue;
    tickets += 1;
    yield ticketLines(personal);
    for (const file of personal.files) yield* fileLines(parts, personal.ticket, file);
  }
  yield [{ section: 'end', value: { tickets, unreadable } }];
}

const profileOf = async (
  { pool, viewsOf, directoryOf }: ArchiveParts,
  organisation: string,
  { userIds, emails }: Person,
): Promise<readonly ArchiveLine[]> => {
  const directory = await directoryOf(organisation);
  const entries = (directory?.users ?? []).filter(
    ({ userId, email }) =>
      userIds.includes(userId) || (email !== undefined && emails.includes(email.toLowerCase())),
  );
  const teamsOf = (userId: string) =>
    (directory?.teams ?? []).filter(({ members }) => members.includes(userId));
  const rows = await accountRowsOf(pool, organisation, userIds);
  const views = [...(await viewsOf(organisation)).values()].filter(
    ({ createdBy }) => createdBy.kind === 'user' && userIds.includes(createdBy.id),
  );
  const lines = (section: ArchiveSection, values: readonly unknown[]) =>
    values.map((value) => ({ section, value }));
  return [
    ...lines(
      'directory',
      entries.map((entry) => ({
        ...entry,
        teams: teamsOf(entry.userId).map(({ teamId, name }) => ({ teamId, name })),
      })),
    ),
    ...lines('signIn', rows.signIns),
    ...lines('session', rows.sessions),
    ...lines('presence', rows.presence),
    ...lines('view', views),
  ];
};

const erasureLine = (erasure: Erasure) => {
  const { erasureId, texts, requestedAt, finishedAt } = erasure;
  return { erasureId, status: statusOf(erasure), texts, requestedAt, finishedAt };
};

/** The tickets that an index finds: by the person's keys, and by the user who raised them. */
const indexedTickets = async (
  { pool, keys, ticketsMax = PERSON_EXPORT_TICKETS_MAX }: ArchiveParts,
  organisation: string,
  { subjects, userIds }: Person,
): Promise<ReadonlySet<string>> => {
  const keyIds = (await keys.keysOf(organisation, subjects)).map(({ keyId }) => keyId);
  const ticketIds = new Set([
    ...(await ticketsReferringTo(pool, keyIds, ticketsMax + 1)),
    ...(await ticketsRaisedBy(pool, organisation, userIds, ticketsMax + 1)),
  ]);
  if (ticketIds.size <= ticketsMax) return ticketIds;
  throw new Problem(
    'VALIDATION_FAILED',
    `A person with more than ${ticketsMax} tickets cannot be exported by one request.`,
  );
};

async function* ticketsOf(
  { pool }: ArchiveParts,
  organisation: string,
  emails: readonly string[],
  known: ReadonlySet<string>,
): AsyncGenerator<string, void, undefined> {
  yield* known;
  for await (const page of ticketsReportedFrom(pool, organisation, emails))
    for (const ticketId of page) if (!known.has(ticketId)) yield ticketId;
}

const ticketLines = ({ ticket, asRaised, items }: OfPerson): readonly ArchiveLine[] => {
  const { id: ticketId, number } = ticket;
  const raised = { section: 'ticket', value: { ...publicTicket(ticket), asRaised } } as const;
  return [
    ...(asRaised === null ? [] : [raised]),
    ...items.map((item) => ({
      section: item.kind === 'note' || item.kind === 'rating' ? item.kind : ('timeline' as const),
      value: { ticketId, number, ...item },
    })),
  ];
};

async function* fileLines(
  { files }: ArchiveParts,
  { id: ticketId, organisationId: organisation }: OfPerson['ticket'],
  file: SentFile,
): Lines {
  const { attachmentId, sha256 } = file;
  const bytes = file.removed ? null : await opened(files, { organisation, sha256 });
  const value = { ticketId, ...file, hasBytes: bytes !== null };
  yield [{ section: 'attachment', value }];
  if (bytes === null) return;
  let offset = 0;
  for await (const chunk of bytes) {
    const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let from = 0; from < whole.length; from += EXPORTED_PART_BYTES) {
      const part = whole.subarray(from, from + EXPORTED_PART_BYTES);
      const base64 = part.toString('base64');
      yield [{ section: 'bytes', value: { attachmentId, offset, base64 } }];
      offset += part.length;
    }
  }
}

/** `null`: the store has lost them, which the archive reports. */
const opened = async (
  files: Pick<FileStore, 'open'>,
  name: Parameters<FileStore['open']>[0],
): Promise<AsyncIterable<Uint8Array> | null> => {
  try {
    return await files.open(name);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
};
