import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { Board } from './board.tsx';
import { TicketDetail } from './detail.tsx';
import { TicketList } from './list.tsx';

export const TicketsPage = (): JSX.Element => {
  const {
    path: [, part],
  } = useRoute();
  if (part === undefined) return <TicketList />;
  if (part === 'board') return <Board />;
  return <TicketDetail key={part} id={part} />;
};
