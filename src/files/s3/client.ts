/** S3 operations, with bounded retries; the server's answer is a value. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import {
  S3_ATTEMPTS_MAX,
  S3_CONNECTIONS_MAX,
  S3_OPERATION_MAX_MS,
  S3_RETRY_FIRST_MS,
  S3_RETRY_UNTIL_MS,
  S3_SILENT_MAX_MS,
} from '../limits.ts';
import type { S3Address, S3Credentials } from '../place.ts';
import { refusalText } from './refusals.ts';
import { originOf, sendToS3, textOf, type S3Reply, type S3Request } from './request.ts';

export interface S3Client {
  /**
   * Resolves with a success or one of the `expected` statuses. Connection errors, silence, 429 and
   * 5xx are repeated, at most {@link S3_ATTEMPTS_MAX} times.
   */
  send(request: S3Request, options?: S3Options): Promise<S3Reply | S3Failure>;
  close(): Promise<void>;
}

export interface S3Options {
  /** Statuses that are no failure. Default: none but 2xx. */
  readonly expected?: readonly number[];
  /** Default {@link S3_OPERATION_MAX_MS}. */
  readonly withinMs?: number;
  /** Default {@link S3_ATTEMPTS_MAX}. */
  readonly attemptsMax?: number;
}

/** Why an operation failed, for an operator and without secrets. */
export interface S3Failure {
  readonly failure: string;
  /** The code of the server's error, such as `AccessDenied`; `null`: it was not reached. */
  readonly code: string | null;
}

export interface S3ClientParts {
  readonly address: S3Address;
  readonly credentials: S3Credentials;
  /** Default {@link S3_SILENT_MAX_MS}. */
  readonly silentMaxMs?: number;
}

export const isFailure = (outcome: S3Reply | S3Failure): outcome is S3Failure =>
  'failure' in outcome;

export const s3Client = ({
  address,
  credentials,
  silentMaxMs = S3_SILENT_MAX_MS,
}: S3ClientParts): S3Client => {
  const pool = new Pool(originOf(address), {
    connections: S3_CONNECTIONS_MAX,
    connect: { timeout: silentMaxMs },
    // Silence is watched per request, while the server is waited for.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const parts = { address, credentials, pool, silentMaxMs };

  return {
    async send(request, options = {}) {
      const { expected = [], withinMs = S3_OPERATION_MAX_MS } = options;
      const { attemptsMax = S3_ATTEMPTS_MAX } = options;
      const beganMs = performance.now();
      const deadline = AbortSignal.timeout(withinMs);
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await sendToS3(parts, request, deadline).then(
          async (reply) =>
            isSuccess(reply.status) || expected.includes(reply.status)
              ? reply
              : failureOf(request, reply),
          (error: Error) => ({ failure: reasonOf(error), code: null, isTemporary: true }),
        );
        if (!isFailure(outcome)) return outcome;
        const pauseMs = S3_RETRY_FIRST_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
        const isLate = performance.now() + pauseMs - beganMs > S3_RETRY_UNTIL_MS;
        if (!outcome.isTemporary || attempt >= attemptsMax || isLate || deadline.aborted)
          return { failure: `${placeOf(address)}: ${outcome.failure}`, code: outcome.code };
        await sleep(pauseMs);
      }
    },

    close: () => pool.destroy(),
  };
};

interface AttemptFailure extends S3Failure {
  readonly isTemporary: boolean;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const failureOf = async ({ method }: S3Request, reply: S3Reply): Promise<AttemptFailure> => {
  const { status } = reply;
  const text = await textOf(reply).catch(() => '');
  // An answer to HEAD has no body.
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? null;
  return {
    failure: `${method} was answered ${status}${refusalText(status, code)}`,
    code,
    isTemporary: status === 429 || (status >= 500 && status !== 501),
  };
};

const placeOf = ({ endpoint, bucket }: S3Address): string =>
  `the S3 bucket ${bucket} at ${endpoint}`;

/** An error of several addresses has its reasons in itself. */
const reasonOf = (error: Error): string => {
  if (error instanceof AggregateError)
    return error.errors.map((one: unknown) => (one as Error).message).join(', ');
  return error.message;
};
