/** `atrium doctor --files`: compares the files that attachments need with the store. */
import { configOf } from '../../config/config.ts';
import { compareFiles } from '../../files/comparison.ts';
import { MAIN_FILES, openFileStores } from '../../files/stores.ts';
import { openCommandAdapters } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { DOCTOR_FILES_COMPARED_MAX, DOCTOR_FILES_NAMED_MAX } from '../limits.ts';
import { failed, ok, type CheckResult } from './check.ts';

/**
 * Compares at most {@link DOCTOR_FILES_COMPARED_MAX} files, and reports where to continue.
 *
 * @param after The key that the previous call reported.
 */
export const examineStoredFiles = async (env: Env, after?: string): Promise<CheckResult> => {
  const config = configOf(env);
  await using closing = new AsyncDisposableStack();
  const { db, close } = await openCommandAdapters(config, await commandLogger(env, config));
  closing.defer(close);
  const stores = openFileStores(config.files, config.dataDirectory);
  closing.defer(() => stores.close());
  const { compared, missing, examples, orphans, next } = await compareFiles({
    pool: db.pool,
    files: stores.of(MAIN_FILES),
    after,
    comparedMax: DOCTOR_FILES_COMPARED_MAX,
    examplesMax: DOCTOR_FILES_NAMED_MAX,
  });
  const detail = [
    `${compared} compared, ${missing} missing, ${orphans} that no attachment needs`,
    ...examples.map(({ key, ticketId }) => `ticket ${ticketId} lacks ${key}`),
    ...(next === null ? [] : [`continue with --files-after ${next}`]),
  ].join('; ');
  return { name: 'stored files', ...(missing === 0 ? ok(detail) : failed(detail)) };
};
