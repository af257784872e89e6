/** One fault: what was found, where, and its ticket. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge, Card, Facts, useTitle } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import { TicketPlace } from '../tickets/place.tsx';
import type { OfBuilding } from './detail.tsx';
import { FaultState } from './fault-state.tsx';
import { FaultTicket, useTicketsOfFaults } from './fault-ticket.tsx';
import { reading } from './readings.ts';

export const FaultDetail = ({
  buildingId,
  faultId,
}: OfBuilding & { readonly faultId: string }): JSX.Element => {
  const { api, may } = usePortal();
  const found = useLoaded(
    async (signal) => {
      const of = { buildingId, faultId };
      const path = '/api/v1/buildings/{buildingId}/faults/{faultId}';
      const fault = (await api.GET(path, { params: { path: of }, signal })).data;
      const { pointId } = fault;
      const point = await api.GET('/api/v1/buildings/{buildingId}/points/{pointId}', {
        params: { path: { buildingId, pointId } },
        signal,
      });
      return { fault, point: point.data };
    },
    [api, buildingId, faultId],
  );
  useTicketsOfFaults(buildingId, found.reload);
  useTitle(found.data?.fault.title);
  return (
    <>
      <p>
        <a class="above" href={to(['buildings', buildingId, 'faults'])}>
          ← Faults
        </a>
      </p>
      <Show of={found}>
        {({ fault, point }) => (
          <div class="columns">
            <Card title={fault.title}>
              <Facts
                of={[
                  ['Severity', <Badge tone="warn">{fault.severity}</Badge>],
                  [
                    'Point',
                    <a href={to(['buildings', buildingId, 'points', fault.pointId])}>
                      {point.name}
                    </a>,
                  ],
                  [
                    'Value',
                    fault.value === null ? 'never observed' : reading(fault.value, point.unit),
                  ],
                  ['Opened', <At at={fault.openedAt} />],
                  ['Closed', <FaultState of={fault} />],
                  ['Flapped', fault.flapCount === undefined ? null : `${fault.flapCount} times`],
                  ...(may('service-desk.tickets:read')
                    ? [['Ticket', <FaultTicket buildingId={buildingId} of={fault} />] as const]
                    : []),
                ]}
              />
            </Card>
            <TicketPlace of={{ buildingId, storeyId: point.storeyId, spaceId: point.spaceId }} />
          </div>
        )}
      </Show>
    </>
  );
};
