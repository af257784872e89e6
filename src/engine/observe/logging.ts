import { pino, type Logger, type LoggerOptions } from 'pino';
import type { LogDestination } from './log-destination.ts';

export type { Logger };

/**
 * @param to Default: standard output, as JSON.
 * @param more Members of every line. Default: none.
 */
export const loggerOf = (
  level: string,
  to: LogDestination = pino.destination({ dest: 1, sync: true }),
  more?: () => object,
): Logger => pino({ ...loggerOptions(level), ...(more ? { mixin: more } : {}) }, to);

/**
 * The same logger without redaction, for lines with few, known members and no secret: searching for
 * secrets takes several times as long as writing such a line.
 */
export const requestLines = (logger: Logger): Logger =>
  logger.child({}, { redact: { paths: [], censor: '' } });

/** Redacts credentials from every line, even from one that logs them by mistake. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  redact: { paths: SECRETS, censor: '[redacted]' },
  serializers: { err: errorFields },
});

/**
 * The members of an error that explain it, and its causes. No others: libraries attach whole
 * clients to errors, with all that these hold.
 */
const errorFields = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { name: type, message, stack, cause } = error;
  return {
    type,
    message,
    stack,
    ...('code' in error && typeof error.code !== 'object' ? { code: error.code } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(errorFields) } : {}),
    ...(cause === undefined ? {} : { cause: errorFields(cause) }),
  };
};

const SECRETS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  'headers.cookie',
  ...['token', 'access_token', 'refresh_token', 'secret', 'password'].flatMap((name) => [
    name,
    `*.${name}`,
  ]),
];
