import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { lazyPage } from '../../ui/lazy-page.tsx';
import type { Ticket } from './words.tsx';

const ReadingsOfRoom = lazyPage(async () => (await import('./room-readings.tsx')).ReadingsOfRoom);

/** Readings of the ticket's room when it was raised; renders nothing without a room. */
export const TicketReadings = ({
  of: { buildingId, storeyId, spaceId, createdAt },
}: {
  readonly of: Ticket;
}): JSX.Element | null => {
  const { may } = usePortal();
  if (spaceId === null || storeyId === null || !may('platform.buildings:read')) return null;
  return <ReadingsOfRoom key={spaceId} of={{ buildingId, storeyId, spaceId, createdAt }} />;
};
