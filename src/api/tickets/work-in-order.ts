/**
 * Work on many tickets of one request: several at once, answered one by one in their order, and
 * held back by the lists. Imports and bulks. contract.md sections 1 and 5.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { orderedPipeline } from '../../engine/concurrency/ordered-pipeline.ts';
import { SLICE_MAX_MS } from '../../engine/limits.ts';
import type { Position } from '../../engine/log/event-store.ts';
import type { Visibility } from '../http/commands.ts';
import { problemOf } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { TICKETS_SHOWN_WAIT_MS, TICKETS_UNSHOWN_MAX } from './limits.ts';

/** The read models that show a ticket's change. */
export const SHOWN_BY = ['ticket-list', 'ticket-search', 'ticket-metadata', 'ticket-answers'];

export interface WorkOutcome<Answer> {
  readonly answer: Answer;
  /** The position of its events; `null`: it recorded none. */
  readonly position: Position | null;
}

export interface Work<Source, Item, Answer> {
  readonly items: AsyncIterable<Source> | Iterable<Source>;
  /** Synchronous; yields to the event loop between items. */
  readonly prepare: (source: Source) => Item;
  /** @throws Ends the work: no later item is begun. */
  readonly work: (item: Item) => Promise<WorkOutcome<Answer>>;
  /** Items begun and not yet answered. */
  readonly itemsMax: number;
  readonly weightMax: number;
  readonly weightOf: (item: Item) => number;
  /** Called with the answers in the order of the items. */
  readonly onAnswer: (answer: Answer) => Promise<void>;
  readonly visibility: Visibility;
  readonly report: FastifyBaseLogger;
}

export interface WorkDone {
  /** The position of the last recorded event. */
  readonly position: Position | null;
  /** The reason of an early end. */
  readonly stopped: Problem | null;
}

/**
 * Answered items are done; of the items after them, those in progress at an early end may be.
 *
 * Never rejects because of an item.
 *
 * @returns Once all work has ended.
 */
export const workInOrder = async <Source, Item, Answer>(
  parts: Work<Source, Item, Answer>,
): Promise<WorkDone> => {
  const { items, prepare, work, onAnswer, visibility, report, ...bounds } = parts;
  const mayGoOn = pace(visibility, report);
  let position: Position | null = null;
  const queue = orderedPipeline<Item, WorkOutcome<Answer>>({
    work,
    ...bounds,
    async deliver({ answer, position: recordedAt }) {
      position = recordedAt ?? position;
      await onAnswer(answer);
      if (recordedAt !== null) await mayGoOn(recordedAt);
    },
  });

  let stopped: { readonly error: unknown } | null = null;
  try {
    let since = performance.now();
    for await (const item of items) {
      await queue.add(prepare(item));
      if (performance.now() - since < SLICE_MAX_MS) continue;
      await nextTurn();
      since = performance.now();
    }
  } catch (error) {
    stopped = { error };
  }
  try {
    await queue.end();
  } catch (error) {
    stopped = { error };
  }
  if (stopped !== null) report.info({ err: stopped.error }, 'work on many tickets was stopped');
  return { position, stopped: stopped && problemOf(stopped.error) };
};

/** Waits for the lists as after a single command, for callers that read a list next. */
export const waitUntilVisible = async (
  { position, stopped }: WorkDone,
  visibility: Visibility,
): Promise<void> => {
  if (position === null || stopped !== null || !(await visibility.near(SHOWN_BY))) return;
  await visibility.waitFor(SHOWN_BY, position, visibility.commandWaitMs);
};

/**
 * The problem of one item, which stops no other.
 *
 * @param item A line's number or a ticket's id, for the log where it is a bug.
 * @throws The error, if all later items would meet it too.
 */
export const refusalOf = (
  error: unknown,
  report: FastifyBaseLogger,
  item: number | string,
): Problem => {
  const problem = problemOf(error);
  if (STOPS.includes(problem.code)) throw error;
  if (problem.code === 'INTERNAL')
    report.error({ err: error, item }, 'one of many tickets has failed');
  return problem;
};

const STOPS: readonly Problem['code'][] = ['UNAVAILABLE'];

/**
 * Backpressure: paces the work by the lists' progress, because other readers of the lists would
 * wait for all that it has recorded. Lists that are being rebuilt, or have no owner, delay it once.
 */
const pace = (visibility: Visibility, report: FastifyBaseLogger) => {
  let unshown = 0;
  let before: Position | null = null;
  let isHeld = true;
  return async (position: Position): Promise<void> => {
    unshown += 1;
    if (!isHeld || unshown < TICKETS_UNSHOWN_MAX) return;
    const awaited = before;
    [unshown, before] = [0, position];
    if (awaited === null) return;
    isHeld = await visibility.waitFor(SHOWN_BY, awaited, TICKETS_SHOWN_WAIT_MS);
    if (!isHeld) report.warn({ position: awaited }, 'lists do not follow work on many tickets');
  };
};
