import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Card } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { OPEN_STATES, type Filters } from '../tickets/query.ts';
import { PriorityBadge, StateBadge, titleOf } from '../tickets/words.tsx';
import type { Scanned } from './scanned.ts';

const ROWS = 5;

/** The open tickets of the place, so that the same problem is not reported twice. */
export const OpenTickets = ({
  of: { spaceId, elementId },
}: {
  readonly of: Scanned;
}): JSX.Element => {
  const { api } = usePortal();
  const tickets = useLoaded(
    async (signal) => {
      const place = elementId === null ? { spaceId: spaceId! } : { elementId };
      const filters: Filters = { ...place, state: OPEN_STATES };
      const query = { ...filters, sort: '-priority' as const, limit: ROWS };
      return (await api.GET('/api/service-desk/requests', { params: { query }, signal })).data;
    },
    [api, spaceId, elementId],
  );
  return (
    <Card title="Open tickets here">
      <Show of={tickets}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="faint">None</p>
          ) : (
            <ul class="related">
              {items.map((ticket) => (
                <li key={ticket.id}>
                  <a href={to(['tickets', ticket.id])}>{titleOf(ticket)}</a>
                  <span class="faint small nowrap">{ticket.number}</span>
                  <StateBadge of={ticket.state} />
                  <PriorityBadge of={ticket.priority} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Card>
  );
};
