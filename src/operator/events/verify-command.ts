import { release } from '../../compose.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { CannotSeal } from '../../engine/personal/clear-events.ts';
import type { Env } from '../command-logger.ts';
import { interruption } from '../interruption.ts';
import { onLog } from '../on-log.ts';
import { OperatorError } from '../operator-error.ts';
import { contentsOf } from './contents.ts';
import type { Header } from './file.ts';
import { UnsealedDigest } from './unsealed-digest.ts';
import { walked } from './walk.ts';
import { earlierOf, wholeCommands } from './whole-commands.ts';

export interface VerifyEventsCommand {
  /** Exported with `--erase`. */
  readonly file: string;
  readonly env: Env;
}

/**
 * `atrium events verify`: whether a file of `events export --erase` and as many events of the
 * configured log, the one that was exported or one that it was imported into, differ in nothing but
 * personal data. Changes nothing. docs/operating/move-the-log.md.
 *
 * @returns The exit code: 0; 1 if they differ otherwise; 130 if interrupted.
 * @throws {@link OperatorError}, `BadConfiguration`, `LogUnavailable`.
 */
export const verifyEventsCommand = ({ file, env }: VerifyEventsCommand): Promise<number> => {
  const signal = interruption();
  return onLog(env, async (log) => {
    const { header, digest } = await sealedFile(file);
    const ofLog = await digestOf(log, header, digest.count, signal);
    if (signal.aborted) return 130;
    const isSame = ofLog.count === digest.count && ofLog.hex === digest.hex;
    say(`${file}, ${digest.line}`);
    say(`the log, ${ofLog.line}`);
    say(isSame ? 'nothing else differs' : 'they differ in more than personal data');
    return isSame ? 0 : 1;
  });
};

/** @throws {@link OperatorError} unless it is whole, and was exported with `--erase`. */
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

/** @param eventsMax A server may have run since. */
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
        // A part may begin within a command: whether a hash is left out depends on all of it.
        const earlier = digest.count === 0 ? await earlierOf(log, command[0]!) : [];
        digest.add([...earlier, ...command], earlier.length);
      }
  } catch (error) {
    throw error instanceof CannotSeal ? new OperatorError(error.message, error) : error;
  }
  return digest;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
