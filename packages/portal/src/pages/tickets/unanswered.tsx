/**
 * The outcome of actions without an answer, of this page and of earlier ones: failures are reported
 * and can be retried.
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { repeated } from '../../../../sdk/src/retries.ts';
import { usePortal } from '../../context.ts';
import { draftsOf } from '../../drafts.ts';
import type { UnansweredAction } from '../../unanswered.ts';
import { useQuickActions, type FoundAction } from '../../ui/quick-actions.tsx';
import { useUnfinished } from '../../ui/unsaved.tsx';
import { reasonOf, sendBulk, type BulkOutcome, type BulkRepeat } from './bulk-request.ts';
import { useTicketActions, type TicketRepeat } from './quick.ts';
import { changeByOthers, useTicketCommands } from './ticket-commands.ts';
import type { Ticket } from './words.tsx';

/** How long a command without an answer may be in flight, in milliseconds. */
const ON_ITS_WAY_MS = 4_000;

const NO_ANSWER =
  'the server did not accept it, or could not be reached before the page was closed.';
const STOPPED = new Error('it was stopped.');
const NOT_ARRIVED = 'it did not arrive at the server, or was not accepted.';

export const UnansweredOfTickets = ({ of }: { readonly of: readonly FoundAction[] }) => {
  const { api, may, me, say } = usePortal();
  const { load } = useTicketCommands();
  const { keep, report, forget, showRunning } = useQuickActions();
  const { setPriority, assign, transition } = useTicketActions();
  const looked = useRef(0);
  const page = useMemo(() => new AbortController(), []);
  useEffect(() => () => page.abort(), [page]);
  const { signal } = page;

  const again = (ticket: Ticket, { priority, state, ...assignment }: TicketRepeat['after']) => {
    if (priority !== undefined) setPriority(ticket, priority);
    else if (state !== undefined) transition(ticket, state);
    else assign(ticket, assignment);
  };
  /** The ticket, as soon as the server answers. */
  const loaded = (id: string) => repeated({ method: 'GET', path: id }, { signal }, () => load(id));
  /** The ticket after the command, unless the command has not arrived by then. */
  const settled = async (id: string, isDone: (ticket: Ticket) => boolean) => {
    const ticket = await loaded(id);
    if (isDone(ticket)) return ticket;
    await new Promise((resolve) => setTimeout(resolve, ON_ITS_WAY_MS));
    return loaded(id);
  };
  const look = async ({ id, action: { failure, reason, repeat }, isOwn }: FoundAction) => {
    const { id: ticketId, before, after } = repeat as TicketRepeat;
    const names = Object.keys(after) as (keyof TicketRepeat['after'])[];
    const isDone = (ticket: Ticket) => names.every((name) => ticket[name] === after[name]);
    try {
      const ticket = await settled(ticketId, isDone);
      if (isDone(ticket)) return forget(id, [ticket]);
      const words = isOwn ? NOT_ARRIVED : (reason ?? NO_ANSWER);
      const error = changeByOthers(before, names, ticket) ?? new Error(words);
      const run = () => again(ticket, after);
      report({ id, failure, error, repeat: { words: 'Do it again', run } });
    } catch (error) {
      // The page is left: the record is kept for a later one.
      if (!AtriumError.is(error)) return;
      report({ id, failure, error });
    }
  };

  /** A sent note is not restored as unsent text. */
  const forgetDrafts = (parts: BulkRepeat['parts']) => {
    const drafts = draftsOf([me.actor.id, me.organisation]);
    for (const name of drafts.names()) {
      const draft = drafts.read<{ readonly commandId?: string } | null>(name)?.content;
      if (parts.some(({ commandId }) => commandId === draft?.commandId)) drafts.remove(name);
    }
  };

  const [running, setRunning] = useState(0);
  useUnfinished(running > 0);
  const offer = (id: string, action: UnansweredAction, error: unknown) =>
    report({
      id,
      failure: action.failure,
      error,
      begunAt: action.begunAt,
      repeat: { words: 'Go on', run: () => void goOn(id, action) },
    });
  const goOn = async (id: string, action: UnansweredAction) => {
    const { words, parts } = action.repeat as BulkRepeat;
    const outcomes = new Map<string, BulkOutcome>();
    const total = new Set(parts.flatMap(({ ids }) => ids)).size;
    const stopping = new AbortController();
    const show = () =>
      showRunning({
        id,
        words: `Going on with “${words}”: ${outcomes.size} of ${total} tickets`,
        stop: () => stopping.abort(),
      });
    const onOutcome = (outcome: BulkOutcome) => {
      outcomes.set(outcome.id, outcome);
      show();
    };
    keep(id, action);
    show();
    setRunning((count) => count + 1);
    try {
      await sendBulk(api, parts, onOutcome, AbortSignal.any([signal, stopping.signal]));
      forget(id);
      forgetDrafts(parts);
      const refused = [...outcomes.values()].filter(({ status }) => status === 'refused');
      const count = `${words}: ${outcomes.size - refused.length} of ${outcomes.size} tickets`;
      if (refused.length === 0) say(count);
      else report({ id, failure: count, error: new Error(reasonsIn(refused)) });
    } catch (error) {
      if (!signal.aborted) offer(id, action, stopping.signal.aborted ? STOPPED : error);
    }
    setRunning((count) => count - 1);
  };

  useEffect(() => {
    if (!may('service-desk.tickets:read')) return;
    for (const found of of.slice(looked.current)) {
      const { id, action, isOwn } = found;
      if (!('parts' in (action.repeat as BulkRepeat | TicketRepeat))) void look(found);
      // The person has left the list while it was running, not the portal.
      else if (isOwn && action.reason === null) void goOn(id, action);
      else offer(id, action, new Error(action.reason ?? 'its page was closed.'));
    }
    looked.current = of.length;
  }, [of]);
  return null;
};

const reasonsIn = (refused: readonly BulkOutcome[]): string =>
  [...new Set(refused.map(({ code = 'INTERNAL' }) => reasonOf(code)))].join('; ');
