/** The previous and the next ticket in the list that this one was opened from. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { listOf } from '../../history.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { LIST_LIMIT } from './limits.ts';
import { askedIn } from './query.ts';
import { titleOf, type Ticket } from './words.tsx';

export const Neighbours = ({ id }: { readonly id: string }): JSX.Element | null => {
  const { api } = usePortal();
  const list = listOf('tickets');
  const { data } = useLoaded(
    async (signal) => {
      const query = new URLSearchParams(list.split('?', 2)[1]);
      const { filters, sort } = askedIn(query);
      const page = Number(query.get('page') ?? 1);
      const ticketsOf = async (page: number): Promise<readonly Ticket[]> => {
        if (page < 1) return [];
        const params = { query: { ...filters, sort, page, limit: LIST_LIMIT } };
        return (await api.GET('/api/service-desk/requests', { params, signal })).data.items;
      };
      const tickets = await ticketsOf(page);
      const at = tickets.findIndex((ticket) => ticket.id === id);
      if (at === -1) return { previous: undefined, next: undefined };
      const previous = at > 0 ? tickets[at - 1] : (await ticketsOf(page - 1)).at(-1);
      const isLast = at === tickets.length - 1;
      const next = isLast ? (await ticketsOf(page + 1))[0] : tickets[at + 1];
      return { previous, next };
    },
    [api, id, list],
  );
  if (data === undefined || (!data.previous && !data.next)) return null;
  return (
    <nav class="row neighbours" aria-label="Tickets of the list">
      {data.previous && <Neighbour of={data.previous} word="Previous" />}
      {data.next && <Neighbour of={data.next} word="Next" />}
    </nav>
  );
};

const Neighbour = ({
  of,
  word,
}: {
  readonly of: Ticket;
  readonly word: 'Previous' | 'Next';
}): JSX.Element => (
  <a
    class="button"
    href={to(['tickets', of.id])}
    aria-label={`${word}: ${of.number}`}
    title={`${of.number} ${titleOf(of)}`}
  >
    {word}
  </a>
);
