/** "My reports": sent reports, newest first, and those that wait in the outbox. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import { Badge, PageHead, Pager } from '../../ui/content.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { Ago } from '../../ui/times.tsx';
import { titleOf, type Ticket } from '../tickets/words.tsx';
import { Unsent } from './unsent.tsx';
import { statusOf } from './words.ts';

const PAGE = 25;
/** The poll interval while the page is visible, in milliseconds. */
const LOOK_MS = 30_000;

export const MyReports = (): JSX.Element => {
  const { api } = usePortal();
  const [page, setPage] = useState(1);
  const tickets = useLoaded(
    async (signal) => {
      const params = { query: { limit: PAGE, page } };
      return (await api.GET('/api/service-desk/requests', { params, signal })).data;
    },
    [api, page],
  );
  useEvery(LOOK_MS, tickets.poll);
  return (
    <>
      <PageHead title="My reports">
        <a class="button primary" href={to(['report'])}>
          Report something
        </a>
      </PageHead>
      <Unsent onSent={tickets.reload} />
      <Show of={tickets}>
        {({ items, total }) => (
          <>
            {items.length === 0 ? (
              <Empty title="You have reported nothing yet" />
            ) : (
              <ul class="my-reports">
                {items.map((ticket) => (
                  <Row key={ticket.id} of={ticket} />
                ))}
              </ul>
            )}
            {total > PAGE && <Pager page={page} limit={PAGE} total={total} onPage={setPage} />}
          </>
        )}
      </Show>
    </>
  );
};

const Row = ({ of: ticket }: { readonly of: Ticket }): JSX.Element => {
  const { title, tone } = statusOf[ticket.state];
  return (
    <li>
      <a href={to(['mine', ticket.id])}>
        <span class="my-report-title">{titleOf(ticket)}</span>
        <Badge tone={tone}>{title}</Badge>
        <span class="faint small">
          {ticket.number} · <Ago at={ticket.createdAt} />
        </span>
      </a>
    </li>
  );
};
