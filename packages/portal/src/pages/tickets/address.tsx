/** `#/tickets/SR-000004`: a ticket by its number. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Empty, Show } from '../../ui/notices.tsx';
import { TicketDetail } from './detail.tsx';

const NUMBER = /^SR-\d+$/i;

export const TicketAt = ({ part }: { readonly part: string }): JSX.Element =>
  NUMBER.test(part) ? <ByNumber number={part.toUpperCase()} /> : <TicketDetail id={part} />;

const ByNumber = ({ number }: { readonly number: string }): JSX.Element => {
  const { api } = usePortal();
  const found = useLoaded(
    async (signal) => {
      const params = { query: { number, limit: 1 } };
      const { data } = await api.GET('/api/service-desk/requests', { params, signal });
      return data.items[0] ?? null;
    },
    [api, number],
  );
  return (
    <Show of={found}>
      {(ticket) =>
        ticket === null ? (
          <Empty isPage title={`There is no ticket ${number}`}>
            <a href={to(['tickets'])}>All tickets</a>
          </Empty>
        ) : (
          <TicketDetail id={ticket.id} />
        )
      }
    </Show>
  );
};
