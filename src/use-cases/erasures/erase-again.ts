/** Repeats the listed erasures in an installation that was restored from a backup. */
import { v5 as uuidFrom } from 'uuid';
import { mustRepeat } from '../../domain/erasures/erasure.ts';
import { listLine, type ListEntry } from '../../domain/erasures/list-entry.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { eraseKeys, type EraseKeysParts } from './erase-keys.ts';
import type { ErasureList, OnUnreadable } from './erasure-list.ts';
import type { Erasures } from './erasures.ts';

export interface EraseAgainParts extends EraseKeysParts {
  readonly list: Pick<ErasureList, 'all'>;
  readonly erasures: Pick<Erasures, 'give' | 'look'>;
  readonly onUnreadable: OnUnreadable;
  readonly now: () => Instant;
}

/**
 * Requests each erasure that the log lacks, or whose keys exist again, and destroys the keys. The
 * process `erasing` erases the tickets once a server runs. Idempotent: an interrupted call can be
 * repeated. An entry that cannot be read stops none of the others.
 *
 * @returns The number of erasures that were requested again.
 * @throws As the list, the log and the database do.
 */
export const eraseAgain = async (parts: EraseAgainParts): Promise<number> => {
  const { keys, erasures, now } = parts;
  let repeated = 0;
  for (const entry of await inOrder(parts)) {
    const { atriumErasure: _, ...request } = entry;
    const erasure = await erasures.look(request.erasureId);
    const { recorded } = await erasures.give(
      request.erasureId,
      {
        commandId: uuidFrom(`${erasure?.view.requests ?? 0}/${listLine(entry)}`, NAMESPACE),
        organisation: request.organisation,
        command: async () => ({
          type: 'RepeatErasure',
          ...request,
          reason: REASON,
          sessions: 0,
          isUndone: await isUndone(keys, entry),
        }),
      },
      { at: now(), by: { kind: 'system', id: 'log-restored' }, origin: 'system' },
    );
    if (recorded.length > 0) repeated += 1;
    // After the request: the keys are the evidence that it must be repeated.
    await eraseKeys(parts, request);
  }
  return repeated;
};

/** How many {@link eraseAgain} would request. Changes nothing. */
export const countUndone = async ({
  list,
  onUnreadable,
  erasures,
  keys,
}: Pick<EraseAgainParts, 'list' | 'onUnreadable' | 'keys'> & {
  readonly erasures: Pick<Erasures, 'look'>;
}): Promise<number> => {
  let undone = 0;
  for await (const entry of list.all(onUnreadable)) {
    const erasure = await erasures.look(entry.erasureId);
    if (mustRepeat(erasure?.view ?? null, entry, await isUndone(keys, entry))) undone += 1;
  }
  return undone;
};

/** Whether keys that the request destroyed exist again, or kept keys name the person again. */
const isUndone = async (
  keys: Pick<EraseKeysParts['keys'], 'held'>,
  { identityKeys, textKeys, texts }: ListEntry,
): Promise<boolean> => {
  if ((await keys.held(identityKeys)).length > 0) return true;
  const held = await keys.held(textKeys);
  return held.some(({ subject }) => texts === 'erase' || subject !== null);
};

/** Entries that erase texts come first: a later entry that keeps them must not prevent that. */
const inOrder = async ({
  list,
  onUnreadable,
}: Pick<EraseAgainParts, 'list' | 'onUnreadable'>): Promise<readonly ListEntry[]> => {
  const entries = await Array.fromAsync(list.all(onUnreadable));
  const of = (choice: ListEntry['texts']) => entries.filter(({ texts }) => texts === choice);
  return [...of('erase'), ...of('keep')];
};

const REASON = 'Given again after a restore.';
const NAMESPACE = '6f2b8d0e-3c51-4b7a-8e19-a0d47f5c2b63';
