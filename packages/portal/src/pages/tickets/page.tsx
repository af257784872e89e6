import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { Board } from './board.tsx';
import { TicketAt } from './address.tsx';
import { TicketList } from './list.tsx';

export const TicketsPage = (): JSX.Element => {
  const {
    path: [, part],
  } = useRoute();
  if (part === undefined) return <TicketList />;
  if (part === 'board') return <Board />;
  return <TicketAt key={part} part={part} />;
};
