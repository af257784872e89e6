/** The destination and the format of log lines. */
import { isatty } from 'node:tty';
import { pino } from 'pino';

/** `auto`: for people where the stream is a terminal, else JSON. */
export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Takes one line of JSON, with its line feed; it is written when `write` returns. */
export interface LogDestination {
  write(line: string): void;
}

export interface LogDestinationParts {
  /** Default: the stream of this process, written synchronously. */
  readonly sink?: LogDestination;
  /** Default: whether that stream is a terminal. */
  readonly isTerminal?: boolean;
  /** Default: by the terminal, and `NO_COLOR`. */
  readonly hasColours?: boolean;
}

const FILES = { stdout: 1, stderr: 2 } as const;

/**
 * The destination of a logger in the given format. The formatter is loaded only where it is used,
 * and formats in this thread: the last line before an exit is written, too.
 */
export const logDestination = async (
  to: keyof typeof FILES,
  format: LogFormat,
  parts: LogDestinationParts = {},
): Promise<LogDestination> => {
  const { sink = pino.destination({ dest: FILES[to], sync: true }) } = parts;
  const { isTerminal = isatty(FILES[to]) } = parts;
  if (format === 'json' || (format === 'auto' && !isTerminal)) return sink;
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: parts.hasColours ?? (isTerminal && process[to].hasColors()),
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
    singleLine: true,
  });
  return { write: (line) => sink.write(pretty(printable(line))) };
};

/**
 * Control characters as text: a terminal would obey them, and a message may quote what a caller has
 * sent. Line feeds and tabs stay, because a stack has them.
 */
const printable = (line: string): string =>
  line.replaceAll(/\\\\|\\u00[01][0-9a-f]|\\[bfr]|[\u007f-\u009f]/g, (found) => {
    if (found === '\\\\') return found;
    return found.startsWith('\\') ? `\\${found}` : '';
  });
