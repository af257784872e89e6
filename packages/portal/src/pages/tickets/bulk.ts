/** One action on many tickets, and its undoing. contract.md section 5, «Bulk». */
import { useRef, useState } from 'preact/hooks';
import { backoffMs, pause } from '../../../../sdk/src/retries.ts';
import { usePortal } from '../../context.ts';
import { isSelf } from '../../session/me.ts';
import type { Api } from '../../session/requests.ts';
import { edges } from './edges.ts';
import { useChanges } from './live.ts';
import type { NewNote } from './note-dialog.tsx';
import type { Assignment } from './quick.ts';
import type { Priority, State, Ticket } from './words.tsx';

export type BulkAction =
  | { readonly assign: Assignment }
  | { readonly transition: { readonly state: State } }
  | { readonly patch: { readonly priority?: Priority; readonly category?: string | null } }
  | { readonly note: NewNote };

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
/** Attempts per action; a retry resumes where the previous stream was cut. */
const ATTEMPTS_MAX = 4;

interface Outcome {
  readonly id: string;
  readonly status: 'done' | 'refused';
  readonly code?: string;
}

export const useBulk = (): Bulk => {
  const { api, me } = usePortal();
  const [job, setJob] = useState<BulkJob | null>(null);
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
    const outcomes = new Map<string, Outcome>();
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
    show(true);
    try {
      for (const part of parts)
        await streamed(api, part, (outcome) => {
          outcomes.set(outcome.id, outcome);
          show(true);
        });
      show(false);
    } catch (error) {
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
    dismiss: () => setJob(null),
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

/** A server that stops midway ends the stream with a problem. */
type Line = Outcome | { readonly summary: object } | { readonly problem: object };

/** @throws if the action itself is refused, or the connection breaks too often. */
const streamed = async (
  api: Api,
  { action, tickets, commandId }: Part,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> => {
  if (tickets.length === 0) return;
  const body = JSON.stringify({ tickets: tickets.map(({ id }) => id), action });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/x-ndjson',
    'idempotency-key': commandId,
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const init = { method: 'POST', headers, body };
      const answer = await api.fetch('/api/service-desk/requests/bulk', init);
      if (!answer.ok) throw await refusalOf(answer);
      let isWhole = false;
      for await (const line of linesOf(answer)) {
        const parsed = JSON.parse(line) as Line;
        if ('id' in parsed) onOutcome(parsed);
        else isWhole = 'summary' in parsed;
      }
      if (isWhole) return;
      throw new TypeError('The response was incomplete.');
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === ATTEMPTS_MAX) throw error;
      await pause(backoffMs(attempt));
    }
  }
};

const refusalOf = async (answer: Response): Promise<Error> => {
  const problem = (await answer.json()) as { readonly detail?: string; readonly title?: string };
  return new Error(
    problem.detail ?? problem.title ?? `The server responded with status ${answer.status}.`,
  );
};

async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
    if (done) break;
  }
  if (rest.trim() !== '') yield rest;
}
