/**
 * The worker thread of imports, one at a time: it reads, checks and writes on the import's own
 * connection, without load on the server's event loop and pool.
 */
import { parentPort, type MessagePort } from 'node:worker_threads';
import { poolOn } from '../../engine/postgres/pool.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { draftsOf } from '../../domain/buildings/nodes.ts';
import { isRefusal, type Refusal } from '../../engine/aggregates/decider.ts';
import { jsonHash } from '../../engine/aggregates/json-hash.ts';
import type { ImportResult } from '../graph/graph.ts';
import { importWithin } from '../graph/import.ts';
import { IMPORT_MAX_MS, IMPORT_THREAD_REUSED_BYTES_MAX } from './limits.ts';
import { importFollowers } from './followers.ts';
import type { DocumentReader, ImportFormat, ReadDocument } from './reader.ts';
import type { FromThread, ImportTask, ReadOptions, ToThread } from './thread-messages.ts';

/** Loaded on demand: the IFC reader takes as long to load as the rest of the thread. */
const readers: Readonly<
  Record<ImportFormat, (building: string | undefined) => Promise<DocumentReader>>
> = {
  json: async (building) => (await import('./json/json-reader.ts')).jsonReader(building),
  ifc: async (building) => (await import('./ifc/ifc-reader.ts')).ifcReader(building),
};

const say = (message: FromThread): void => parentPort?.postMessage(message, []);

/** Handles the bytes of one import, and their end. */
interface Import {
  take(chunk: Uint8Array): void;
  end(): void;
}

const importOf = async (task: ImportTask): Promise<Import> => {
  const reader = await readers[task.format](task.building);
  let bytes = 0;
  return {
    take(chunk) {
      const refusal = reader.take(chunk);
      if (refusal) return void finish(async () => refusal, false);
      bytes += chunk.length;
      return say({ type: 'taken', bytes: chunk.length });
    },
    end() {
      say({ type: 'phase', phase: { name: 'reading', bytes } });
      const isReusable = bytes <= IMPORT_THREAD_REUSED_BYTES_MAX;
      void finish(async () => {
        const read = await reader.end(() => say({ type: 'phase', phase: { name: 'shapes' } }));
        return isRefusal(read) ? read : written(task, read);
      }, isReusable);
    },
  };
};

/** Sends the result. The thread ends unless it may be used again. */
const finish = async (
  outcome: () => Promise<ImportResult | Refusal>,
  isReusable: boolean,
): Promise<void> => {
  try {
    say({ type: 'outcome', outcome: await outcome(), isReusable });
    if (isReusable) return;
  } catch (error) {
    const { message, code } = error as Error & { readonly code?: string };
    say({ type: 'failure', message, code });
  }
  parentPort?.close();
};

const written = async (
  { databaseUrl, organisation, named, options, building, isDryRun }: ImportTask,
  { document, reference, codes, warnings, hash }: ReadDocument,
): Promise<ImportResult | Refusal> => {
  say({ type: 'phase', phase: { name: 'writing', nodes: draftsOf(document).length - 1 } });
  const db = poolOn(databaseUrl, 'atrium-import', {
    // Comparing the whole building in memory between two statements takes long.
    idle_in_transaction_session_timeout: IMPORT_MAX_MS,
    max: 1,
  });
  try {
    const given = {
      ...options,
      codes,
      reference,
      ...(named && { bodyHash: requestHash(hash, options, building) }),
    };
    return await transaction(
      db,
      (client) =>
        importWithin(client, {
          organisation,
          document,
          options: given,
          warnings,
          followers: importFollowers,
          isDryRun,
        }),
      !isDryRun,
    );
  } finally {
    await db.end();
  }
};

/** The query is part of the request's identity. */
const requestHash = (
  hash: string,
  { replace, model, storeys = new Map() }: ReadOptions,
  building: string | undefined,
): string => {
  const query = { model, building, storeys: Object.fromEntries(storeys) };
  const isPlain = !model && !building && storeys.size === 0;
  const more = isPlain ? '' : `.${jsonHash(query)}`;
  return `${hash}${replace ? '.replace' : ''}${more}`;
};

const importOneByOne = (port: MessagePort): void => {
  let current: Promise<Import>;
  port.on('message', (message: ToThread) => {
    if (message.type === 'task') current = importOf(message.task);
    else
      void current.then((running) =>
        message.type === 'bytes' ? running.take(message.bytes) : running.end(),
      );
  });
};

if (parentPort) importOneByOne(parentPort);
