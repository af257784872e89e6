import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge, Card } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import type { OfBuilding } from './detail.tsx';
import { FaultState } from './fault-state.tsx';
import { FaultTicket, useTicketsOfFaults } from './fault-ticket.tsx';
import { reading, type Point } from './readings.ts';

/** Faults of the room that are searched for those of the point. */
const READ = 200;
const ROWS = 8;

/** The latest faults of a point; renders nothing without any. */
export const PointFaults = ({
  buildingId,
  of: { id, spaceId, unit },
}: OfBuilding & { readonly of: Point }): JSX.Element => {
  const { api } = usePortal();
  const faults = useLoaded(
    async (signal) => {
      const query = { limit: READ, ...(spaceId !== null && { spaceId }) };
      const params = { path: { buildingId }, query };
      const path = '/api/v1/buildings/{buildingId}/faults';
      const { items } = (await api.GET(path, { params, signal })).data;
      return items.filter(({ pointId }) => pointId === id).slice(0, ROWS);
    },
    [api, buildingId, id, spaceId],
  );
  useTicketsOfFaults(buildingId, faults.reload);
  return (
    <Show of={faults}>
      {(found) =>
        found.length > 0 && (
          <Card title="Faults">
            <ul class="related">
              {found.map((fault) => (
                <li key={fault.faultId}>
                  <a href={to(['buildings', buildingId, 'faults', fault.faultId])}>{fault.title}</a>
                  <Badge tone="warn">{fault.severity}</Badge>
                  {fault.value !== null && (
                    <strong class="nowrap">{reading(fault.value, unit)}</strong>
                  )}
                  <span class="faint small">
                    <At at={fault.openedAt} />
                    {fault.closedAt !== null && ' to '}
                  </span>
                  <FaultState of={fault} />
                  <FaultTicket buildingId={buildingId} of={fault} />
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Show>
  );
};
