import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { ask, go, to, useRoute } from '../../router.ts';
import { Show } from '../../ui/notices.tsx';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useConfiguration } from './configuration.ts';
import { Filters } from './filters.tsx';
import { TicketsHead } from './list.tsx';
import { UnseenPill } from './live-notice.tsx';
import { useOpenedView } from './opened-view.ts';
import { assigneeOf, useNames, usePeople, type Names } from './people.ts';
import type { Member } from './pickers.tsx';
import { askedIn, changesOf, type Asked } from './query.ts';
import { useTicketActions } from './quick.ts';
import { useLiveRows } from './rows.ts';
import { SlaHint } from './sla.tsx';
import { STILL_LOADING, useTriage } from './triage.tsx';
import { ViewBar } from './view-bar.tsx';
import { isOwn, useViews } from './views.ts';
import { PriorityBadge, stateName, states, titleOf, type State, type Ticket } from './words.tsx';

/** Cards per column; the list shows the others. */
const CARDS_MAX = 20;

const NONE: readonly Ticket[] = [];

const cardOf = (id: string): HTMLElement | null =>
  document.querySelector(`li[data-ticket="${CSS.escape(id)}"]`);

/** One column per state, each with its newest tickets. Cards are moved by dragging and by keys. */
export const Board = (): JSX.Element => {
  const { api, may, say } = usePortal();
  const mayWrite = may('service-desk.tickets:write');
  const route = useRoute();
  const asked = askedIn(route.query);
  const { sort } = asked;
  const { state: chosen, ...filters } = asked.filters;
  const states = statesIn(chosen);
  const people = usePeople();
  const configuration = useConfiguration();
  const views = useViews(people);
  const opened = useOpenedView(views, asked);
  const onAsk = (next: Asked) => {
    opened.follow(next);
    ask(route, changesOf(asked, next));
  };
  const names = useNames(people);
  const { shown } = useQuickActions();
  const { allowed, transition } = useTicketActions();
  const [dragged, setDragged] = useState<Ticket | null>(null);
  const { of, newest, unseen, refresh } = useLiveRows({
    load: (signal) =>
      Promise.all(
        states.map(async (state) => {
          const query = { ...filters, state: [state], sort, limit: CARDS_MAX };
          const path = '/api/service-desk/requests';
          const { data } = await api.GET(path, { params: { query }, signal });
          return { state, ...data };
        }),
      ),
    asks: [api, JSON.stringify(filters), sort, states.join()],
    filters: asked.filters,
    ticketsIn: (columns) => columns.flatMap(({ items }) => items),
  });
  const columns = of.data && regrouped(of.data, (ticket) => shown(newest(ticket)));
  const rows = columns?.flatMap(({ items }) => items) ?? [];
  const triage = useTriage({
    rows,
    isStale: of.isStale,
    elementOf: cardOf,
    people,
    selected: NONE,
  });

  // In its new column the card is a different element.
  const movedByKey = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (movedByKey.current !== null) cardOf(movedByKey.current)?.focus();
    movedByKey.current = null;
  });
  /** Moves the ticket to the next column that it may enter. */
  const moveBy = (ticket: Ticket, by: 1 | -1) => {
    if (of.isStale) return say(STILL_LOADING);
    const from = states.indexOf(ticket.state);
    const others = by === 1 ? states.slice(from + 1) : states.slice(0, from).toReversed();
    const target = others.find((state) => allowed(ticket).includes(state));
    if (target === undefined)
      return say(`${ticket.number} cannot move to any column in that direction.`);
    movedByKey.current = ticket.id;
    transition(ticket, target);
  };
  const focusColumn = (ticket: Ticket, by: 1 | -1) => {
    const filled = columns!.filter(({ items }) => items.length > 0);
    const at = filled.findIndex(({ state }) => state === ticket.state);
    const next = filled[at + by]?.items[0];
    if (next) cardOf(next.id)?.focus();
  };
  const onCardKey = (event: KeyboardEvent, ticket: Ticket) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return;
    const at = rows.findIndex(({ id }) => id === ticket.id);
    const focus = (to: number) => rows[to] && cardOf(rows[to].id)?.focus();
    const isMove = event.shiftKey && mayWrite;
    const runs: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      ArrowRight: () => (isMove ? moveBy(ticket, 1) : focusColumn(ticket, 1)),
      ArrowLeft: () => (isMove ? moveBy(ticket, -1) : focusColumn(ticket, -1)),
      Enter: () => go(['tickets', ticket.id]),
    };
    const run = runs[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  return (
    <>
      <TicketsHead asked={asked} isBoard onNew={triage.raise} />
      <ViewBar views={views} asked={asked} opened={opened} path={['tickets', 'board']} />
      <Filters
        asked={asked}
        onAsk={onAsk}
        people={people}
        configuration={configuration}
        isOwn={isOwn(views, asked)}
      />
      <UnseenPill count={unseen} onShow={refresh} />
      <Show of={{ ...of, data: columns }}>
        {(found) => (
          <div class="board" role="group" aria-label="Tickets by state">
            {found.map((column) => (
              <Column
                key={column.state}
                of={column}
                filters={filters}
                isTarget={dragged !== null && allowed(dragged).includes(column.state)}
                onDrop={() => dragged && !of.isStale && transition(dragged, column.state)}
              >
                {column.items.map((ticket) => (
                  <Card
                    key={ticket.id}
                    of={ticket}
                    names={names}
                    isActive={ticket.id === triage.active}
                    mayWrite={mayWrite}
                    onFocus={() => triage.setActive(ticket.id)}
                    onKeyDown={(event) => onCardKey(event, ticket)}
                    onDrag={setDragged}
                    onPick={(member, anchor) => triage.pick(member, ticket, anchor)}
                  />
                ))}
              </Column>
            ))}
          </div>
        )}
      </Show>
      {mayWrite && (
        <p class="faint small">
          Shift with ← or → moves a card to the nearest allowed state; S lists them all.
        </p>
      )}
      {triage.opened}
    </>
  );
};

