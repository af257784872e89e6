import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useRoute } from '../../router.ts';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Board } from './board.tsx';
import { TicketList } from './list.tsx';

const TicketAt = lazyPage(async () => (await import('./address.tsx')).TicketAt);

export const TicketsPage = (): JSX.Element => {
  // The list is rendered before the script of a single ticket is fetched.
  useEffect(TicketAt.preload, []);
  const {
    path: [, part],
  } = useRoute();
  if (part === undefined) return <TicketList />;
  if (part === 'board') return <Board />;
  return <TicketAt key={part} part={part} />;
};
