import { pino, type Logger, type LoggerOptions } from 'pino';

export type { Logger };

/** JSON lines on standard output. */
export const loggerOf = (level: string): Logger => pino(loggerOptions(level));

/** Nothing that opens a door is ever written, not even by a careless line. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  redact: { paths: SECRETS, censor: '[redacted]' },
});

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
