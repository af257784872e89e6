/**
 * Imports buildings from bytes: each in a thread, with bounds and limited concurrency.
 * contract.md sections 1 and 6.
 */
import type { Worker } from 'node:worker_threads';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import type { ImportResult } from '../graph/graph.ts';
import { IMPORT_BYTES_AHEAD_MAX, IMPORT_MAX_MS, IMPORTS } from './limits.ts';
import { IMPORT_BODY_BYTES_MAX } from '../../limits.ts';
import { fairSemaphore, type FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { backpressure as openBackpressure } from './backpressure.ts';
import { importThreads, type ImportThreads } from './import-threads.ts';
import type { ImportFormat } from './reader.ts';
import type {
  FromThread,
  ImportPhase,
  ImportTask,
  ReadOptions,
  ThreadAnswer,
  ToThread,
} from './thread-messages.ts';

/** An import took longer than {@link IMPORT_MAX_MS} and was ended. */
export class ImportTooSlow extends Error {
  constructor() {
    super(`The import was not finished within ${IMPORT_MAX_MS / 1000} s.`);
    this.name = 'ImportTooSlow';
  }
}

export interface ImportSource {
  readonly format: ImportFormat;
  /** Read with backpressure, and released when no more bytes are needed. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ImportRequest {
  readonly organisation: string;
  /** Identifies the caller within the organisation, for the limit of concurrent imports. */
  readonly caller: string;
  /** Whether the request has an `Idempotency-Key`, and may be a repeat. */
  readonly named: boolean;
  readonly options: ReadOptions;
  /** GlobalId of the building to import. Default: the only one of the file. */
  readonly building?: string | undefined;
  /**
   * Returns the result that the import would have, refusals included, and changes nothing; a new
   * building has no id. Default false.
   */
  readonly isDryRun?: boolean | undefined;
}

export interface BuildingImports {
  /**
   * Imports the building in `source` atomically.
   *
   * Refuses as {@link Graph.importBuilding} does, `VALIDATION_FAILED` for an invalid document, and
   * `PAYLOAD_TOO_LARGE` beyond {@link IMPORT_BODY_BYTES_MAX}, too many nodes, or too much memory.
   *
   * @throws {@link NoPermit} before any byte is read, {@link ImportTooSlow}, and errors of the
   *   source or the database. Nothing was imported, unless the response to a commit was lost.
   */
  run(
    source: ImportSource,
    request: ImportRequest,
    onPhase?: (phase: ImportPhase) => void,
  ): Promise<ImportResult | Refusal>;
}

export interface BuildingImportParts {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** Called after each import that left an announcement to be moved to the log. */
  readonly announced?: () => void;
  /** Concurrent imports. Default: {@link IMPORTS}. */
  readonly permits?: FairSemaphore;
  /** Default: new threads. */
  readonly threads?: ImportThreads;
}

export const buildingImports = ({
  databaseUrl,
  announced = () => {},
  permits = fairSemaphore(IMPORTS),
  threads = importThreads(),
}: BuildingImportParts): BuildingImports => {
  return {
    async run(source, request, onPhase = () => {}) {
      const { organisation, caller, options, building, isDryRun = false } = request;
      // A dry run does not claim the command id.
      const named = request.named && !isDryRun;
      const leave = await permits.acquire({ organisation, caller });
      try {
        const { format } = source;
        const task: ImportTask = {
          databaseUrl,
          organisation,
          format,
          named,
          options,
          building,
          isDryRun,
        };
        const outcome = await inThread(threads, task, source.bytes, onPhase);
        if ('buildingId' in outcome && !outcome.replayed && !isDryRun) announced();
        return outcome;
      } finally {
        leave();
      }
    },
  };
};

/** Sends the task and its bytes to a thread, which is ended unless it reports to be reusable. */
const inThread = async (
  threads: ImportThreads,
  task: ImportTask,
  bytes: AsyncIterable<Uint8Array>,
  onPhase: (phase: ImportPhase) => void,
): Promise<ImportResult | Refusal> => {
  const thread = threads.acquire();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ImportTooSlow()), IMPORT_MAX_MS);
  const backpressure = openBackpressure(IMPORT_BYTES_AHEAD_MAX);
  let isReusable = false;
  try {
    const answered = answerOf(thread, backpressure.give, onPhase).then((answer) => {
      ({ isReusable } = answer);
      return answer.outcome;
    });
    // The thread may have a result before all bytes are sent.
    const sent = send(task, bytes, thread, backpressure.take).then(
      (refusal) => refusal ?? answered,
    );
    return await Promise.race([answered, sent, late.promise]);
  } finally {
    clearTimeout(timer);
    backpressure.close();
    if (isReusable) await threads.release(thread);
    else await thread.terminate();
  }
};

const send = async (
  task: ImportTask,
  bytes: AsyncIterable<Uint8Array>,
  thread: Worker,
  mayGo: (bytes: number) => Promise<boolean>,
): Promise<Refusal | null> => {
  const post = (message: ToThread, move: ArrayBuffer[] = []) => thread.postMessage(message, move);
  post({ type: 'task', task });
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > IMPORT_BODY_BYTES_MAX) {
      const mib = IMPORT_BODY_BYTES_MAX / 1024 / 1024;
      return refuse('PAYLOAD_TOO_LARGE', `The document is larger than ${mib} MiB.`);
    }
    // Copied, because the stream may reuse the chunk's memory.
    const own = Uint8Array.from(chunk);
    if (!(await mayGo(own.length))) return null;
    post({ type: 'bytes', bytes: own }, [own.buffer]);
  }
  post({ type: 'end' });
  return null;
};

const answerOf = async (
  thread: Worker,
  taken: (bytes: number) => void,
  onPhase: (phase: ImportPhase) => void,
): Promise<Omit<ThreadAnswer, 'type'>> => {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<ThreadAnswer, 'type'>>();
  const said = (message: FromThread) => {
    if (message.type === 'taken') taken(message.bytes);
    else if (message.type === 'phase') onPhase(message.phase);
    else if (message.type === 'outcome') resolve(message);
    else reject(Object.assign(new Error(message.message), { code: message.code }));
  };
  const failed = (error: Error & { code?: string }) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return reject(error);
    const detail = 'The import exceeded its memory limit.';
    return resolve({ outcome: refuse('PAYLOAD_TOO_LARGE', detail), isReusable: false });
  };
  const ended = () => reject(new Error('The thread of an import ended without a word.'));
  thread.on('message', said).on('error', failed).on('exit', ended);
  try {
    return await promise;
  } finally {
    thread.off('message', said).off('error', failed).off('exit', ended);
  }
};
