/** One report: its status, what happened, and what its reporter can do. contract.md section 5. */
import type { JSX } from 'preact';
import { useCallback, useRef } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useEvery, useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Api, Schemas } from '../../session/requests.ts';
import { Card, PageHead } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import { titleOf, type State } from '../tickets/words.tsx';
import { AddNote } from './add-note.tsx';
import { Attached } from './attached.tsx';
import { Decide } from './decide.tsx';
import { Happened } from './happened.tsx';
import { Rate } from './rate.tsx';
import { Unsent } from './unsent.tsx';
import { statusOf } from './words.ts';

/** The poll interval while the page is visible, in milliseconds. */
const LOOK_MS = 15_000;
const UPDATES_PAGE = 500;

export interface Report {
  readonly ticket: Schemas['Ticket'];
  readonly entries: readonly Schemas['TimelineEntry'][];
  readonly attachments: readonly Schemas['Attachment'][];
  /** The states that its reporter may move it to. */
  readonly allowed: readonly State[];
  /** Of the ticket. */
  readonly etag: string | null;
}

export const OneReport = ({ id }: { readonly id: string }): JSX.Element => {
  const { api } = usePortal();
  const latest = useRef<Report | null>(null);
  const report = useLoaded<Report>(
    async (signal) => {
      const path = { id };
      const cached = latest.current?.etag;
      const header = cached && { 'If-None-Match': cached };
      const { data: ticket, response } = await api.GET('/api/service-desk/requests/{id}', {
        params: { path, ...(header && { header }) },
        signal,
      });
      // A 304: it is unchanged.
      if (ticket === undefined) return latest.current!;
      const params = { path };
      const [entries, list, moves] = await Promise.all([
        entriesOf(api, id, signal),
        api.GET('/api/service-desk/requests/{id}/attachments', { params, signal }),
        api.GET('/api/service-desk/requests/{id}/transitions', { params, signal }),
      ]);
      const { allowed } = moves.data;
      const etag = response.headers.get('etag');
      return (latest.current = { ticket, entries, attachments: list.data.items, allowed, etag });
    },
    [api, id],
  );
  useEvery(LOOK_MS, report.poll);
  const again = useCallback(() => {
    // A photo does not change the revision of the ticket, so the load must be unconditional.
    latest.current = null;
    report.reload();
  }, [report.reload]);
  return (
    <Show of={report}>
      {({ ticket, entries, attachments, allowed }) => {
        const { title, detail, tone } = statusOf[ticket.state];
        return (
          <article class="my-report">
            <PageHead
              title={titleOf(ticket)}
              pageTitle={`${ticket.number} ${titleOf(ticket)}`}
              above={[to(['mine']), 'My reports']}
              lead={
                <>
                  <strong>{ticket.number}</strong>, <At at={ticket.createdAt} />
                </>
              }
            />
            <section class={`status ${tone}`} aria-live="polite">
              <h2>{title}</h2>
              <p>{detail}</p>
              <Decide of={{ ticket, allowed }} onDone={again} />
            </section>
            <Rate of={ticket} onDone={again} />
            <Unsent ticketId={id} onSent={again} />
            <Card title="What happened">
              <Happened of={entries} ticket={ticket} />
            </Card>
            <Attached of={attachments} ticketId={id} />
            <AddNote ticketId={id} onAdded={again} />
          </article>
        );
      }}
    </Show>
  );
};

const entriesOf = async (api: Api, id: string, signal: AbortSignal): Promise<Report['entries']> => {
  const entries: Report['entries'][number][] = [];
  const request = { params: { path: { id }, query: { limit: UPDATES_PAGE } }, signal };
  for await (const entry of api.items('/api/service-desk/requests/{id}/updates', request))
    entries.push(entry);
  return entries;
};
