/** The details of one room, beside the plan. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge, Facts } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { Ago } from '../../ui/times.tsx';
import { NewTicket } from '../tickets/new.tsx';
import { OPEN_STATES, type Filters } from '../tickets/query.ts';
import { PriorityBadge, StateBadge, titleOf } from '../tickets/words.tsx';
import { FaultTicket, useTicketsOfFaults } from '../buildings/fault-ticket.tsx';
import type { Space } from './storey-plan.ts';
import { RoomHistory } from './room-history.tsx';
import { RoomPoints } from './readings.tsx';
import { RoomSection, useChangesIn, type OfRoom } from './room-section.tsx';

/** Rows of each list; the page that the list links to has the rest. */
const ROWS = 8;

export const RoomPanel = ({
  buildingId,
  storeyId,
  space,
  children,
  onClose,
}: {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly space: Space;
  /** Values of its data layers. */
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
}): JSX.Element => {
  const { may } = usePortal();
  const [isRaising, setRaising] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const room: OfRoom = { buildingId, storeyId, spaceId: space.id };
  return (
    <section
      class="card plan-room-panel"
      aria-labelledby="plan-room-name"
      onKeyDown={(event) => {
        // Esc in the form closes only its own dialog.
        if (event.key === 'Escape' && !isRaising) onClose();
      }}
    >
      <header class="card-head">
        <h2 ref={head} id="plan-room-name" tabIndex={-1}>
          <span class="faint">{space.code}</span> {space.name}
        </h2>
        <Button kind="quiet" icon="close" label="Close the room" onPress={onClose} />
      </header>
      <RoomFacts of={room} space={space} />
      <div class="row plan-room-actions">
        {may('service-desk.tickets:write') && (
          <Button icon="plus" onPress={() => setRaising(true)}>
            Raise a ticket here
          </Button>
        )}
        {may('service-desk.tickets:read') && (
          <a class="button" href={to(['tickets'], { buildingId, spaceId: space.id })}>
            <Icon name="tickets" />
            All tickets
          </a>
        )}
        <a class="button" href={to(['buildings', buildingId, 'labels'], { space: space.id })}>
          <Icon name="label" />
          QR label
        </a>
      </div>
      {may('service-desk.tickets:read') && <RoomTickets of={room} />}
      <RoomFaults of={room} />
      <RoomPoints of={room} />
      {children}
      <RoomElements of={room} />
      <RoomHistory of={room} />
      {isRaising && <NewTicket place={room} onClose={() => setRaising(false)} />}
    </section>
  );
};

const RoomFacts = ({ of, space }: { readonly of: OfRoom; readonly space: Space }): JSX.Element => {
  const { api } = usePortal();
  const { buildingId, spaceId } = of;
  const row = useLoaded(
    async (signal) => {
      const params = { path: { buildingId, spaceId } };
      const path = '/api/v1/buildings/{buildingId}/spaces/{spaceId}';
      return (await api.GET(path, { params, signal })).data;
    },
    [api, buildingId, spaceId],
  );
  const area = space.areaSqm;
  return (
    <>
      <Trouble error={row.error} again={row.reload} />
      <Facts
        of={[
          ['Type', row.data?.spaceType.name],
          ['Area', area === null ? null : `${area.toLocaleString('en')} m²`],
          ['Status', row.data && <Badge>{row.data.status}</Badge>],
        ]}
      />
    </>
  );
};

const RoomTickets = ({ of: { spaceId } }: { readonly of: OfRoom }): JSX.Element => {
  const { api } = usePortal();
  const tickets = useLoaded(
    async (signal) => {
      const filters: Filters = { spaceId, state: OPEN_STATES };
      const query = { ...filters, sort: '-priority' as const, limit: ROWS };
      return (await api.GET('/api/service-desk/requests', { params: { query }, signal })).data;
    },
    [api, spaceId],
  );
  useChangesIn(spaceId, tickets.reload);
  return (
    <RoomSection
      title="Open tickets"
      of={tickets}
      row={(ticket) => (
        <li key={ticket.id}>
          <a href={to(['tickets', ticket.id])}>{titleOf(ticket)}</a>
          <span class="faint small nowrap">{ticket.number}</span>
          <StateBadge of={ticket.state} />
          <PriorityBadge of={ticket.priority} />
        </li>
      )}
    />
  );
};

const RoomFaults = ({ of: { buildingId, spaceId } }: { readonly of: OfRoom }): JSX.Element => {
  const { api } = usePortal();
  const faults = useLoaded(
    async (signal) => {
      const params = { path: { buildingId }, query: { spaceId, open: true, limit: ROWS } };
      return (await api.GET('/api/v1/buildings/{buildingId}/faults', { params, signal })).data;
    },
    [api, buildingId, spaceId],
  );
  useTicketsOfFaults(buildingId, faults.reload);
  return (
    <RoomSection
      title="Open faults"
      of={faults}
      row={(fault) => (
        <li key={fault.faultId}>
          <a href={to(['buildings', buildingId, 'faults', fault.faultId])}>{fault.title}</a>
          <Badge tone="warn">{fault.severity}</Badge>
          <span class="faint small">
            <Ago at={fault.openedAt} />
          </span>
          <FaultTicket buildingId={buildingId} of={fault} />
        </li>
      )}
    />
  );
};

const RoomElements = ({ of: { buildingId, spaceId } }: { readonly of: OfRoom }): JSX.Element => {
  const { api } = usePortal();
  const elements = useLoaded(
    async (signal) => {
      const params = { path: { buildingId }, query: { spaceId, limit: ROWS } };
      return (await api.GET('/api/v1/buildings/{buildingId}/elements', { params, signal })).data;
    },
    [api, buildingId, spaceId],
  );
  return (
    <RoomSection
      title="Elements"
      of={elements}
      row={({ id, code, name, elementTypeSlug }) => (
        <li key={id}>
          <span>{name}</span>
          <span class="faint small">{code}</span>
          <Badge>{elementTypeSlug.replaceAll(/[-_]/g, ' ')}</Badge>
        </li>
      )}
    />
  );
};
