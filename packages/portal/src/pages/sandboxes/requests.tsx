import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pause } from '../../../../sdk/src/retries.ts';
import { usePortal } from '../../context.ts';
import type { Api, Schemas } from '../../session/requests.ts';
import { Badge, Card, Table, type Column, type Tone } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty, Trouble } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import type { Sandbox } from './list.tsx';

type Logged = Schemas['SandboxRequest'];

const KEPT_MAX = 500;
const SHOWN_MAX = 50;
const WAIT_S = 20;
/** The delay after a failure. */
const PAUSE_MS = 5_000;

const STATUSES = [
  ['', 'All'],
  ['2', 'Done (2xx)'],
  ['4', 'Refused (4xx)'],
  ['5', 'Failed (5xx)'],
] as const;

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

const columns: readonly Column<Logged>[] = [
  { name: 'Time', cell: ({ at }) => <At at={at} /> },
  {
    name: 'Request',
    cell: ({ method, route }) => (
      <code>
        {method} {route}
      </code>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Badge tone={toneOf(status)}>{status}</Badge> },
  { name: 'ms', cell: ({ ms }) => ms, isNumber: true },
  { name: 'Key', cell: ({ keyId }) => keyId && <code>{keyId}</code> },
  { name: 'Request id', cell: ({ requestId }) => <code class="small">{requestId}</code> },
];

/**
 * The requests to a sandbox's host: those of the last day, and new ones as they arrive. Newest
 * first.
 */
export const SandboxRequests = ({ of: { sandboxId } }: { readonly of: Sandbox }): JSX.Element => {
  const { api } = usePortal();
  const { requests, error } = useRequests(api, sandboxId);
  const [chosen, setChosen] = useState('');
  const shown = requests
    .filter(({ status }) => String(status).startsWith(chosen))
    .slice(0, SHOWN_MAX);
  return (
    <Card title="Requests of the last day">
      <div class="stack">
        <SelectField label="Status" value={chosen} onValue={setChosen} choices={STATUSES} />
        <Trouble error={error} />
        {shown.length === 0 ? (
          <Empty title="No requests" />
        ) : (
          <Table
            caption="Requests"
            columns={columns}
            rows={shown}
            keyOf={({ requestId, at }) => `${at} ${requestId}`}
          />
        )}
      </div>
    </Card>
  );
};

const useRequests = (api: Api, id: string) => {
  const [requests, setRequests] = useState<readonly Logged[]>([]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const follow = async () => {
      let after = '0';
      while (!signal.aborted) {
        const query = { after, wait: WAIT_S, limit: KEPT_MAX };
        try {
          const { data } = await api.GET('/api/v1/sandboxes/{id}/requests', {
            params: { path: { id }, query },
            signal,
          });
          const newest = data.items.toReversed();
          setRequests((last) => [...newest, ...last].slice(0, KEPT_MAX));
          setError(undefined);
          after = data.nextCursor;
        } catch (failure) {
          if (signal.aborted) return;
          setError(failure);
          await pause(PAUSE_MS, signal);
        }
      }
    };
    // The loop ends only when the page is left.
    follow().catch(() => {});
    return () => leaving.abort();
  }, [api, id]);
  return { requests, error };
};
