/**
 * Bars and lines over intervals, as SVG: a canvas would keep the colours of the screen in print.
 * The table beside it has the same numbers.
 */
import type { JSX } from 'preact';
import { useWidth } from '../../ui/width.ts';

export interface PlotSeries {
  readonly name: string;
  /** One per interval; `null`: no value. */
  readonly values: readonly (number | null)[];
}

export interface PlotParts {
  /** The description for screen readers. */
  readonly label: string;
  readonly intervals: readonly string[];
  readonly series: readonly PlotSeries[];
  /** `stacked`: bars upon each other. */
  readonly kind: 'bars' | 'stacked' | 'lines';
  readonly written: (value: number) => string;
  /** Whether the values are counts, so that the marks are whole numbers. */
  readonly isWhole: boolean;
  /** The least end of the axis. Default: that of the values. */
  readonly max?: number;
}

const HEIGHT = 260;
const EDGE = { top: 10, right: 12, bottom: 26, left: 56 };
const MARKS = 4;
const NAME_WIDTH = 76;

export const Plot = (parts: PlotParts): JSX.Element => {
  const { label, intervals, series, kind, written, isWhole } = parts;
  const [ref, width] = useWidth();
  const max = scaleOf(Math.max(parts.max ?? 0, largestOf(series, kind)), isWhole);
  const inner = { width: width - EDGE.left - EDGE.right, height: HEIGHT - EDGE.top - EDGE.bottom };
  const y = (value: number) => EDGE.top + inner.height * (1 - value / max);
  const step = inner.width / Math.max(1, intervals.length);
  const x = (at: number) => EDGE.left + step * at;
  const every = Math.ceil(NAME_WIDTH / step);
  const place = { x, y, step };
  return (
    <figure class="plot">
      <ul class="plot-legend">
        {series.map(({ name }, at) => (
          <li key={at}>
            <svg class="plot-key" viewBox="0 0 18 12" aria-hidden="true">
              {kind === 'lines' ? (
                <path class={`plot-line plot-${at}`} d="M0 6h18" />
              ) : (
                <rect class={`plot-bar plot-${at}`} width="18" height="12" rx="2" />
              )}
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div ref={ref}>
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
          {Array.from({ length: MARKS + 1 }, (_, mark) => (max * mark) / MARKS).map((value) => (
            <g key={value}>
              <path class="plot-grid" d={`M${EDGE.left} ${y(value)}H${width - EDGE.right}`} />
              <text class="plot-text" x={EDGE.left - 8} y={y(value) + 4} text-anchor="end">
                {written(value)}
              </text>
            </g>
          ))}
          {intervals.map(
            (name, at) =>
              at % every === 0 && (
                <text
                  key={name}
                  class="plot-text"
                  x={x(at) + step / 2}
                  y={HEIGHT - 8}
                  text-anchor={at === 0 && step < NAME_WIDTH ? 'start' : 'middle'}
                >
                  {name}
                </text>
              ),
          )}
          {kind === 'lines' ? (
            <Lines series={series} intervals={intervals} place={place} written={written} />
          ) : (
            <Bars parts={parts} place={place} />
          )}
        </svg>
      </div>
    </figure>
  );
};

interface Place {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly step: number;
}

const Bars = ({
  parts: { series, intervals, kind, written },
  place: { x, y, step },
}: {
  readonly parts: PlotParts;
  readonly place: Place;
}): JSX.Element => {
  const gap = Math.min(step * 0.25, 14);
  const isStacked = kind === 'stacked';
  const width = (step - gap) / (isStacked ? 1 : series.length);
  return (
    <>
      {intervals.map((name, at) => {
        let below = 0;
        return series.map((line, index) => {
          const value = line.values[at] ?? 0;
          if (value === 0) return null;
          const top = y(below + value);
          const bar = {
            x: x(at) + gap / 2 + (isStacked ? 0 : index * width),
            y: top,
            width: Math.max(width - (isStacked ? 0 : 1), 1),
            height: y(below) - top,
          };
          if (isStacked) below += value;
          return (
            <rect key={`${name} ${line.name}`} class={`plot-bar plot-${index}`} {...bar}>
              <title>{`${name}, ${line.name}: ${written(value)}`}</title>
            </rect>
          );
        });
      })}
    </>
  );
};

const Lines = ({
  series,
  intervals,
  place: { x, y, step },
  written,
}: Pick<PlotParts, 'series' | 'intervals' | 'written'> & {
  readonly place: Place;
}): JSX.Element => (
  <>
    {series.map(({ name, values }, index) => (
      <g key={name}>
        <path class={`plot-line plot-${index}`} d={pathOf(values, x, y, step)} />
        {values.map(
          (value, at) =>
            value !== null && (
              <circle
                key={intervals[at]}
                class={`plot-bar plot-${index}`}
                cx={x(at) + step / 2}
                cy={y(value)}
                r="3"
              >
                <title>{`${intervals[at]}, ${name}: ${written(value)}`}</title>
              </circle>
            ),
        )}
      </g>
    ))}
  </>
);

/** A line with gaps where there is no value. */
const pathOf = (
  values: readonly (number | null)[],
  x: Place['x'],
  y: Place['y'],
  step: number,
): string =>
  values
    .map((value, at) => {
      if (value === null) return '';
      const isFirst = at === 0 || values[at - 1] === null;
      return `${isFirst ? 'M' : 'L'}${x(at) + step / 2} ${y(value)}`;
    })
    .join('');

const largestOf = (series: readonly PlotSeries[], kind: PlotParts['kind']): number => {
  const length = series[0]?.values.length ?? 0;
  const sums = Array.from({ length }, (_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const heights = kind === 'stacked' ? sums : series.flatMap(({ values }) => values);
  return Math.max(0, ...heights.map((value) => value ?? 0));
};

/** Steps of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The end of an axis with round or whole marks. */
const scaleOf = (value: number, isWhole: boolean): number => {
  if (value <= 0) return isWhole ? MARKS : 1;
  const least = isWhole ? Math.ceil(value / MARKS) : value / MARKS;
  const size = 10 ** Math.floor(Math.log10(least));
  const steps = STEPS.filter((step) => !isWhole || Number.isInteger(step * size));
  return steps.find((step) => step * size >= least)! * size * MARKS;
};
