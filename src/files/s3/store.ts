/**
 * Files in a bucket of an S3 server, as objects `<prefix><platform>/<organisation>/<2>/<sha256>`.
 * Decision 0102.
 */
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { singleFlight } from '../../engine/concurrency/single-flight.ts';
import { copyFiles } from '../copying.ts';
import { fileKeyOf, platformFolder } from '../file-key.ts';
import {
  FileMissing,
  FilesUnavailable,
  type ByteRange,
  type FileStore,
  type FileStores,
} from '../file-store.ts';
import {
  FILES_READY_KEPT_MS,
  FILES_READY_MAX_MS,
  S3_DELETED_AT_ONCE,
  S3_UPLOAD_MAX_MS,
} from '../limits.ts';
import { isFailure, s3Client, type S3Client, type S3ClientParts } from './client.ts';
import { listed } from './listing.ts';
import { receivedIn, type ReceivedBytes } from './received.ts';
import { abandon, textOf, type S3Reply, type S3Request } from './request.ts';

export interface S3StoreParts extends S3ClientParts {
  /** Absolute; of this process's machine. Files are received here before they are uploaded. */
  readonly receivingDirectory: string;
}

export interface S3Stores extends FileStores {
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Connects with the first operation. */
export const s3Stores = (parts: S3StoreParts): S3Stores => {
  const client = s3Client(parts);
  const { prefix } = parts.address;
  const ready = singleFlight(() => reached(client), FILES_READY_KEPT_MS);
  const of = (platform: string) =>
    s3Store(client, {
      prefix: `${prefix}${platformFolder(platform)}/`,
      receivingDirectory: parts.receivingDirectory,
      ready,
    });
  return {
    of,
    copy: (from, to, organisation, signal) => copyFiles(of(from), of(to), organisation, signal),

    async drop(platform) {
      const objects = listed(client, { prefix: `${prefix}${platformFolder(platform)}/` });
      for await (const keys of objects) {
        await forEachConcurrently(keys, S3_DELETED_AT_ONCE, (key) => remove(client, key));
      }
    },

    async names() {
      const pages = await Array.fromAsync(listed(client, { prefix, delimiter: '/' }));
      return pages.flat().map((folder) => folder.slice(prefix.length, -1));
    },

    close: () => client.close(),
  };
};

interface StoreParts {
  readonly prefix: string;
  readonly receivingDirectory: string;
  readonly ready: FileStore['ready'];
}

const s3Store = (
  client: S3Client,
  { prefix, receivingDirectory, ready }: StoreParts,
): FileStore => ({
  async receive(chunks) {
    const received = await receivedIn(receivingDirectory, chunks);
    const { bytes, sha256 } = received;
    return {
      bytes,
      sha256,
      read: () => received.chunks(),
      discard: () => received.close(),
      keep: (organisation) =>
        upload(client, `${prefix}${fileKeyOf({ organisation, sha256 })}`, received),
    };
  },

  async open(file, range) {
    const key = `${prefix}${fileKeyOf(file)}`;
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const reply = await answered(client, { method: 'GET', key, headers }, [404]);
    if (await isAbsent(reply)) throw new FileMissing(file);
    return piecesOf(reply, range);
  },

  remove: (file) => remove(client, `${prefix}${fileKeyOf(file)}`),

  // Received files have no name, so none is left over.
  removeUnfinished: async () => 0,

  async *stored(after) {
    const from = after === undefined ? {} : { after: `${prefix}${after}` };
    for await (const keys of listed(client, { prefix, ...from }))
      yield keys.map((key) => key.slice(prefix.length));
  },

  ready,
});

/** @throws {@link FilesUnavailable} */
const answered = async (
  client: S3Client,
  request: S3Request,
  expected: readonly number[] = [],
): Promise<S3Reply> => {
  const withinMs = request.method === 'PUT' ? { withinMs: S3_UPLOAD_MAX_MS } : {};
  const reply = await client.send(request, { expected, ...withinMs });
  if (isFailure(reply)) throw new FilesUnavailable(reply.failure);
  return reply;
};

/** Uploads the same bytes of the same organisation once. Idempotent. */
const upload = async (client: S3Client, key: string, received: ReceivedBytes): Promise<void> => {
  const found = await answered(client, { method: 'HEAD', key }, [404]);
  abandon(found);
  const isThere = found.status !== 404 && found.headers['content-length'] === `${received.bytes}`;
  if (isThere) return;
  await textOf(await answered(client, { method: 'PUT', key, body: received }));
};

const remove = async (client: S3Client, key: string): Promise<void> => {
  const reply = await answered(client, { method: 'DELETE', key }, [404]);
  if (!(await isAbsent(reply))) await textOf(reply);
};

/** @throws {@link FilesUnavailable} if it is the bucket that is absent. */
const isAbsent = async (reply: S3Reply): Promise<boolean> => {
  if (reply.status !== 404) return false;
  if ((await textOf(reply)).includes('NoSuchBucket'))
    throw new FilesUnavailable('there is no such S3 bucket');
  return true;
};

/** The connection is free once it is read or no longer needed, even if it never was read from. */
const piecesOf = (
  reply: S3Reply,
  range: ByteRange | undefined,
): AsyncIterableIterator<Uint8Array> => {
  const { status, headers, body, watch } = reply;
  const length = Number(headers['content-length']);
  if (range && status !== 206 && length !== range.end - range.start + 1) {
    abandon(reply);
    throw new FilesUnavailable('the S3 server ignores ranges');
  }
  const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  return {
    async next() {
      watch.touch();
      try {
        return await chunks.next();
      } catch (error) {
        throw new FilesUnavailable('a file of the S3 bucket was cut off', { cause: error });
      } finally {
        watch.pause();
      }
    },
    async return() {
      abandon(reply);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

const reached = async (client: S3Client): Promise<true | string> => {
  const look = { withinMs: FILES_READY_MAX_MS, attemptsMax: 1 };
  const reply = await client.send({ method: 'HEAD', key: '' }, look);
  if (isFailure(reply)) return reply.failure;
  abandon(reply);
  return true;
};
