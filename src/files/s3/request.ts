/** One signed HTTP request to an S3 server, with a deadline and a timeout of silence. */
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher, Pool } from 'undici';
import { rejectedBy } from '../../engine/concurrency/rejected-by.ts';
import { S3_ERROR_BYTES_MAX } from '../limits.ts';
import type { S3Address, S3Credentials } from '../place.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** From the bucket's root; empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly body?: S3Body;
}

export interface S3Body {
  readonly bytes: number;
  /** In hexadecimal; the server refuses other bytes. */
  readonly sha256: string;
  chunks(): AsyncIterable<Uint8Array>;
}

/** An answer whose body is not read yet: read it or destroy it. */
export interface S3Reply {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
  /** Aborts the request where the server is silent for too long. */
  readonly watch: SilenceWatch;
}

export interface RequestParts {
  readonly address: S3Address;
  readonly credentials: S3Credentials;
  readonly pool: Pool;
  readonly silentMaxMs: number;
}

/** @throws What the connection throws, `TimeoutError`, and the reason of `deadline`. */
export const sendToS3 = async (
  { address, credentials, pool, silentMaxMs }: RequestParts,
  { method, key, query = {}, headers = {}, body }: S3Request,
  deadline: AbortSignal,
): Promise<S3Reply> => {
  const url = urlOf(address, key, query);
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
    ...credentials,
    service: 's3',
    region: address.region,
  });
  const signed = await signer.sign();
  deadline.throwIfAborted();
  const watch = silenceWatch(silentMaxMs);
  const expire = () => watch.abort(deadline.reason);
  deadline.addEventListener('abort', expire);
  try {
    const request = pool.request({
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body ? { 'content-length': String(body.bytes) } : {}),
      },
      body: body ? Readable.from(watched(body.chunks(), watch), CHUNK_BY_CHUNK) : null,
      signal: watch.signal,
    });
    const { statusCode, ...answered } = await unlessAborted(request, watch.signal);
    return { status: statusCode, headers: answered.headers, body: answered.body, watch };
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    watch.pause();
    // The body may take long, unless the server is silent.
    deadline.removeEventListener('abort', expire);
  }
};

/**
 * The library heeds the signal only of a request that has a connection. So the wait for one ends
 * here, and a late answer is not read.
 */
const unlessAborted = async (
  request: Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> => {
  try {
    return await Promise.race([request, rejectedBy(signal)]);
  } catch (error) {
    request.then(({ body }) => body.on('error', () => {}).destroy()).catch(() => {});
    throw error;
  }
};

/** A chunk is read when the one before it was sent. */
const CHUNK_BY_CHUNK = { objectMode: true, highWaterMark: 1 };

export interface SilenceWatch {
  readonly signal: AbortSignal;
  /** The server has read or sent something, or is waited for from now on. */
  touch(): void;
  /** The server is not waited for. */
  pause(): void;
}

const silenceWatch = (silentMaxMs: number): SilenceWatch & { abort(reason: unknown): void } => {
  const aborted = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(timer);
  const touch = () => {
    pause();
    const error = new DOMException(`no answer within ${silentMaxMs / 1_000} s`, 'TimeoutError');
    timer = setTimeout(() => aborted.abort(error), silentMaxMs);
  };
  touch();
  return { signal: aborted.signal, touch, pause, abort: (reason) => aborted.abort(reason) };
};

async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  watch: SilenceWatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    watch.touch();
    yield chunk;
  }
  watch.touch();
}

/** Ends the request without reading its body. */
export const abandon = ({ body, watch }: S3Reply): void => {
  watch.pause();
  // The library also reports that as an error.
  body.on('error', () => {}).destroy();
};

/** The first {@link S3_ERROR_BYTES_MAX} of the body, as text. */
export const textOf = async ({ body, watch }: S3Reply, bytesMax = S3_ERROR_BYTES_MAX) => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  watch.touch();
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      watch.touch();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= bytesMax) break;
    }
  } finally {
    watch.pause();
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString();
};

/** The origin of the connections. */
export const originOf = ({ endpoint, bucket, pathStyle }: S3Address): string => {
  if (pathStyle) return endpoint;
  const url = new URL(endpoint);
  return `${url.protocol}//${bucket}.${url.host}`;
};

const urlOf = (address: S3Address, key: string, query: Readonly<Record<string, string>>): URL => {
  const path = address.pathStyle ? `/${address.bucket}${key === '' ? '' : `/${key}`}` : `/${key}`;
  const url = new URL(path, originOf(address));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
};

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
