import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { Card } from '../../ui/content.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import type { Ticket } from './words.tsx';

const SmallPlan = lazyPage(async () => (await import('../plan/small.tsx')).SmallPlan);

/** The room of a ticket or fault on the plan; renders nothing without a room. */
export const TicketPlace = ({
  of: { buildingId, storeyId, spaceId },
}: {
  readonly of: Pick<Ticket, 'buildingId' | 'storeyId' | 'spaceId'>;
}): JSX.Element | null => {
  const { may } = usePortal();
  if (spaceId === null || storeyId === null || !may('platform.buildings:read')) return null;
  return (
    <Card title="Place">
      <SmallPlan key={spaceId} buildingId={buildingId} storeyId={storeyId} spaceId={spaceId} />
    </Card>
  );
};
