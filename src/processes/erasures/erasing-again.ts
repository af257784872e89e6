/** Erasures that a restored database or log lacks. contract.md section 11, decision 0124. */
import { workId } from '../../engine/consumers/consumer.ts';
import { leasedWorker } from '../../engine/consumers/leased-worker.ts';
import type { ConsumerRunner } from '../../engine/consumers/runtime.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import type { CarriedOut } from '../../projections/erasures/carried-out.ts';
import { eraseAgain, type EraseAgainParts } from '../../use-cases/erasures/erase-again.ts';
import type { ErasureList, UnreadableEntry } from '../../use-cases/erasures/erasure-list.ts';
import { ERASURE_LIST_MS } from './limits.ts';

export interface ErasingAgainParts extends Omit<EraseAgainParts, 'list' | 'onUnreadable'> {
  readonly keys: EraseAgainParts['keys'] & Pick<PersonKeys, 'destroyAgain'>;
  readonly list: Pick<ErasureList, 'names' | 'read'>;
  readonly carriedOut: CarriedOut;
  readonly logger: Logger;
}

/**
 * Carries out the listed erasures that the database lacks, at the start, for a backup that was
 * restored by hand, and every {@link ERASURE_LIST_MS}. Each entry is read once per database; an
 * unreadable one is logged on every pass.
 */
export const erasingAgain = (parts: ErasingAgainParts): ConsumerRunner => {
  const { list, carriedOut, keys, logger } = parts;
  return leasedWorker({
    consumer: workId('erasing-again'),
    logger,
    failure: 'the list of erasures cannot be compared with the database; trying again',
    start: () => ({
      async work() {
        // A backup of the key table was restored: it may also name the persons of kept texts.
        if ((await keys.destroyAgain()) > 0) await carriedOut.forget();
        let repeated = 0;
        for await (const names of list.names()) {
          const missing = await carriedOut.missing(names);
          const unreadable = new Set<string>();
          const onUnreadable = (error: UnreadableEntry) => {
            unreadable.add(error.entry);
            logger.error({ err: error }, 'an entry of the list of erasures cannot be read');
          };
          const all = () => list.read(missing, onUnreadable);
          repeated += await eraseAgain({ ...parts, list: { all }, onUnreadable });
          await carriedOut.note(missing.filter((name) => !unreadable.has(name)));
        }
        if (repeated > 0) logger.info({ repeated }, 'erasures are carried out again');
        return ERASURE_LIST_MS;
      },
    }),
  });
};
