/**
 * The erasure of a person of an organisation, in `erasure-<id>`: requested, carried out by a
 * process, finished. The same request again is the same erasure; what has come since is requested
 * anew. contract.md section 11.
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
  /** Of the latest request: each request has its own keys. */
  readonly texts: TextChoice;
  readonly reason: string;
  readonly requestedAt: Instant;
  /** How often it was requested with something new. */
  readonly requests: number;
  readonly sessions: number;
  /** `null`: it is under way. */
  readonly finishedAt: Instant | null;
  /** Of the last time that it was finished. */
  readonly found: Found | null;
}

export type ErasureCommand =
  | (Omit<ErasureRequested, 'type'> & { readonly type: 'RequestErasure' })
  | (Omit<ErasureRequested, 'type'> & {
      readonly type: 'RepeatErasure';
      /** Keys that it destroyed are there again. */
      readonly isUndone: boolean;
    })
  | {
      readonly type: 'FinishErasure';
      /** Those that were carried out. */
      readonly requests: number;
      readonly found: Found;
    };

type Keys = Pick<Erasure, 'identityKeys' | 'textKeys'>;

/** Whether all keys of the request are among those of the erasure. */
const hasKeysOf = (erasure: Keys, asked: Keys): boolean =>
  asked.identityKeys.every((key) => erasure.identityKeys.includes(key)) &&
  asked.textKeys.every((key) => erasure.textKeys.includes(key));

/**
 * Whether the request is to be carried out again: the log lacks it or its choice for texts, or it
 * was finished and keys that it destroyed are there again.
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

/** Texts that were kept are to be erased. */
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
    // Keys of texts that were kept have no subject any more: only the erasure knows them.
    const textKeys = [...new Set([...(isMore ? erasure.textKeys : []), ...asked.textKeys])];
    return [{ ...asked, type: 'ErasureRequested', textKeys }];
  },

  // As it was requested: a later request for more is repeated by itself.
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
    // What was erased is not kept by a later request.
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

/** What answers and the list show. */
export interface ErasureView extends Erasure {
  /** Who requested it first. */
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
