/**
 * Files of exported tickets, in a directory by their hash: out of one desk, and into another.
 * Both ways go on where they broke off.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Atrium, components } from '../../../sdk/src/index.ts';
import { AtriumError } from '../../../sdk/src/problems.ts';
import { CommandFailed } from '../failures.ts';
import { failedAt, linesIn } from './files.ts';

type ExportedFile = components['schemas']['ExportedAttachment'];
type Api = Pick<Atrium, 'GET' | 'POST'>;

/** The file of an exported ticket. */
export interface TicketFile {
  readonly ticketId: string;
  readonly file: ExportedFile;
}

export interface FilesFetched {
  readonly fetched: number;
  /** They were in the directory. */
  readonly there: number;
  /** They were removed from their tickets since the export. */
  readonly gone: number;
}

const DOWNLOAD = '/api/service-desk/requests/{id}/attachments/{attachmentId}';
const ATTACHMENTS = '/api/service-desk/requests/{id}/attachments';

/** The files that a line of an export names; none for any other line. */
export const filesIn = (text: string): readonly ExportedFile[] => {
  if (!text.includes('"attachments"')) return [];
  try {
    const value = JSON.parse(text) as { readonly attachments?: unknown };
    return Array.isArray(value.attachments) ? value.attachments.filter(isFile) : [];
  } catch {
    return [];
  }
};

const isFile = (value: unknown): value is ExportedFile =>
  typeof value === 'object' &&
  value !== null &&
  'attachmentId' in value &&
  'name' in value &&
  'sha256' in value &&
  /^[0-9a-f]{64}$/.test(String(value.sha256));

/**
 * Fetches the files of an export that the directory lacks.
 *
 * @param file Of the export.
 * @throws {@link CommandFailed} if one cannot be written, or has other bytes than it should.
 */
export const fetchFiles = async (
  client: Api,
  file: string,
  directory: string,
): Promise<FilesFetched> => {
  const done = { fetched: 0, there: 0, gone: 0 };
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw failedAt(directory, 'written', error);
  });
  const there = new Set(await readdir(directory));
  for await (const { text } of linesIn(file)) {
    for (const one of filesIn(text)) {
      if (there.has(one.sha256)) done.there += 1;
      else if (await fetched(client, { ticketId: idIn(text), file: one }, directory)) {
        done.fetched += 1;
        there.add(one.sha256);
      } else done.gone += 1;
    }
  }
  return done;
};

const idIn = (text: string): string => String((JSON.parse(text) as { id: unknown }).id);

/** `false`: the ticket has it no more. */
const fetched = async (
  client: Api,
  { ticketId, file: { attachmentId, sha256, name } }: TicketFile,
  directory: string,
): Promise<boolean> => {
  const opened = client.GET(DOWNLOAD, {
    params: { path: { id: ticketId, attachmentId } },
    parseAs: 'stream',
  });
  const answer = await opened.catch((error: unknown) => {
    if (AtriumError.is(error) && error.status === 404) return null;
    throw error;
  });
  if (answer === null) return false;
  const path = join(directory, `${sha256}.${randomUUID()}`);
  try {
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Uint8Array, _, passed) {
        hash.update(chunk);
        passed(null, chunk);
      },
    });
    const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.fromWeb(answer.data as never), hashing, output);
    if (hash.digest('hex') !== sha256)
      throw new CommandFailed(`the download of ${name} of ticket ${ticketId} was incomplete`);
    await rename(path, join(directory, sha256));
    return true;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

export interface FilesAttached {
  readonly attached: number;
  readonly there: number;
  /** Why some were not, in one line each. */
  readonly failures: readonly string[];
}

/**
 * Attaches files to imported tickets, each once: under the id that it had, which names the command.
 * Of identical files of a ticket, as many are attached as it lacks, whoever attached the others.
 *
 * @param files By the tickets that they come to.
 */
export const attachFiles = async (
  client: Api,
  files: readonly TicketFile[],
  directory: string,
): Promise<FilesAttached> => {
  const done = { attached: 0, there: 0 };
  const failures: string[] = [];
  const byContent = new Map<string, TicketFile[]>();
  for (const one of files) {
    const content = `${one.ticketId} ${contentOf(one.file)}`;
    byContent.set(content, [...(byContent.get(content) ?? []), one]);
  }
  for (const identical of byContent.values()) {
    let there: Set<string> | null = null;
    for (const one of identical) {
      try {
        there ??= await thereOf(client, one);
        if (there.size >= identical.length) {
          done.there += 1;
          continue;
        }
        // A repeated command answers with the file that it attached before.
        const attachmentId = await attached(client, one, directory);
        done[there.has(attachmentId) ? 'there' : 'attached'] += 1;
        there.add(attachmentId);
      } catch (error) {
        failures.push(`${one.file.name} of ticket ${one.ticketId}: ${reasonOf(error)}`);
      }
    }
  }
  return { ...done, failures };
};

/** Equal for identical files. */
const contentOf = ({
  name,
  sha256,
  visibility,
}: Pick<ExportedFile, 'name' | 'sha256' | 'visibility'>): string =>
  JSON.stringify([name, sha256, visibility]);

/** The ids of the ticket's attachments that are identical to the file. */
const thereOf = async (client: Api, { ticketId, file }: TicketFile): Promise<Set<string>> => {
  const { data } = await client.GET(ATTACHMENTS, { params: { path: { id: ticketId } } });
  const identical = data.items.filter((one) => contentOf(one) === contentOf(file));
  return new Set(identical.map(({ attachmentId }) => attachmentId));
};

/** @returns The id of the attachment. */
const attached = async (
  client: Api,
  { ticketId, file: { name, sha256, visibility, attachmentId } }: TicketFile,
  directory: string,
): Promise<string> => {
  const path = join(directory, sha256);
  await stat(path);
  const form = new FormData();
  form.set('visibility', visibility);
  form.set('file', await openAsBlob(path), name);
  const { data } = await client.POST(ATTACHMENTS, {
    params: {
      path: { id: ticketId },
      header: { 'Idempotency-Key': `import-${attachmentId}` },
    },
    body: form as never,
    bodySerializer: () => form,
  });
  return data.attachmentId;
};

const reasonOf = (error: unknown): string => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'is not in the directory';
  return (error as Error).message;
};
