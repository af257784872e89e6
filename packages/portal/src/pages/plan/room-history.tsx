/** The history of a room: its ended tickets and faults, newest first. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge } from '../../ui/content.tsx';
import { Ago } from '../../ui/times.tsx';
import { ENDED_STATES, type Filters } from '../tickets/query.ts';
import { StateBadge, titleOf } from '../tickets/words.tsx';
import { RoomSection, useChangesIn, type OfRoom } from './room-section.tsx';

/** Rows of tickets and faults together. */
const ROWS = 8;

interface Past {
  readonly key: string;
  readonly title: string;
  readonly href: string;
  readonly badge: JSX.Element;
  readonly endedAt: string;
}

export const RoomHistory = ({ of }: { readonly of: OfRoom }): JSX.Element => {
  const { api, may } = usePortal();
  const { buildingId, spaceId } = of;
  const readsTickets = may('service-desk.tickets:read');

  const ticketsOf = async (signal: AbortSignal) => {
    if (!readsTickets) return { items: [], total: 0 };
    const filters: Filters = { spaceId, state: ENDED_STATES };
    const query = { ...filters, sort: '-updatedAt' as const, limit: ROWS };
    const path = '/api/service-desk/requests';
    const { items, total } = (await api.GET(path, { params: { query }, signal })).data;
    const past = items.map((ticket): Past => ({
      key: ticket.id,
      title: titleOf(ticket),
      href: to(['tickets', ticket.id]),
      badge: <StateBadge of={ticket.state} />,
      endedAt: ticket.updatedAt,
    }));
    return { items: past, total };
  };
  const faultsOf = async (signal: AbortSignal) => {
    const params = { path: { buildingId }, query: { spaceId, open: false, limit: ROWS } };
    const path = '/api/v1/buildings/{buildingId}/faults';
    const { items, total } = (await api.GET(path, { params, signal })).data;
    const past = items.map(({ faultId, title, openedAt, closedAt }): Past => ({
      key: faultId,
      title,
      href: to(['buildings', buildingId, 'faults', faultId]),
      badge: <Badge>Fault</Badge>,
      endedAt: closedAt ?? openedAt,
    }));
    return { items: past, total };
  };
  const past = useLoaded(
    async (signal) => {
      const [tickets, faults] = await Promise.all([ticketsOf(signal), faultsOf(signal)]);
      const items = [...tickets.items, ...faults.items]
        .toSorted((a, b) => b.endedAt.localeCompare(a.endedAt))
        .slice(0, ROWS);
      return { items, total: tickets.total + faults.total };
    },
    [api, buildingId, spaceId, readsTickets],
  );
  useChangesIn(spaceId, past.reload);
  return (
    <RoomSection
      title="History"
      of={past}
      row={({ key, title, href, badge, endedAt }) => (
        <li key={key}>
          <a href={href}>{title}</a>
          {badge}
          <span class="faint small">
            <Ago at={endedAt} />
          </span>
        </li>
      )}
    />
  );
};
