import { release } from '../../compose.ts';
import { configOf } from '../../config/config.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { CannotSeal } from '../../engine/personal/clear-events.ts';
import { storedSealer, type StoredSealer } from '../../engine/personal/stored-sealer.ts';
import { openCommandAdapters } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { OperatorError } from '../operator-error.ts';
import { erasedPersonsIn } from './erased-persons.ts';
import { UnsealedDigest } from './unsealed-digest.ts';
import { earlierOf, wholeCommands, type Command } from './whole-commands.ts';

/** Seals exported events, and proves that only personal data changes. */
export interface Sealing {
  /** Number of sealed events. */
  readonly count: number;
  /** The digest of all events in the file. */
  readonly digest: UnsealedDigest;
  /** Adds an event that an earlier export has written. */
  resumedAfter(event: StoredEvent): void;
  /** @throws {@link OperatorError} for an event whose personal members are unknown. */
  sealed(
    batches: AsyncIterable<readonly StoredEvent[]>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StoredEvent[]>;
}

interface SealedCommand {
  /** All events of the command, including those exported already. */
  readonly before: Command;
  readonly after: Command;
  /** Index of the first event not exported yet. */
  readonly from: number;
}

/**
 * Runs `work` on the unguarded log of the installation, with keys of persons in its database.
 *
 * @throws `BadConfiguration`; `LogRefused` for a log of another installation;
 *   {@link OperatorError} while events are written in the clear; errors of `work`.
 */
export const onLogToSeal = async <T>(
  env: Env,
  work: (log: EventStore, sealing: Sealing) => Promise<T>,
): Promise<T> => {
  const config = configOf(env);
  const logger = await commandLogger(env, config);
  const { opened, stored, secrets, close } = await openCommandAdapters(config, logger);
  try {
    await opened.watch.check();
    const inClear = Object.keys(await opened.versions.toRaise()).filter(
      (type) => release.eventTypes.get(type)?.personal,
    );
    if (inClear.length > 0) throw new OperatorError(WRITTEN_IN_CLEAR);
    const seal = storedSealer({
      types: release.eventTypes,
      keys: opened.personKeys!,
      erasedAfter: erasedPersonsIn(stored, secrets),
    });
    return await work(stored, sealingOf(stored, seal));
  } finally {
    await close();
  }
};

const WRITTEN_IN_CLEAR =
  'personal data is still stored in the clear, because older releases may run: ' +
  'atrium releases raise';

const sealingOf = (log: EventStore, seal: StoredSealer): Sealing => {
  // The two digests differ if anything but personal data is changed.
  const read = new UnsealedDigest(release.eventTypes);
  const written = new UnsealedDigest();
  let count = 0;
  let isFirst = true;

  const sealedCommand = async (command: Command): Promise<SealedCommand> => {
    const begins = isFirst;
    isFirst = false;
    // An export may begin within a command, but all its events decide whether a hash is sealed.
    const earlier = begins ? await earlierOf(log, command[0]!) : [];
    const before = [...earlier, ...command];
    return { before, after: await seal(before), from: earlier.length };
  };

  return {
    get count() {
      return count;
    },
    digest: written,
    resumedAfter(event) {
      for (const digest of [read, written]) digest.add([event]);
    },
    async *sealed(batches, signal) {
      try {
        for await (const commands of wholeCommands(batches, signal)) {
          const sealed = await Promise.all(commands.map(sealedCommand));
          for (const { before, after, from } of sealed) {
            read.add(before, from);
            written.add(after, from);
            count += after.filter((event, n) => n >= from && event !== before[n]).length;
          }
          if (read.hex !== written.hex)
            throw new Error('data that is not personal would be changed, too');
          yield sealed.flatMap(({ after, from }) => after.slice(from));
        }
      } catch (error) {
        throw error instanceof CannotSeal ? new OperatorError(error.message, error) : error;
      }
    },
  };
};
