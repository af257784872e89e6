import type { JSX } from 'preact';
import { useCallback, useEffect, useReducer, useState } from 'preact/hooks';
import { Attachments } from '../../attachments/attachments.tsx';
import { usePortal } from '../../context.ts';
import { listOf } from '../../history.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { isSelf } from '../../session/me.ts';
import { Card, PageHead, Written } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { AssignTicket, EditTicket, MoveTicket } from './commands.tsx';
import { TicketFault } from './fault.tsx';
import { requestTypeIn } from './answers.ts';
import { useConfiguration } from './configuration.ts';
import { RelatedTickets, TicketAnswers, TicketFacts, WorkOrders } from './facts.tsx';
import { useChanges } from './live.ts';
import { Neighbours } from './neighbours.tsx';
import { NoteForm } from './note.tsx';
import { useNames, usePeople } from './people.ts';
import { TicketPlace } from './place.tsx';
import { Presence } from './presence.tsx';
import { useTicketActions } from './quick.ts';
import type { Entry } from './sentences.ts';
import { TicketReadings } from './readings.tsx';
import { SlaClocks } from './sla.tsx';
import { TicketTimeline } from './timeline.tsx';
import {
  PriorityBadge,
  PriorityField,
  StateBadge,
  stateVerb,
  titleOf,
  type Ticket,
} from './words.tsx';

/** How often the SLA clocks are updated. */
const CLOCK_MS = 30_000;
const UPDATES_PAGE = 500;

type Asked = 'move' | 'assign' | 'edit';

export const TicketDetail = ({ id }: { readonly id: string }): JSX.Element => {
  const { api, may, me } = usePortal();
  const [dialog, setDialog] = useState<Asked | null>(null);
  const [isWriting, setWriting] = useState(false);
  const mayWrite = may('service-desk.tickets:write');
  const names = useNames(usePeople());
  const configuration = useConfiguration();
  const nameOf = useCallback((userId: string) => names.people.get(userId) ?? userId, [names]);
  const details = useLoaded(
    async (signal) => {
      const params = { path: { id } };
      const updates = async () => {
        const entries: Entry[] = [];
        const parameters = { path: { id }, query: { limit: UPDATES_PAGE } };
        const path = '/api/service-desk/requests/{id}/updates';
        for await (const entry of api.items(path, { params: parameters, signal }))
          entries.push(entry);
        return entries;
      };
      const [ticket, entries, attachments] = await Promise.all([
        api.GET('/api/service-desk/requests/{id}', { params, signal }),
        updates(),
        api.GET('/api/service-desk/requests/{id}/attachments', { params, signal }),
      ]);
      return { ticket: ticket.data, entries, attachments: attachments.data.items };
    },
    [api, id],
  );
  useChanges((changes) => {
    if (changes === null || changes.some(({ ticketId }) => ticketId === id)) details.reload();
  });
  const [, renderAgain] = useReducer<number, undefined>((times) => times + 1, 0);
  useEvery(
    CLOCK_MS,
    useCallback(() => renderAgain(undefined), []),
  );
  const { shown } = useQuickActions();
  const loaded = details.data?.ticket;
  const isAnswered = loaded !== undefined && shown(loaded).revision > loaded.revision;
  // The timeline has a new entry for the answered command.
  useEffect(() => {
    if (isAnswered) details.reload();
  }, [isAnswered, details.reload]);
  const close = () => setDialog(null);
  const done = () => {
    close();
    details.reload();
  };
  return (
    <Show of={details}>
      {({ ticket: loaded, entries, attachments }) => {
        const ticket = shown(loaded);
        const type = requestTypeIn(configuration, ticket.requestType);
        return (
          <article class="ticket">
            <PageHead
              title={titleOf(ticket)}
              pageTitle={`${ticket.number} ${titleOf(ticket)}`}
              above={[listOf('tickets'), 'Tickets']}
              lead={
                <span class="row">
                  {ticket.number} <StateBadge of={ticket.state} />{' '}
                  <PriorityBadge of={ticket.priority} />
                </span>
              }
            >
              <Neighbours id={id} />
            </PageHead>
            <Presence id={id} isEditing={dialog !== null || isWriting} />
            {mayWrite && <TicketButtons of={ticket} onAsk={setDialog} />}
            <div class="columns">
              <div>
                <Card title="Description">
                  <Written text={ticket.description} />
                </Card>
                {mayWrite && <NoteForm id={id} onAdded={details.reload} onDirty={setWriting} />}
                <Attachments
                  ticketId={id}
                  items={attachments}
                  mayAdd={mayWrite}
                  mayRemove={({ createdBy }) =>
                    may('service-desk.configuration:write') || (mayWrite && isSelf(me, createdBy))
                  }
                  onChanged={details.reload}
                />
                <Card title="Timeline">
                  <TicketTimeline
                    of={entries}
                    ticket={ticket}
                    attachments={attachments}
                    nameOf={nameOf}
                  />
                </Card>
              </div>
              <div>
                <Card title="Service level">
                  <SlaClocks of={ticket} />
                </Card>
                <TicketAnswers of={ticket} names={names} type={type} />
                <Card title="Details">
                  <TicketFacts of={ticket} names={names} type={type} />
                </Card>
                <TicketFault of={ticket} />
                <TicketPlace of={ticket} />
                <TicketReadings of={ticket} />
                <WorkOrders of={ticket} entries={entries} />
                <RelatedTickets of={ticket} />
              </div>
            </div>
            {dialog === 'move' && <MoveTicket of={ticket} onClose={close} onDone={done} />}
            {dialog === 'assign' && <AssignTicket of={ticket} onClose={close} onDone={done} />}
            {dialog === 'edit' && (
              <EditTicket of={ticket} type={type} onClose={close} onDone={done} />
            )}
          </article>
        );
      }}
    </Show>
  );
};

const TicketButtons = ({
  of: ticket,
  onAsk,
}: {
  readonly of: Ticket;
  readonly onAsk: (asked: Asked) => void;
}): JSX.Element => {
  const { me } = usePortal();
  const { allowed, transition, assign, setPriority } = useTicketActions();
  const states = allowed(ticket);
  const isMine = ticket.assignedUserId === me.actor.id;
  return (
    <div class="ticket-actions" role="group" aria-label="Actions">
      {states.map((state) => (
        <Button key={state} onPress={() => transition(ticket, state)}>
          {stateVerb[state]}
        </Button>
      ))}
      {states.length > 0 && !isMine && (
        <Button icon="person" onPress={() => assign(ticket, { assignedUserId: me.actor.id })}>
          Assign to me
        </Button>
      )}
      <PriorityField
        isLabelHidden
        value={ticket.priority}
        onValue={(priority) => setPriority(ticket, priority)}
      />
      {states.length > 0 && (
        <>
          <Button kind="quiet" onPress={() => onAsk('move')}>
            With a note
          </Button>
          <Button kind="quiet" onPress={() => onAsk('assign')}>
            Assign
          </Button>
        </>
      )}
      <Button kind="quiet" onPress={() => onAsk('edit')}>
        Edit
      </Button>
    </div>
  );
};
