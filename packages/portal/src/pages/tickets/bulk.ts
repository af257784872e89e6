/**
 * A bulk of the list, and its undoing. Until it is answered, the browser keeps a record of it: a
 * page that is left hands it over to the next one.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isPassing } from '../../../../sdk/src/problems.ts';
import { usePortal } from '../../context.ts';
import { isSelf } from '../../session/me.ts';
import { wordsOf } from '../../ui/error-words.ts';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useUnfinished } from '../../ui/unsaved.tsx';
import type { UnansweredAction } from '../../unanswered.ts';
import { sendBulk, type BulkAction, type BulkOutcome, type BulkRepeat } from './bulk-request.ts';
import { edges } from './edges.ts';
import { useChanges } from './live.ts';
import type { Ticket } from './words.tsx';

export interface Refused {
  readonly ticket: Ticket;
  readonly code: string;
}

export interface BulkJob {
  /** `Assign to Acme Agent`. */
  readonly words: string;
  readonly total: number;
  readonly done: number;
  readonly refused: readonly Refused[];
  readonly isRunning: boolean;
  readonly error: unknown;
  /** Tickets whose change can be undone. */
  readonly undoable: number;
}

export interface Bulk {
  readonly job: BulkJob | null;
  /**
   * @param commandId The `Idempotency-Key`: a repeat under it resumes the action.
   * @throws if the action was not completed; `job` has the error too.
   */
  readonly run: (
    action: BulkAction,
    tickets: readonly Ticket[],
    words: string,
    commandId: string,
  ) => Promise<void>;
  /** Repeats a failed action under its `Idempotency-Key`. */
  readonly again: () => void;
  readonly undo: () => void;
  readonly dismiss: () => void;
}

/** Tickets per action. contract.md section 5. */
export const BULK_MAX = 2_000;

export const useBulk = (): Bulk => {
  const { api, me } = usePortal();
  const { keep, forget, lookUp } = useQuickActions();
  const [job, setJob] = useState<BulkJob | null>(null);
  useUnfinished(job?.isRunning === true);
  const page = useMemo(() => new AbortController(), []);
  /** The records of failed jobs, by their ids. */
  const failed = useMemo(() => new Map<string, UnansweredAction>(), []);
  useEffect(
    () => () => {
      page.abort();
      for (const [id, record] of failed) lookUp(id, record);
    },
    [page],
  );
  const forgetFailed = () => {
    for (const id of failed.keys()) forget(id);
    failed.clear();
  };
  const repeat = useRef<() => Promise<void>>(null);
  const counterCommands = useRef<readonly CounterCommand[]>([]);
  /** The newest revision of each ticket that another user has made. */
  const revisionByOthers = useRef(new Map<string, number>());
  useChanges((changes) => {
    for (const { ticket, actor } of changes ?? [])
      if (!isSelf(me, actor)) revisionByOthers.current.set(ticket.id, ticket.revision);
  });

  const perform = async (parts: readonly Part[], words: string, isUndo: boolean) => {
    const tickets = new Map(
      parts.flatMap((part) => part.tickets.map((ticket) => [ticket.id, ticket])),
    );
    const outcomes = new Map<string, BulkOutcome>();
    const show = (isRunning: boolean, error?: unknown) => {
      const results = [...outcomes.values()];
      const done = results.filter(({ status }) => status === 'done');
      const refused = results.flatMap(({ id, status, code = 'INTERNAL' }) => {
        const ticket = tickets.get(id);
        return status === 'refused' && ticket ? [{ ticket, code }] : [];
      });
      if (!isRunning && !isUndo)
        counterCommands.current = parts.flatMap(({ action, tickets }) =>
          counterCommandsOf(
            action,
            tickets.filter(({ id }) => outcomes.get(id)?.status === 'done'),
          ),
        );
      const undoable =
        isRunning || isUndo ? 0 : counterCommands.current.flatMap((part) => part.tickets).length;
      const counts = { total: tickets.size, done: done.length, refused, undoable };
      setJob({ words, ...counts, isRunning, error });
    };
    repeat.current = () => perform(parts, words, isUndo);
    const sent: BulkRepeat = {
      words,
      parts: parts.map(({ tickets, ...part }) => ({ ...part, ids: tickets.map(({ id }) => id) })),
    };
    const counted =
      tickets.size === 1 ? 'a ticket' : `${tickets.size.toLocaleString('en')} tickets`;
    const failure = `“${words}” for ${counted} was not finished`;
    const record = { failure, reason: null, repeat: sent, begunAt: Date.now() };
    const id = parts[0]!.commandId;
    // The panel shows one job: the person has gone on from the failed one.
    forgetFailed();
    keep(id, record);
    show(true);
    const onOutcome = (outcome: BulkOutcome) => {
      outcomes.set(outcome.id, outcome);
      show(true);
    };
    try {
      await sendBulk(api, sent.parts, onOutcome, page.signal);
      forget(id);
      show(false);
    } catch (error) {
      if (page.signal.aborted) lookUp(id, record);
      else if (isPassing(error)) {
        failed.set(id, { ...record, reason: wordsOf(error) });
        keep(id, failed.get(id)!);
      } else forget(id);
      show(false, error);
      throw error;
    }
  };

  return {
    job,
    run(action, tickets, words, commandId) {
      return perform([{ action, tickets, commandId }], words, false);
    },
    again: () => void repeat.current?.().catch(shownInJob),
    undo() {
      const parts = counterCommands.current.map((part) => ({
        ...part,
        // Others may have changed a ticket since, and before the action too: the feed is behind it.
        tickets: part.tickets.filter(
          ({ id, revision }) => (revisionByOthers.current.get(id) ?? revision) <= revision,
        ),
      }));
      perform(parts, `Undone: ${job!.words}`, true).catch(shownInJob);
    },
    dismiss() {
      forgetFailed();
      setJob(null);
    },
  };
};

/** The panel of the job has the error. */
export const shownInJob = (): void => undefined;

interface Part {
  readonly action: BulkAction;
  /** Its `Idempotency-Key`. */
  readonly commandId: string;
  readonly tickets: readonly Ticket[];
}

type CounterCommand = Part;

/** The counter-commands: one for all tickets with the same previous value. */
const counterCommandsOf = (
  action: BulkAction,
  tickets: readonly Ticket[],
): readonly CounterCommand[] => {
  const grouped = (back: (ticket: Ticket) => BulkAction | null): readonly CounterCommand[] => {
    const groups = new Map<string, Part & { readonly tickets: Ticket[] }>();
    for (const ticket of tickets) {
      const counter = back(ticket);
      if (counter === null) continue;
      const key = JSON.stringify(counter);
      const group = groups.get(key) ?? {
        action: counter,
        commandId: crypto.randomUUID(),
        tickets: [],
      };
      group.tickets.push(ticket);
      groups.set(key, group);
    }
    return [...groups.values()];
  };
  if ('note' in action) return [];
  if ('transition' in action) {
    const { state } = action.transition;
    return grouped((ticket) =>
      edges[state].includes(ticket.state) ? { transition: { state: ticket.state } } : null,
    );
  }
  const [kind, values] = 'assign' in action ? ['assign', action.assign] : ['patch', action.patch];
  return grouped((ticket) => {
    const names = Object.keys(values) as (keyof Ticket)[];
    const before = Object.fromEntries(names.map((name) => [name, ticket[name]]));
    return { [kind]: before } as BulkAction;
  });
};
