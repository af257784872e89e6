import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on standard output. Nothing that opens a door is ever written into them. */
export const loggerOf = (level: string): Logger =>
  pino({
    level,
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        'headers.authorization',
        '*.token',
        '*.access_token',
        '*.refresh_token',
        '*.secret',
        '*.password',
        'token',
        'secret',
        'password',
      ],
      censor: '[redacted]',
    },
  });
