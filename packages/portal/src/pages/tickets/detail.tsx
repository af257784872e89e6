import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Actor, Badge, Card, Facts, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import { nameIn, useBuildings, useSpaces, useStoreys } from '../places.ts';
import { AssignTicket, EditTicket, MoveTicket } from './commands.tsx';
import { NoteForm } from './note.tsx';
import { SlaClocks } from './sla.tsx';
import { TicketTimeline } from './timeline.tsx';
import {
  PriorityBadge,
  StateBadge,
  stateVerb,
  titleOf,
  type State,
  type Ticket,
} from './words.tsx';

/** Others work on it too. */
const LOOK_MS = 15_000;
const UPDATES_PAGE = 500;

type Asked =
  | { readonly kind: 'move'; readonly state: State }
  | { readonly kind: 'assign' | 'edit' };

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
      const [ticket, allowed, entries] = await Promise.all([
        api.GET('/api/service-desk/requests/{id}', { params, signal }),
        api.GET('/api/service-desk/requests/{id}/transitions', { params, signal }),
        updates(),
      ]);
      return { ticket: ticket.data!, allowed: allowed.data!.allowed, entries };
    },
    [api, id],
  );
  useEvery(LOOK_MS, all.reload);
  const done = () => {
    setAsked(null);
    all.reload();
  };
  return (
    <Show of={all}>
      {({ ticket, allowed, entries }) => (
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
            {mayWrite && (
              <>
                {allowed.map((state) => (
                  <Button key={state} onPress={() => setAsked({ kind: 'move', state })}>
                    {stateVerb[state]}
                  </Button>
                ))}
                <Button icon="person" onPress={() => setAsked({ kind: 'assign' })}>
                  Assign
                </Button>
                <Button onPress={() => setAsked({ kind: 'edit' })}>Edit</Button>
              </>
            )}
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
          {asked?.kind === 'move' && (
            <MoveTicket
              of={ticket}
              state={asked.state}
              onClose={() => setAsked(null)}
              onDone={done}
            />
          )}
          {asked?.kind === 'assign' && (
            <AssignTicket of={ticket} onClose={() => setAsked(null)} onDone={done} />
          )}
          {asked?.kind === 'edit' && (
            <EditTicket of={ticket} onClose={() => setAsked(null)} onDone={done} />
          )}
        </>
      )}
    </Show>
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
