/**
 * The mark that `atrium events import` leaves in a log: the log that its events come from. An
 * installation that was fed from that log adopts this one, once.
 */
import { randomUUID } from 'node:crypto';
import type { EventStore, StoredEvent } from './event-store.ts';
import { OWN_CATEGORY } from './log-identity.ts';
import { streamOf } from './streams.ts';

const IMPORT_STREAM = streamOf(OWN_CATEGORY, 'import');
const IMPORTED = 'LogImported';

type Readable = Pick<EventStore, 'readStream'>;
type Appendable = Pick<EventStore, 'append' | 'readStream'>;

/** The identity of the imported log; `null`: none, or an installation has already adopted it. */
export const importedFrom = async (log: Readable): Promise<string | null> => {
  const [last] = await log.readStream(IMPORT_STREAM, { backwards: true, limit: 1 });
  return last ? originIn(last) : null;
};

/** The identities of all logs that were imported, adopted or not. @throws As the log does. */
export const importedLogs = async (log: Readable): Promise<readonly string[]> =>
  (await log.readStream(IMPORT_STREAM)).flatMap((event) => originIn(event) ?? []);

const originIn = ({ type, data }: StoredEvent): string | null => {
  if (type !== IMPORTED) return null;
  const { from } = data as { readonly from?: unknown };
  return typeof from === 'string' ? from : null;
};

/** Idempotent. @throws As the log does. */
export const markImported = async (log: Appendable, from: string): Promise<void> => {
  if ((await importedFrom(log)) !== from) await appended(log, IMPORTED, { from });
};

/** Invalidates the mark, because an installation has adopted the log. Idempotent. */
export const endImport = async (log: Appendable): Promise<void> => {
  if ((await importedFrom(log)) !== null) await appended(log, 'LogImportAdopted', {});
};

const appended = async (log: Appendable, type: string, data: object): Promise<void> => {
  const [last] = await log.readStream(IMPORT_STREAM, { backwards: true, limit: 1 });
  const event = { id: randomUUID(), type, data, meta: {} };
  await log.append(IMPORT_STREAM, last?.revision ?? 'no_stream', [event]);
};
