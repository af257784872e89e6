import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useSubmission } from '../../loading.ts';
import { to } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Card, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField } from '../../ui/fields.tsx';
import { fieldErrorsOf } from '../../ui/error-words.ts';
import { Empty, Trouble } from '../../ui/notices.tsx';
import { when } from '../../ui/times.tsx';
import { stateName } from '../tickets/words.tsx';
import type { Configuration } from './document.ts';

type Trial = Schemas['ConfigurationTrialResult'];
type Tried = Trial['items'][number];
type Outcome = Tried['before'];

/** The label of each member of an outcome, and the format of its values. */
const MEMBERS: readonly (readonly [
  string,
  (of: Outcome, configuration: Configuration) => string,
])[] = [
  ['Priority', ({ priority }) => priority],
  ['State', ({ state }) => stateName[state]],
  [
    'Team',
    ({ assignedTeamId: id }, { directory }) =>
      directory?.teams.find(({ teamId }) => teamId === id)?.name ?? id ?? 'none',
  ],
  [
    'Person',
    ({ assignedUserId: id }, { directory }) =>
      directory?.users.find(({ userId }) => userId === id)?.name ?? id ?? 'nobody',
  ],
  ['Service level', ({ slaPolicy }) => slaPolicy ?? 'by its priority'],
  ['First response', ({ slaFirstResponseDueAt: at }) => (at === null ? 'no clock' : when(at))],
  ['Resolution', ({ slaResolutionDueAt: at }) => (at === null ? 'no clock' : when(at))],
];

/** What the unsaved configuration would have done with the latest tickets. */
export const Trials = ({
  of,
  onRefused,
}: {
  readonly of: Configuration;
  /** Called with the error of a refused configuration. */
  readonly onRefused: (error: unknown) => void;
}): JSX.Element => {
  const { api } = usePortal();
  const [result, setResult] = useState<Trial | null>(null);
  const [isAll, setAll] = useState(false);
  const trying = useSubmission(async () => {
    onRefused(undefined);
    const path = '/api/service-desk/configuration/try';
    setResult((await api.POST(path, { body: { configuration: of } })).data);
  });
  useEffect(() => {
    if (trying.error !== undefined) onRefused(trying.error);
  }, [trying.error]);
  const changed = result?.items.filter(({ isChanged }) => isChanged) ?? [];
  return (
    <Card
      title="Try it on the last 100 tickets"
      actions={
        <Button kind="primary" onPress={trying.submit} isBusy={trying.isBusy}>
          Try it
        </Button>
      }
    >
      <p class="faint small below">
        Simulates the creation of each ticket with the saved configuration and with this one.
        Nothing is changed. A priority that a rule raised before release 0.2 counts as the ticket’s
        own.
      </p>
      {fieldErrorsOf(trying.error).length === 0 && <Trouble error={trying.error} />}
      {result && (
        <div role="status">
          <p class="below">
            <strong>
              {changed.length} of {result.items.length}
            </strong>{' '}
            tickets would have had another outcome.
          </p>
          {result.warnings.map((warning) => (
            <p key={warning} class="notice">
              {warning}
            </p>
          ))}
          {result.items.length > changed.length && (
            <p class="below">
              <CheckField label="Show the others too" isChecked={isAll} onValue={setAll} />
            </p>
          )}
        </div>
      )}
      {result &&
        (isAll || changed.length > 0 ? (
          <Table
            caption="Tickets and the differences in their outcome"
            columns={columnsOf(of)}
            rows={isAll ? result.items : changed}
            keyOf={({ ticketId }) => ticketId}
          />
        ) : (
          <Empty title="No ticket would have had another outcome" />
        ))}
    </Card>
  );
};

const columnsOf = (configuration: Configuration): readonly Column<Tried>[] => [
  {
    name: 'Ticket',
    cell: ({ ticketId, number, title }) => (
      <span>
        <a class="nowrap" href={to(['tickets', ticketId])}>
          {number}
        </a>{' '}
        {title}
      </span>
    ),
  },
  {
    name: 'Otherwise',
    cell: ({ before, after }) => <Differences {...{ before, after, configuration }} />,
  },
];

const Differences = ({
  before,
  after,
  configuration,
}: {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly configuration: Configuration;
}): JSX.Element => {
  const changes = MEMBERS.map(
    ([name, words]) => [name, words(before, configuration), words(after, configuration)] as const,
  ).filter(([, was, is]) => was !== is);
  const isRuled = before.ruleIds.join('\n') !== after.ruleIds.join('\n');
  if (changes.length === 0)
    return <span class="faint">{isRuled ? 'other rules, the same outcome' : 'as it was'}</span>;
  return (
    <ul class="differences">
      {changes.map(([name, was, is]) => (
        <li key={name}>
          <span class="faint">{name}:</span> <s>{was}</s> <span aria-hidden="true">→</span>{' '}
          <strong>{is}</strong>
        </li>
      ))}
    </ul>
  );
};
