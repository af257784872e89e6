/** Evaluates a rule on stored readings: nothing is written. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { timeNow } from '../../ui/now.ts';
import { DAY_MS, type Span } from '../buildings/time-scale.ts';
import type { OfBuilding } from '../buildings/detail.tsx';
import type { Point } from '../buildings/readings.ts';
import { TrialResult } from './result.tsx';
import { useTrial } from './run.ts';
import type { Measure, RuleDraft } from './words.ts';

const SPANS = [
  ['1', 'The last day'],
  ['7', 'The last week'],
  ['30', 'The last 30 days'],
  ['90', 'The last 90 days'],
  ['365', 'The last year'],
  ['', 'Between two days'],
] as const;

/** The entered span; `null` unless its end is after its start. */
const spanOf = (days: string, first: string, last: string): Span | null => {
  const now = Math.floor(timeNow() / 60_000) * 60_000;
  if (days !== '') return { from: now - Number(days) * DAY_MS, to: now };
  const from = Date.parse(`${first}T00:00`);
  // The end of the last day, which may have 23 hours.
  const end = new Date(`${last}T00:00`);
  const to = Math.min(now, end.setDate(end.getDate() + 1));
  return from < to ? { from, to } : null;
};

export const Trial = ({
  buildingId,
  points,
  measure,
  ruleOf,
  written,
}: OfBuilding & {
  /** The watched points, as far as they are loaded. */
  readonly points: readonly Point[];
  readonly measure: Measure;
  /** The rule as entered; `null` if something is missing, which the form then reports. */
  readonly ruleOf: () => RuleDraft | null;
  /** Changes with the input. */
  readonly written: unknown;
}): JSX.Element => {
  const [days, setDays] = useState('30');
  const [[first, last], setDates] = useState(['', '']);
  const [isNoSpan, setNoSpan] = useState(false);
  const { run, stop, result, error, seconds } = useTrial(buildingId);
  const tried = useRef<unknown>(null);
  const start = () => {
    const span = spanOf(days, first, last);
    setNoSpan(span === null);
    const rule = ruleOf();
    if (span === null || rule === null) return;
    tried.current = written;
    run(rule, span);
  };
  return (
    <Card title="Try it">
      <p class="faint small below">Applies the rule to stored readings. Nothing is changed.</p>
      <div class="toolbar">
        <SelectField label="Time" value={days} choices={SPANS} onValue={setDays} />
        {days === '' && (
          <>
            <TextField
              label="From"
              type="date"
              value={first}
              onValue={(next) => setDates([next, last])}
              error={isNoSpan ? 'Must not be after the other day' : undefined}
            />
            <TextField
              label="To"
              type="date"
              value={last}
              onValue={(next) => setDates([first, next])}
            />
          </>
        )}
        {seconds === null ? (
          <Button kind="primary" onPress={start}>
            Try it
          </Button>
        ) : (
          <Button onPress={stop}>Stop</Button>
        )}
      </div>
      <div role="status">
        {seconds !== null && (
          <p class="row below">
            <span class="spinner" aria-hidden="true" />
            The trial is running. A month of many points takes a while.
            <span class="faint" aria-hidden="true">
              {seconds} s
            </span>
          </p>
        )}
      </div>
      <Trouble error={error} />
      {result && (
        <div>
          {tried.current !== written && (
            <p class="notice">
              The rule has changed since: these are the results of the previous version.
            </p>
          )}
          <TrialResult
            key={result.key}
            buildingId={buildingId}
            of={result}
            points={points}
            measure={measure}
          />
        </div>
      )}
    </Card>
  );
};
