import { release } from '../../compose.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { CannotSeal } from '../../engine/personal/clear-events.ts';
import type { Env } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { onLog } from '../on-log.ts';
import { OperatorError } from '../operator-error.ts';
import { contentsOf } from './contents.ts';
import type { Header } from './file.ts';
import { UnsealedDigest } from './unsealed-digest.ts';
import { walked } from './walk.ts';
import { earlierOf, wholeCommands } from './whole-commands.ts';

export interface VerifyEventsCommand {
  /** A file exported with `--erase`. */
  readonly file: string;
  readonly env: Env;
}

/**
 * `atrium events verify`: checks that a file of `events export --erase` and the same number of
 * events of the configured log differ only in personal data. That log is the exported one, or one
 * that imported the file. Changes nothing. docs/operating/move-the-log.md.
 *
 * @returns The exit code: 0; 1 for any other difference; 130 or 143 if interrupted.
 * @throws {@link OperatorError}, `BadConfiguration`, `LogUnavailable`.
 */
export const verifyEventsCommand = ({ file, env }: VerifyEventsCommand): Promise<number> => {
  const signal = interruption();
  return onLog(env, async (log) => {
    const { header, digest } = await sealedFile(file);
    const ofLog = await digestOf(log, header, digest.count, signal);
    if (signal.aborted) return exitCodeOf(signal);
    const isSame = ofLog.count === digest.count && ofLog.hex === digest.hex;
    say(`${file}, ${digest.line}`);
    say(`the log, ${ofLog.line}`);
    say(isSame ? 'nothing else differs' : 'they differ in more than personal data');
    return isSame ? 0 : 1;
  });
};

/** @throws {@link OperatorError} unless the file is complete, and was exported with `--erase`. */
const sealedFile = async (path: string) => {
  const digest = new UnsealedDigest();
  const { header, complete, fault } = await contentsOf(path, {
    onEvent: (event) => digest.add([event]),
  });
  if (header?.sealed !== true)
    throw new OperatorError(
      `${path} was exported without --erase: atrium events import --dry-run compares it`,
    );
  if (!complete) throw new OperatorError(`${path} ends ${fault}`);
  return { header, digest };
};

/** @param eventsMax Events of the file: a server may have appended more since. */
const digestOf = async (
  log: EventStore,
  { log: exported, after, categories }: Header,
  eventsMax: number,
  signal: AbortSignal,
): Promise<UnsealedDigest> => {
  if (after !== null && exported !== (await logIdentity(log)))
    throw new OperatorError('a part of a log is compared with the log that it was exported from');
  const digest = new UnsealedDigest(release.eventTypes);
  try {
    for await (const commands of wholeCommands(walked(log, { after, categories, signal }), signal))
      for (const command of commands) {
        if (digest.count >= eventsMax) continue;
        // A file may begin within a command, but all its events decide whether a hash is omitted.
        const earlier = digest.count === 0 ? await earlierOf(log, command[0]!) : [];
        digest.add([...earlier, ...command], earlier.length);
      }
  } catch (error) {
    throw error instanceof CannotSeal ? new OperatorError(error.message, error) : error;
  }
  return digest;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
