/** The parameters of a report; the address holds all of them. */
import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { Button } from '../../ui/controls.tsx';
import { SelectField, TextField, type Choice } from '../../ui/fields.tsx';
import { useBuildings, useElements, useSpaces, useStoreys } from '../places.ts';
import { usePeople } from '../tickets/people.ts';
import { FIGURES, reportNames, REPORTS, type ReportName } from './figures.ts';
import { PERIODS, periodOf } from './period.ts';
import { readReport } from './reading.ts';

/** The filters of this page; others in the address are ignored. */
const FILTERS = [
  'buildingId',
  'storeyId',
  'spaceId',
  'elementId',
  'category',
  'assignedTeamId',
  'priority',
] as const;

/** `null`: not set. */
export const filtersIn = (query: URLSearchParams) =>
  Object.fromEntries(FILTERS.map((name) => [name, query.get(name)])) as Readonly<
    Record<(typeof FILTERS)[number], string | null>
  >;

const GROUPS = [
  ['', 'Nothing'],
  ['building', 'Building'],
  ['storey', 'Storey'],
  ['space', 'Room'],
  ['category', 'Category'],
  ['team', 'Team'],
  ['elementType', 'Element type'],
  ['priority', 'Priority'],
] as const;

const INTERVALS = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const;

const PRIORITIES = [
  ['', 'All'],
  ['critical', 'Critical'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
] as const;

type Ask = (query: Readonly<Record<string, string | null>>) => void;

export const ReportToolbar = ({
  report,
  query,
  figure,
  interval,
  onValue,
}: {
  readonly report: ReportName;
  readonly query: URLSearchParams;
  readonly figure: string;
  readonly interval: string;
  readonly onValue: Ask;
}): JSX.Element => {
  const groupBy = query.get('groupBy') ?? '';
  const period = query.get('period') ?? PERIODS[0][0];
  const days = periodOf(query);
  return (
    <>
      <div class="toolbar">
        <SelectField
          label="Report"
          value={report}
          choices={reportNames.map((name) => [name, REPORTS[name]])}
          onValue={(name) => onValue({ report: name, figure: null })}
        />
        <SelectField
          label="Period"
          value={period}
          choices={PERIODS}
          onValue={(name) =>
            onValue({
              period: name,
              interval: null,
              ...(name === 'custom' ? days : { from: null, to: null }),
            })
          }
        />
        {period === 'custom' && (
          <>
            <TextField
              label="From"
              type="date"
              value={days.from}
              onValue={(from) => from && onValue({ from, interval: null })}
            />
            <TextField
              label="To"
              type="date"
              value={days.to}
              onValue={(to) => to && onValue({ to, interval: null })}
            />
          </>
        )}
        <SelectField
          label="By"
          value={interval}
          choices={INTERVALS}
          onValue={(name) => onValue({ interval: name })}
        />
        <SelectField
          label="Group by"
          value={groupBy}
          choices={GROUPS}
          onValue={(name) => onValue({ groupBy: name })}
        />
        {groupBy !== '' && (
          <SelectField
            label="Figure"
            value={figure}
            choices={FIGURES[report].map(({ name, label }) => [name, label])}
            onValue={(name) => onValue({ figure: name })}
          />
        )}
      </div>
      <Filters query={query} onValue={onValue} />
    </>
  );
};

const Filters = ({
  query,
  onValue,
}: {
  readonly query: URLSearchParams;
  readonly onValue: Ask;
}): JSX.Element => {
  const value = (name: (typeof FILTERS)[number]) => query.get(name) ?? '';
  const [buildingId, storeyId, spaceId] = [
    value('buildingId'),
    value('storeyId'),
    value('spaceId'),
  ];
  const buildings = useBuildings();
  const storeys = useStoreys(buildingId);
  const spaces = useSpaces(buildingId, storeyId);
  const elements = useElements(buildingId, { storeyId, spaceId });
  const { teams } = usePeople();
  const categories = useCategories(query);
  return (
    <div class="toolbar">
      <SelectField
        label="Building"
        value={buildingId}
        choices={withAll(buildings, buildingId)}
        onValue={(id) =>
          onValue({ buildingId: id, storeyId: null, spaceId: null, elementId: null })
        }
      />
      {buildingId !== '' && (
        <SelectField
          label="Storey"
          value={storeyId}
          choices={withAll(storeys, storeyId)}
          onValue={(id) => onValue({ storeyId: id, spaceId: null, elementId: null })}
        />
      )}
      {storeyId !== '' && (
        <>
          <SelectField
            label="Room"
            value={spaceId}
            choices={withAll(spaces, spaceId)}
            onValue={(id) => onValue({ spaceId: id, elementId: null })}
          />
          <SelectField
            label="Element"
            value={value('elementId')}
            choices={withAll(elements, value('elementId'))}
            onValue={(elementId) => onValue({ elementId })}
          />
        </>
      )}
      <SelectField
        label="Priority"
        value={value('priority')}
        choices={PRIORITIES}
        onValue={(priority) => onValue({ priority })}
      />
      <SelectField
        label="Category"
        value={value('category')}
        choices={withAll(categories, value('category'))}
        onValue={(category) => onValue({ category })}
      />
      <SelectField
        label="Team"
        value={value('assignedTeamId')}
        choices={withAll(
          teams.map(({ teamId, name }) => [teamId, name] as const),
          value('assignedTeamId'),
        )}
        onValue={(assignedTeamId) => onValue({ assignedTeamId })}
      />
      {FILTERS.some((name) => query.get(name)) && (
        <Button
          kind="quiet"
          onPress={() => onValue(Object.fromEntries(FILTERS.map((name) => [name, null])))}
        >
          Clear
        </Button>
      )}
    </div>
  );
};

/** The chosen value stays a choice, even if it is unknown. */
const withAll = (choices: readonly Choice[], chosen: string): readonly Choice[] => [
  ['', 'All'],
  ...choices,
  ...(chosen === '' || choices.some(([id]) => id === chosen) ? [] : [[chosen, chosen] as const]),
];

/** Categories that are offered. */
const CATEGORIES_MAX = 100;

/** Categories of the tickets that were raised or resolved in the period, most frequent first. */
const useCategories = (query: URLSearchParams): readonly Choice[] => {
  const { api } = usePortal();
  const { from, to } = periodOf(query);
  const { data = [] } = useLoaded(
    async (signal) => {
      const parameters = {
        from,
        to,
        interval: 'month',
        groupBy: 'category',
        series: CATEGORIES_MAX,
      };
      const { series } = await readReport(api, 'throughput', parameters, signal);
      return series.flatMap(({ kind, key }) => (kind === 'group' && key !== null ? [key] : []));
    },
    [api, from, to],
  );
  return data.map((category) => [category, category]);
};
