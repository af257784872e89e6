import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { isOwn } from '../../engine/log/log-identity.ts';
import { categoryOf } from '../../engine/log/streams.ts';
import type { Env } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { onLog } from '../on-log.ts';
import { eventLine } from './file.ts';
import { streamOutput } from './output.ts';
import { categoriesOf, positionIn } from './selection.ts';
import { UsageError } from '../operator-error.ts';
import { printable } from '../printable.ts';

export interface TailCommand {
  /** Only events after this position. Default: the end of the log. */
  readonly from?: string;
  readonly fromStart?: boolean;
  /** Comma-separated. */
  readonly category?: string;
  readonly stream?: string;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * `atrium events tail`: events as they are recorded, until Ctrl-C or until standard output is
 * closed. JSON lines, as in an export, unless standard output is a terminal.
 *
 * @returns The exit code: 130 or 143.
 * @throws {@link OperatorError}, `BadConfiguration` and `LogUnavailable`, each with one line; and
 *   `ReaderGone` when standard output is closed.
 */
export const tailCommand = async (command: TailCommand): Promise<number> => {
  const { stream } = command;
  if (command.fromStart && command.from !== undefined)
    throw new UsageError('--from and --from-start contradict each other');
  const { stdout } = process;
  const output = streamOutput(stdout);
  const text =
    command.json || !stdout.isTTY
      ? eventLine
      : (event: StoredEvent) => lineFor(event, stdout.columns);
  const categories =
    categoriesOf(command.category) ?? (stream?.includes('-') ? [categoryOf(stream)] : null);
  const signal = interruption();

  return onLog(command.env, async (log) => {
    const after = await startOf(log, command);
    const options = { signal, ...(categories ? { categories } : {}) };
    for await (const { events } of log.subscribe(after, options)) {
      const matching = events.filter((event) =>
        stream === undefined ? !isOwn(event.stream) : event.stream === stream,
      );
      if (matching.length > 0) await output.write(matching.map(text).join(''));
    }
    return exitCodeOf(signal);
  });
};

const startOf = async (
  log: EventStore,
  { from, fromStart = false }: TailCommand,
): Promise<Position | null> => {
  // Throws if the log cannot be reached, for which a subscription would wait.
  const { position } = await log.head();
  if (fromStart) return null;
  return from === undefined ? position : positionIn(log, '--from', from);
};

/** Truncates an event to one line of the terminal. */
const lineFor = (
  { recordedAt, position, stream, revision, type, data }: StoredEvent,
  columns: number,
): string => {
  const where = `${position}  ${stream}@${revision}`;
  const line = `${recordedAt}  ${where}  ${type}  ${JSON.stringify(data)}`;
  const text = printable(line);
  return `${text.length > columns ? `${text.slice(0, columns - 1)}…` : text}\n`;
};
