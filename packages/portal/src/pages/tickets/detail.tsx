import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Actor, Badge, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { At } from '../../ui/times.tsx';
import { nameIn, useBuildings, useSpaces, useStoreys } from '../places.ts';
import { AssignTicket, EditTicket, MoveTicket } from './commands.tsx';
import { useChanges } from './live.ts';
import { NoteForm } from './note.tsx';
import { useTicketActions } from './quick.ts';
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

const UPDATES_PAGE = 500;

type Asked = 'move' | 'assign' | 'edit';

export const TicketDetail = ({ id }: { readonly id: string }): JSX.Element => {
  const { api, may } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayWrite = may('service-desk.tickets:write');
  const all = useLoaded(
    async (signal) => {
      const params = { path: { id } };
      const updates = async () => {
        const entries = [];
        const asked = { path: { id }, query: { limit: UPDATES_PAGE } };
        const path = '/api/service-desk/requests/{id}/updates';
        for await (const entry of api.items(path, { params: asked, signal })) entries.push(entry);
        return entries;
      };
      const [ticket, entries] = await Promise.all([
        api.GET('/api/service-desk/requests/{id}', { params, signal }),
        updates(),
      ]);
      return { ticket: ticket.data!, entries };
    },
    [api, id],
  );
  // Not under an open form: what the page shows is what the form began with.
  const isOutdated = useRef(false);
  const readAgain = () => {
    if (!isOutdated.current || asked !== null) return;
    isOutdated.current = false;
    all.reload();
  };
  useChanges((changes) => {
    isOutdated.current ||= changes?.some(({ ticketId }) => ticketId === id) ?? true;
    readAgain();
  });
  useEffect(readAgain, [asked]);
  const { shown } = useQuickActions();
  const loaded = all.data?.ticket;
  const isAnswered = loaded !== undefined && shown(loaded).revision > loaded.revision;
  // The timeline has an entry for what was answered.
  useEffect(() => {
    if (isAnswered) all.reload();
  }, [isAnswered, all.reload]);
  const done = () => {
    setAsked(null);
    all.reload();
  };
  return (
    <Show of={all}>
      {({ ticket: loaded, entries }) => {
        const ticket = shown(loaded);
        return (
          <>
            <PageHead
              title={titleOf(ticket)}
              above={[to(['tickets']), 'Tickets']}
              lead={
                <span class="row">
                  {ticket.number} <StateBadge of={ticket.state} />{' '}
                  <PriorityBadge of={ticket.priority} />
                </span>
              }
            >
              {mayWrite && <TicketButtons of={ticket} onAsk={setAsked} />}
            </PageHead>
            <div class="columns">
              <div>
                <Card title="Description">
                  <p class="written">{ticket.description}</p>
                </Card>
                {mayWrite && <NoteForm id={id} onAdded={all.reload} />}
                <Card title="Timeline">
                  <TicketTimeline of={entries} />
                </Card>
              </div>
              <div>
                <Card title="Service level">
                  <SlaClocks of={ticket} />
                </Card>
                <Card title="Details">
                  <TicketFacts of={ticket} />
                </Card>
              </div>
            </div>
            {asked === 'move' && (
              <MoveTicket of={ticket} onClose={() => setAsked(null)} onDone={done} />
            )}
            {asked === 'assign' && (
              <AssignTicket of={ticket} onClose={() => setAsked(null)} onDone={done} />
            )}
            {asked === 'edit' && (
              <EditTicket of={ticket} onClose={() => setAsked(null)} onDone={done} />
            )}
          </>
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
    <>
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
          <Button onPress={() => onAsk('move')}>Move with a note</Button>
          <Button onPress={() => onAsk('assign')}>Assign</Button>
        </>
      )}
      <Button onPress={() => onAsk('edit')}>Edit</Button>
    </>
  );
};

const TicketFacts = ({ of }: { readonly of: Ticket }): JSX.Element => {
  const building = nameIn(useBuildings(), of.buildingId);
  const storey = nameIn(useStoreys(of.buildingId), of.storeyId);
  const space = nameIn(useSpaces(of.buildingId, of.storeyId ?? ''), of.spaceId);
  return (
    <Facts
      of={[
        ['Assigned to', of.assignedUserId],
        ['Team', of.assignedTeamId],
        ['Building', building],
        ['Storey', storey],
        ['Space', space],
        ['Category', of.category],
        ['Request type', of.requestType],
        ['Channel', <Badge>{of.channel}</Badge>],
        ['Reported by', of.reporterName ?? of.reporterEmail],
        ['Work orders', of.workOrderIds.length > 0 ? of.workOrderIds.join(', ') : null],
        ['Raised', <At at={of.createdAt} />],
        ['Raised by', <Actor of={of.createdBy} />],
        ['Changed', <At at={of.updatedAt} />],
        ...Object.entries(of.metadata).map(
          ([name, value]) => [name, <code>{JSON.stringify(value)}</code>] as const,
        ),
      ]}
    />
  );
};
