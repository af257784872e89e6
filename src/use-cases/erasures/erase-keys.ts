import type { ErasureRequested } from '../../domain/erasures/events.ts';
import { userIdIn } from '../../engine/log/personal-data.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import type { Accounts } from './erasures.ts';

export interface EraseKeysParts {
  readonly keys: Pick<PersonKeys, 'held' | 'destroy' | 'unlink'>;
  readonly accounts: Pick<Accounts, 'erase'>;
}

/** The keys of a request, and whether keys of texts are destroyed or only unlinked. */
export type KeysToErase = Pick<
  ErasureRequested,
  'organisation' | 'identityKeys' | 'textKeys' | 'texts'
>;

/**
 * Removes the rows beside the log that name a person, then the keys: until the keys are destroyed,
 * those rows can be found by them. Idempotent.
 *
 * @throws `LogUnavailable` and errors of the database; a repeated call continues.
 */
export const eraseKeys = async (
  { keys, accounts }: EraseKeysParts,
  { organisation, identityKeys, textKeys, texts }: KeysToErase,
): Promise<void> => {
  const userIds = (await keys.held(identityKeys)).flatMap(
    ({ subject }) => userIdIn(subject ?? '') ?? [],
  );
  if (userIds.length > 0) await accounts.erase(organisation, [...new Set(userIds)]);
  if (texts === 'erase') await keys.destroy(textKeys);
  else await keys.unlink(textKeys);
  await keys.destroy(identityKeys);
};
