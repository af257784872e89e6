import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Button, Confirm } from '../../ui/controls.tsx';
import { Show } from '../../ui/notices.tsx';
import { Ago, At } from '../../ui/times.tsx';
import { browserName } from './browser-name.ts';

type ListedSession = Schemas['SessionList']['items'][number];

/** The sessions to end. */
type Asked = { readonly title: string; readonly ends: readonly ListedSession[] };

/** The browsers in which the person has signed in. */
export const SessionsPage = (): JSX.Element => {
  const { api, say } = usePortal();
  const [asked, setAsked] = useState<Asked | null>(null);
  const sessions = useLoaded(
    async (signal) => (await api.GET('/session/list', { signal })).data.items,
    [api],
  );
  const close = () => setAsked(null);
  const ending = useSubmission(async () => {
    const ends = asked?.ends ?? [];
    for (const { sessionId } of ends)
      await api.DELETE('/session/{sessionId}', { params: { path: { sessionId } } });
    say(ends.length === 1 ? 'The session has ended.' : `${ends.length} sessions have ended.`);
    close();
    sessions.reload();
  });
  const columns: readonly Column<ListedSession>[] = [
    {
      name: 'Browser',
      cell: ({ userAgent, isCurrent }) => (
        <>
          {browserName(userAgent)} {isCurrent && <Badge tone="good">this one</Badge>}
        </>
      ),
    },
    { name: 'Address', cell: ({ origin }) => <code class="nowrap">{new URL(origin).host}</code> },
    { name: 'Signed in', cell: ({ createdAt }) => <At at={createdAt} /> },
    { name: 'From', cell: ({ sourceIp }) => <code class="nowrap">{sourceIp}</code> },
    // Sessions are the main platform's, at a sandbox too.
    { name: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} now={Date.now()} /> },
    { name: 'Ends', cell: ({ expiresAt }) => <Ago at={expiresAt} now={Date.now()} /> },
    {
      name: 'End',
      cell: (session) =>
        !session.isCurrent && (
          <Button
            label={`End the session of ${browserName(session.userAgent)}`}
            onPress={() => setAsked({ title: 'End this session?', ends: [session] })}
          >
            End
          </Button>
        ),
    },
  ];
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <>
      <PageHead title="My sessions" lead="The browsers in which you have signed in.">
        <Button
          kind="danger"
          isDisabled={others.length === 0}
          onPress={() => setAsked({ title: 'End all other sessions?', ends: others })}
        >
          End all others
        </Button>
      </PageHead>
      <Show of={sessions}>
        {(items) => (
          <Table
            caption="My sessions"
            columns={columns}
            rows={items}
            keyOf={({ sessionId }) => sessionId}
          />
        )}
      </Show>
      {asked && (
        <Confirm
          title={asked.title}
          words={
            'You will have to sign in again in those browsers. Text typed there stays on ' +
            'the page.'
          }
          submitLabel="End"
          of={ending}
          onClose={close}
        />
      )}
    </>
  );
};
