/** The parameters of a report; the address holds all of them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/controls.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { useBuildings, useStoreys } from '../places.ts';
import { FIGURES, reportNames, REPORTS, type ReportName } from './figures.ts';
import { PERIODS, periodOf } from './period.ts';

/** The filters that the page offers; an address may have no other. */
const FILTERS = ['buildingId', 'storeyId', 'category', 'assignedTeamId', 'priority'] as const;

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
  const buildingId = query.get('buildingId') ?? '';
  const buildings = useBuildings();
  const storeys = useStoreys(buildingId);
  const [category, setCategory] = useState(query.get('category') ?? '');
  const [assignedTeamId, setTeam] = useState(query.get('assignedTeamId') ?? '');
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        onValue({ category, assignedTeamId });
      }}
    >
      <SelectField
        label="Building"
        value={buildingId}
        choices={[['', 'All'], ...buildings]}
        onValue={(id) => onValue({ buildingId: id, storeyId: null })}
      />
      {buildingId !== '' && (
        <SelectField
          label="Storey"
          value={query.get('storeyId') ?? ''}
          choices={[['', 'All'], ...storeys]}
          onValue={(id) => onValue({ storeyId: id })}
        />
      )}
      <SelectField
        label="Priority"
        value={query.get('priority') ?? ''}
        choices={PRIORITIES}
        onValue={(priority) => onValue({ priority })}
      />
      <TextField label="Category" value={category} onValue={setCategory} />
      <TextField label="Team" value={assignedTeamId} onValue={setTeam} />
      <button type="submit" class="button">
        Filter
      </button>
      {FILTERS.some((name) => query.get(name)) && (
        <Button
          kind="quiet"
          onPress={() => {
            setCategory('');
            setTeam('');
            onValue(Object.fromEntries(FILTERS.map((name) => [name, null])));
          }}
        >
          Clear
        </Button>
      )}
    </form>
  );
};
