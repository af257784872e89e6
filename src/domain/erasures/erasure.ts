/**
 * The erasure of a person of an organisation, in `erasure-<id>`: requested, carried out by a
 * process, finished. Idempotent: a repeated request is the same erasure, and is recorded again only
 * for data that has been added since. contract.md section 11.
 */
import {
  tableOf,
  type Actor,
  type Decider,
  type Decision,
  type Instant,
} from '../../engine/aggregates/decider.ts';
import type { ErasureEvent, ErasureRequested, Found, TextChoice } from './events.ts';

export interface Erasure {
  readonly erasureId: string;
  readonly organisation: string;
  readonly identityKeys: readonly string[];
  readonly textKeys: readonly string[];
  /** `erase` once any request erased the texts; each request applies it to its own keys. */
  readonly texts: TextChoice;
  readonly reason: string;
  readonly requestedAt: Instant;
  /** The number of recorded requests: repeats without new data are not recorded. */
  readonly requests: number;
  readonly sessions: number;
  /** `null`: in progress. */
  readonly finishedAt: Instant | null;
  /** Recorded when it was last finished. */
  readonly found: Found | null;
}

export type ErasureCommand =
  | (Omit<ErasureRequested, 'type'> & { readonly type: 'RequestErasure' })
  | (Omit<ErasureRequested, 'type'> & {
      readonly type: 'RepeatErasure';
      /** Keys that it destroyed exist again. */
      readonly isUndone: boolean;
    })
  | {
      readonly type: 'FinishErasure';
      /** The number of requests that were carried out. */
      readonly requests: number;
      readonly found: Found;
    };

type Keys = Pick<Erasure, 'identityKeys' | 'textKeys'>;

/** Whether all keys of the request are among those of the erasure. */
const hasKeysOf = (erasure: Keys, asked: Keys): boolean =>
  asked.identityKeys.every((key) => erasure.identityKeys.includes(key)) &&
  asked.textKeys.every((key) => erasure.textKeys.includes(key));

/**
 * Whether the request must be carried out again: the log lacks it or its choice for texts, or it
 * was finished and keys that it destroyed exist again.
 */
export const mustRepeat = (
  erasure: (Keys & Pick<Erasure, 'finishedAt' | 'texts'>) | null,
  asked: Keys & Pick<ErasureRequested, 'texts'>,
  isUndone: boolean,
): boolean =>
  erasure === null ||
  !hasKeysOf(erasure, asked) ||
  isMoreThan(erasure, asked) ||
  (isUndone && erasure.finishedAt !== null);

/** Whether the request erases texts that earlier requests kept. */
const isMoreThan = (
  erasure: Pick<Erasure, 'texts'>,
  asked: Pick<ErasureRequested, 'texts'>,
): boolean => asked.texts === 'erase' && erasure.texts === 'keep';

const decide = tableOf<ErasureCommand, [Erasure | null], Decision<ErasureEvent>>({
  RequestErasure: (asked, erasure) => {
    if (erasure === null) return [{ ...asked, type: 'ErasureRequested' }];
    const isMore = isMoreThan(erasure, asked);
    const isNew = isMore || asked.sessions > 0 || !hasKeysOf(erasure, asked);
    if (!isNew) return [];
    // Keys of kept texts were unlinked from their subject: only the erasure still lists them.
    const textKeys = [...new Set([...(isMore ? erasure.textKeys : []), ...asked.textKeys])];
    return [{ ...asked, type: 'ErasureRequested', textKeys }];
  },

  // Repeats the original request; a later request for more has its own entry.
  RepeatErasure: ({ isUndone, ...asked }, erasure) =>
    mustRepeat(erasure, asked, isUndone) ? [{ ...asked, type: 'ErasureRequested' }] : [],

  FinishErasure: ({ requests, found }, erasure) =>
    erasure === null || erasure.finishedAt !== null || requests < erasure.requests
      ? []
      : [{ type: 'ErasureFinished', erasureId: erasure.erasureId, requests, found }],
});

const evolve = tableOf<ErasureEvent, [Erasure | null, Instant], Erasure | null>({
  ErasureRequested: ({ erasureId, organisation, reason, ...asked }, before, at) => ({
    erasureId,
    organisation,
    reason,
    identityKeys: [...new Set([...(before?.identityKeys ?? []), ...asked.identityKeys])],
    textKeys: [...new Set([...(before?.textKeys ?? []), ...asked.textKeys])],
    // A later request cannot keep texts that were erased.
    texts: before?.texts === 'erase' ? 'erase' : asked.texts,
    sessions: (before?.sessions ?? 0) + asked.sessions,
    requestedAt: before?.requestedAt ?? at,
    requests: (before?.requests ?? 0) + 1,
    finishedAt: null,
    found: before?.found ?? null,
  }),
  ErasureFinished: ({ found }, erasure, at) => erasure && { ...erasure, found, finishedAt: at },
});

/** Refuses nothing. */
export const erasureDecider: Decider<ErasureCommand, Erasure | null, ErasureEvent> = {
  initial: null,
  decide,
  evolve,
};

/** An erasure as responses and the list show it. */
export interface ErasureView extends Erasure {
  /** The actor of the first request. */
  readonly requestedBy: Actor;
}

interface RecordedErasureEvent {
  readonly event: ErasureEvent;
  readonly at: Instant;
  readonly by: Actor;
}

/** @throws Error for a finish without a request: the stream is broken. */
export const erasureAfter = (
  { event, at, by }: RecordedErasureEvent,
  before: ErasureView | null,
): ErasureView => {
  const after = evolve(event, before, at);
  if (after === null) throw new Error(`${event.type} before ErasureRequested`);
  return { ...after, requestedBy: before?.requestedBy ?? by };
};
