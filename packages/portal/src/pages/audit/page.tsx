import { Fragment, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { download } from '../../download.ts';
import { useEvery, useLoaded, useSubmission } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import { Actor, Badge, CursorPager, PageHead, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { Empty, Show, Trouble } from '../../ui/notices.tsx';
import { At, instantOf, localInput } from '../../ui/times.tsx';
import { filtersIn, type AuditFilters } from './filters.ts';
import { REASONS, type AuditRecord } from './timeline.tsx';

const LIMIT = 50;
const FOLLOW_MS = 2_000;

const columns: readonly Column<AuditRecord>[] = [
  { name: 'Time', cell: ({ at }) => <At at={at} /> },
  {
    name: 'Action',
    cell: ({ action, outcome, count }) => (
      <span class="row">
        <Badge tone={outcome === 'denied' ? 'bad' : 'good'}>{outcome}</Badge>
        {action}
        {(count ?? 1) > 1 && <Badge tone="warn">× {count!.toLocaleString('en')}</Badge>}
      </span>
    ),
  },
  {
    name: 'Key',
    cell: ({ keyId, label, reason }) => (
      <>
        {keyId === null ? (
          <span class="faint">none</span>
        ) : (
          <a href={to(['audit'], { keyId })}>{label ?? keyId}</a>
        )}
        {reason && <span class="faint small"> {REASONS[reason]}</span>}
      </>
    ),
  },
  { name: 'Route', cell: ({ route }) => route && <Path of={route} /> },
  {
    name: 'Actor',
    cell: ({ actor, keyId }) =>
      actor !== null && actor.id === keyId ? (
        <span class="faint nowrap">the key</span>
      ) : (
        <span class="words">
          <Actor of={actor} />
        </span>
      ),
  },
  {
    name: 'From',
    cell: ({ sourceIp, userAgent }) => (
      <span class="nowrap" title={userAgent ?? undefined}>
        {sourceIp}
      </span>
    ),
  },
];

/** A path that breaks at its slashes. */
const Path = ({ of }: { readonly of: string }): JSX.Element => (
  <code class="words">
    {of.split('/').map((part, at) => (
      <Fragment key={at}>
        {at > 0 && '/'}
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </code>
);

export const AuditPage = (): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const filters = filtersIn(route.query);
  const filterKey = JSON.stringify(filters);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [isFollowing, setFollowing] = useState(false);
  useEffect(() => setCursors([]), [filterKey]);
  const cursor = cursors.at(-1);
  const page = useLoaded(
    async (signal) => {
      const query = { ...filters, limit: LIMIT, ...(cursor !== undefined && { cursor }) };
      return (await api.GET('/api/v1/keys/audit', { params: { query }, signal })).data;
    },
    [api, filterKey, cursor],
  );
  useEvery(isFollowing && cursors.length === 0 ? FOLLOW_MS : null, page.poll);
  const path = `/api/v1/keys/audit?${new URLSearchParams({ ...filters }).toString()}`;
  const csv = useSubmission(() => download(api, path, 'text/csv', 'audit'));
  const ndjson = useSubmission(() => download(api, path, 'application/x-ndjson', 'audit'));
  return (
    <>
      <PageHead
        title="Audit"
        lead="Every creation, use, refusal and revocation of an API key, kept for 18 months."
      >
        <Button icon="download" onPress={csv.submit} isBusy={csv.isBusy}>
          CSV
        </Button>
        <Button icon="download" onPress={ndjson.submit} isBusy={ndjson.isBusy}>
          NDJSON
        </Button>
      </PageHead>
      <Trouble error={csv.error ?? ndjson.error} />
      <Filters filters={filters} onValue={(query) => ask(route, query)}>
        <CheckField label="Follow live" isChecked={isFollowing} onValue={setFollowing} />
      </Filters>
      <Show of={page}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title="Nothing to show">
              <p>No record matches these filters.</p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Audit records"
                columns={columns}
                rows={items}
                keyOf={({ id }) => id}
              />
              <CursorPager cursors={cursors} next={nextCursor} onCursors={setCursors} />
            </>
          )
        }
      </Show>
    </>
  );
};

/** An invalid time in the address is shown as a blank field. */
const inputOf = (at: string | undefined): string =>
  at === undefined || Number.isNaN(Date.parse(at)) ? '' : localInput(new Date(at));

const ACTIONS = [
  ['', 'All actions'],
  ['key.issued', 'key.issued'],
  ['key.used', 'key.used'],
  ['key.revoked', 'key.revoked'],
] as const;

const OUTCOMES = [
  ['', 'All outcomes'],
  ['allowed', 'allowed'],
  ['denied', 'denied'],
] as const;

const Filters = ({
  filters,
  onValue,
  children,
}: {
  readonly filters: AuditFilters;
  readonly onValue: (query: Readonly<Record<string, string | null>>) => void;
  readonly children: JSX.Element;
}): JSX.Element => {
  const [keyId, setKeyId] = useState(filters.keyId ?? '');
  const [from, setFrom] = useState(inputOf(filters.from));
  const [to, setTo] = useState(inputOf(filters.to));
  useEffect(() => setKeyId(filters.keyId ?? ''), [filters.keyId]);
  useEffect(() => setFrom(inputOf(filters.from)), [filters.from]);
  useEffect(() => setTo(inputOf(filters.to)), [filters.to]);
  const typed = { keyId, from: instantOf(from), to: instantOf(to) };
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        onValue(typed);
      }}
    >
      <SelectField
        label="Action"
        value={filters.action ?? ''}
        choices={ACTIONS}
        onValue={(action) => onValue({ ...typed, action })}
      />
      <SelectField
        label="Outcome"
        value={filters.outcome ?? ''}
        choices={OUTCOMES}
        onValue={(outcome) => onValue({ ...typed, outcome })}
      />
      <TextField label="Key id" value={keyId} onValue={setKeyId} />
      <TextField label="From" type="datetime-local" value={from} onValue={setFrom} />
      <TextField label="To" type="datetime-local" value={to} onValue={setTo} />
      <button type="submit" class="button">
        Filter
      </button>
      {Object.keys(filters).length > 0 && (
        <Button
          kind="quiet"
          onPress={() => {
            setKeyId('');
            setFrom('');
            setTo('');
            onValue({ action: null, outcome: null, keyId: null, from: null, to: null });
          }}
        >
          Clear
        </Button>
      )}
      {children}
    </form>
  );
};
