/** The fault that a ticket was raised for. */
import type { JSX } from 'preact';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge, Card, Facts } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import { FaultState } from '../buildings/fault-state.tsx';
import type { Ticket } from './words.tsx';

/** Renders nothing for a ticket without a fault. */
export const TicketFault = ({ of }: { readonly of: Ticket }): JSX.Element | null => {
  const { may } = usePortal();
  if (of.faultId === null || !may('platform.buildings:read')) return null;
  return (
    <Card title="Fault">
      {/* The fault may have closed with the latest change of the ticket. */}
      <Fault key={of.revision} buildingId={of.buildingId} faultId={of.faultId} />
    </Card>
  );
};

const Fault = ({
  buildingId,
  faultId,
}: {
  readonly buildingId: string;
  readonly faultId: string;
}): JSX.Element => {
  const { api } = usePortal();
  const fault = useLoaded(
    async (signal) => {
      const params = { path: { buildingId, faultId } };
      const path = '/api/v1/buildings/{buildingId}/faults/{faultId}';
      try {
        return (await api.GET(path, { params, signal })).data;
      } catch (error) {
        if (AtriumError.is(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    [api, buildingId, faultId],
  );
  return (
    <Show of={fault}>
      {(found) =>
        found === null ? (
          <p class="faint small">The fault was deleted with its point.</p>
        ) : (
          <Facts
            of={[
              [
                'Fault',
                <a href={to(['buildings', buildingId, 'faults', faultId])}>{found.title}</a>,
              ],
              ['Severity', <Badge tone="warn">{found.severity}</Badge>],
              ['Opened', <At at={found.openedAt} />],
              ['Closed', <FaultState of={found} />],
              [
                'Readings',
                <a href={to(['buildings', buildingId, 'points', found.pointId])}>Of its point</a>,
              ],
            ]}
          />
        )
      }
    </Show>
  );
};
