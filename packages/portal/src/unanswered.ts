/**
 * Actions without an answer, in the browser's storage. A command that is sent while its page
 * ends may be refused or lost, and no script of that page is left to report it: the next page takes
 * over its records. docs/decisions/0092.
 */
import { keptValues, type KeptIn } from './kept.ts';

export const UNANSWERED_MAX = 50;
/** For an action on 2,000 tickets, with their ids. */
export const UNANSWERED_LENGTH_MAX = 120_000;

export interface UnansweredAction {
  /** The beginning of the notice of its failure: `SR-000004 was not assigned to you`. */
  readonly failure: string;
  /** The error, if the page that sent the action received one; `null`: no response arrived. */
  readonly reason: string | null;
  /** The action as plain data, for the page that determines its outcome and offers a retry. */
  readonly repeat: unknown;
  /** In milliseconds since 1970; absent in the records of earlier releases. */
  readonly begunAt?: number;
}

export interface UnansweredActions {
  readonly keep: (id: string, action: UnansweredAction) => void;
  readonly forget: (id: string) => void;
  /**
   * Moves the records of ended pages to this page, of each page as soon as it has ended, and
   * reports each record once: of several open pages only one receives it.
   */
  readonly takeOver: (
    found: (id: string, action: UnansweredAction) => void,
    signal: AbortSignal,
  ) => void;
}

/**
 * The part of `navigator.locks` that is used: the browser releases a lock when its page ends.
 * Absent on plain HTTP beyond loopback; then no records are taken over.
 */
export interface PageLocks {
  readonly request: (
    name: string,
    options: { readonly signal: AbortSignal },
    held: () => Promise<unknown>,
  ) => Promise<unknown>;
}

const lockOf = (page: string): string => `atrium.page:${page}`;

/**
 * @param owner The person and the organisation.
 * @param page The id of this page.
 * @param ended Aborts when this page ends by itself; a page that is closed need not abort it.
 */
export const unansweredActions = (
  owner: readonly (string | null)[],
  page: string,
  ended: AbortSignal,
  locks = navigator.locks as PageLocks | undefined,
  keptIn?: KeptIn,
): UnansweredActions => {
  const bounds = { max: UNANSWERED_MAX, lengthMax: UNANSWERED_LENGTH_MAX };
  const records = keptValues('atrium.unanswered:', owner, bounds, keptIn);
  const nameOf = (id: string) => `${page}/${id}`;
  const pageOf = (name: string) => name.split('/', 1)[0]!;
  const untilEnded = () =>
    new Promise<void>((resolve) => {
      if (ended.aborted) resolve();
      else ended.addEventListener('abort', () => resolve(), { once: true });
    });
  const withLock = (name: string, signal: AbortSignal, held: () => Promise<unknown>) =>
    ignoringAbort(locks?.request(lockOf(name), { signal }, held));
  withLock(page, ended, untilEnded);

  const takeFrom = (other: string, found: Parameters<UnansweredActions['takeOver']>[0]) => {
    for (const name of records.names().filter((name) => pageOf(name) === other)) {
      const record = records.read<UnansweredAction>(name);
      const id = crypto.randomUUID();
      // First, because a full storage has no room for both.
      records.remove(name);
      if (record === null) continue;
      records.write(nameOf(id), record.content);
      found(id, record.content);
    }
    return Promise.resolve();
  };
  return {
    keep: (id, action) => void records.write(nameOf(id), action),
    forget: (id) => records.remove(nameOf(id)),
    takeOver(found, signal) {
      const others = new Set(records.names().map(pageOf));
      others.delete(page);
      for (const other of others) withLock(other, signal, () => takeFrom(other, found));
    },
  };
};

const ignoringAbort = (request: Promise<unknown> | undefined): void =>
  void request?.catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  });
