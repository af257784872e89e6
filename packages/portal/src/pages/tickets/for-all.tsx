/** The bulk actions of the list. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import type { KeyAction } from '../../keys/keys.ts';
import { CategoryForAll, JobPanel, SelectionBar } from './bulk-bar.tsx';
import type { BulkAction } from './bulk-request.ts';
import { BULK_MAX, shownInJob, useBulk } from './bulk.ts';
import { NoteForAll } from './note-dialog.tsx';
import { assigneeOf, type Names } from './people.ts';
import type { Choice, Member } from './pickers.tsx';
import type { Filters, Sort } from './query.ts';
import type { Selection } from './selection.ts';
import { stateName, type Ticket } from './words.tsx';

export interface ForAll {
  readonly choose: (choice: Choice) => void;
  readonly note: () => void;
  readonly keys: readonly KeyAction[];
  readonly bars: (parts: BarParts) => JSX.Element;
}

interface BarParts {
  readonly total: number;
  readonly isCapped: boolean;
  readonly onPick: (member: Member, anchor: HTMLElement) => void;
}

/** The page size when all tickets of the list are loaded. */
const PAGE = 200;

export const useForAll = ({
  selection,
  filters,
  sort,
  names,
  active,
}: {
  readonly selection: Selection;
  readonly filters: Filters;
  readonly sort: Sort;
  readonly names: Names;
  /** The active ticket, which X selects. */
  readonly active: () => Ticket | undefined;
}): ForAll => {
  const { api, may } = usePortal();
  const { job, run, again, undo, dismiss } = useBulk();
  const [asked, setAsked] = useState<'category' | 'note' | null>(null);
  const { tickets } = selection;

  const give = (action: BulkAction, words: string) => {
    run(action, tickets, words, crypto.randomUUID()).catch(shownInJob);
    selection.clear();
  };
  const choose = (choice: Choice) => {
    if (choice.member === 'state')
      give({ transition: { state: choice.state } }, stateName[choice.state]);
    if (choice.member === 'priority')
      give({ patch: { priority: choice.priority } }, `Priority ${choice.priority}`);
    if (choice.member === 'assignee') {
      const both = { assignedUserId: null, assignedTeamId: null, ...choice.assignment };
      give({ assign: choice.assignment }, `Assigned to ${assigneeOf(both, names) ?? 'nobody'}`);
    }
  };
  const selectAll = async () => {
    const matching: Ticket[] = [];
    for (let page = 1; matching.length < BULK_MAX; page += 1) {
      const query = { ...filters, sort, page, limit: PAGE };
      const { data } = await api.GET('/api/service-desk/requests', { params: { query } });
      matching.push(...data.items);
      if (data.items.length < PAGE) break;
    }
    selection.set(matching.slice(0, BULK_MAX));
  };
  const toggle = () => {
    const ticket = active();
    if (ticket) selection.toggle(ticket);
  };
  const group = 'Tickets';
  return {
    choose,
    note: () => setAsked('note'),
    keys: may('service-desk.tickets:write')
      ? [
          { keys: 'x', words: 'Select the ticket', group, run: toggle },
          { keys: 'Escape', words: 'Clear the selection', group, run: selection.clear },
        ]
      : [],
    bars: ({ total, isCapped, onPick }) => (
      <>
        {job && <JobPanel of={job} onAgain={again} onUndo={undo} onClose={dismiss} />}
        {tickets.length > 0 && (
          <SelectionBar
            selected={tickets}
            total={total}
            isCapped={isCapped}
            onAll={selectAll}
            onPick={onPick}
            onCategory={() => setAsked('category')}
            onNote={() => setAsked('note')}
            onClear={selection.clear}
          />
        )}
        {asked === 'category' && (
          <CategoryForAll
            count={tickets.length}
            onCategory={(category) =>
              give({ patch: { category } }, `Category ${category ?? 'none'}`)
            }
            onClose={() => setAsked(null)}
          />
        )}
        {asked === 'note' && (
          <NoteForAll
            form="tickets/note-for-all"
            title={`Note on ${tickets.length.toLocaleString('en')} tickets`}
            onNote={async (note, commandId) => {
              await run({ note }, tickets, 'Note', commandId);
              selection.clear();
            }}
            onClose={() => setAsked(null)}
          />
        )}
      </>
    ),
  };
};