const statesIn = (chosen: string | undefined): readonly State[] =>
  states.filter((state) => !chosen || chosen.split(',').includes(state));

interface ColumnOf {
  readonly state: State;
  readonly items: readonly Ticket[];
  readonly total: number;
}

/** Each card in the column of its newest state, after the cards that were there. */
const regrouped = (
  columns: readonly ColumnOf[],
  newest: (ticket: Ticket) => Ticket,
): readonly ColumnOf[] => {
  const updated = columns.map(({ state, ...column }) => ({
    ...column,
    state,
    items: column.items.map(newest),
  }));
  const leaving = updated.flatMap(({ state, items }) =>
    items.filter((ticket) => ticket.state !== state),
  );
  return updated.map(({ state, items, total }) => {
    const staying = items.filter((ticket) => ticket.state === state);
    const entering = leaving.filter((ticket) => ticket.state === state);
    return {
      state,
      items: [...staying, ...entering],
      total: total - (items.length - staying.length) + entering.length,
    };
  });
};

const Column = ({
  of: { state, items, total },
  filters,
  isTarget,
  onDrop,
  children,
}: {
  readonly of: ColumnOf;
  readonly filters: Readonly<Record<string, string>>;
  /** Whether the dragged card may be dropped here. */
  readonly isTarget: boolean;
  readonly onDrop: () => void;
  readonly children: readonly JSX.Element[];
}): JSX.Element => (
  <section
    class={`board-column${isTarget ? ' target' : ''}`}
    onDragOver={(event) => isTarget && event.preventDefault()}
    onDrop={(event) => {
      event.preventDefault();
      onDrop();
    }}
  >
    <h2>
      {stateName[state]} <span class="faint">{total.toLocaleString('en')}</span>
    </h2>
    <ul>{children}</ul>
    {total > items.length && (
      <a class="small" href={to(['tickets'], { ...filters, state })}>
        All {total.toLocaleString('en')}
      </a>
    )}
  </section>
);

const Card = ({
  of: ticket,
  names,
  isActive,
  mayWrite,
  onFocus,
  onKeyDown,
  onDrag,
  onPick,
}: {
  readonly of: Ticket;
  readonly names: Names;
  readonly isActive: boolean;
  readonly mayWrite: boolean;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onDrag: (ticket: Ticket | null) => void;
  readonly onPick: (member: Member, anchor: HTMLElement) => void;
}): JSX.Element => {
  const tabIndex = isActive ? 0 : -1;
  const inline = (member: Member, children: JSX.Element | string) =>
    mayWrite ? (
      <button
        type="button"
        class={`inline cell-${member}`}
        tabIndex={tabIndex}
        aria-haspopup="dialog"
        title={`${member} of ${ticket.number}`}
        onClick={(event) => onPick(member, event.currentTarget)}
      >
        {children}
      </button>
    ) : (
      children
    );
  return (
    <li
      class="board-card"
      data-ticket={ticket.id}
      tabIndex={tabIndex}
      draggable={mayWrite}
      onFocusCapture={onFocus}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', ticket.number);
        onDrag(ticket);
      }}
      onDragEnd={() => onDrag(null)}
    >
      <span class="faint small">{ticket.number}</span>
      <a class="subject" tabIndex={tabIndex} draggable={false} href={to(['tickets', ticket.id])}>
        {titleOf(ticket)}
      </a>
      <span class="row small">
        {inline('priority', <PriorityBadge of={ticket.priority} />)}
        <SlaHint of={ticket} />
        {inline('assignee', assigneeOf(ticket, names) ?? 'nobody')}
      </span>
    </li>
  );
};
