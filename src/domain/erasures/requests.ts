/** The requests of an erasure, each with its own choice for texts. contract.md section 11. */
import type { Actor } from '../../engine/aggregates/decider.ts';
import type { ErasureEvent, ErasureRequested } from './events.ts';

export interface MadeRequest {
  readonly request: ErasureRequested;
  /** By the process of erasures, or a repeat after a restore. */
  readonly isBySystem: boolean;
}

export interface Requests {
  /** Until the erasure was last finished. */
  readonly finished: readonly MadeRequest[];
  readonly open: readonly MadeRequest[];
}

/** Pure. @param recorded All events of the erasure, oldest first. */
export const requestsIn = (
  recorded: readonly { readonly event: ErasureEvent; readonly by: Actor }[],
): Requests => {
  const last = recorded.findLastIndex(({ event }) => event.type === 'ErasureFinished');
  const among = (some: typeof recorded): readonly MadeRequest[] =>
    some.flatMap(({ event, by }) =>
      event.type === 'ErasureRequested' ? { request: event, isBySystem: by.kind === 'system' } : [],
    );
  return { finished: among(recorded.slice(0, last + 1)), open: among(recorded.slice(last + 1)) };
};

/**
 * Pure. The person's identity keys in the open requests that erase texts. A request made by a
 * person also covers all earlier requests; one made by the system covers only itself.
 */
export const identityKeysOfTexts = ({ finished, open }: Requests): readonly string[] => {
  const covered = open.flatMap((one, at) => {
    if (one.request.texts === 'keep') return [];
    return one.isBySystem ? [one] : [...finished, ...open.slice(0, at + 1)];
  });
  return [...new Set(covered.flatMap(({ request }) => request.identityKeys))];
};
