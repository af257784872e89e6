/**
 * Readings over time as SVG: the mean as a line in the range from the lowest to the highest, times
 * of faults as bands, a threshold and a moment as lines. The text beside it has the same data.
 */
import type { JSX } from 'preact';
import { useWidth } from '../../ui/width.ts';
import { bucketMs } from './buckets.ts';
import { linesOf, marksOf, rangeOf, timeMarks, type Bucket, type Span } from './time-scale.ts';

export interface TimeChartParts extends Span {
  /** The description for screen readers. */
  readonly label: string;
  readonly buckets: readonly Bucket[];
  readonly written: (value: number) => string;
  readonly threshold?: number | null;
  readonly bands?: readonly Span[];
  /** Milliseconds since 1970. */
  readonly moment?: number;
  /** In pixels. */
  readonly height?: number;
}

const EDGE = { top: 8, right: 10, bottom: 24, left: 58 };
/** The least width of a band in pixels: a fault of minutes must be visible in a month. */
const BAND_MIN = 3;

export const TimeChart = (parts: TimeChartParts): JSX.Element => {
  const { label, buckets, from, to, written, threshold = null, bands = [], height = 260 } = parts;
  const [ref, width] = useWidth();
  const [low, high] = rangeOf(buckets, threshold);
  const right = width - EDGE.right;
  const bottom = height - EDGE.bottom;
  const x = (at: number) => EDGE.left + ((at - from) / (to - from)) * (right - EDGE.left);
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - EDGE.top);
  const { line, range } = linesOf(buckets, x, y, bucketMs(parts));
  return (
    <figure class="time-chart">
      <div ref={ref}>
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
          {bands.map((band) => {
            const start = x(Math.max(band.from, from));
            const end = Math.max(x(Math.min(band.to, to)), start + BAND_MIN);
            return (
              <rect
                key={band.from}
                class="time-band"
                x={start}
                y={EDGE.top}
                width={end - start}
                height={bottom - EDGE.top}
              />
            );
          })}
          {marksOf(low, high).map((value) => (
            <g key={value}>
              <path class="time-grid" d={`M${EDGE.left} ${y(value)}H${right}`} />
              <text class="time-text" x={EDGE.left - 8} y={y(value) + 4} text-anchor="end">
                {written(value)}
              </text>
            </g>
          ))}
          {timeMarks({ from, to }, right - EDGE.left).map(([at, name]) => (
            <text key={at} class="time-text" x={x(at)} y={height - 6} text-anchor="middle">
              {name}
            </text>
          ))}
          <path class="time-range" d={range} />
          <path class="time-line" d={line} />
          {threshold !== null && (
            <path class="time-threshold" d={`M${EDGE.left} ${y(threshold)}H${right}`} />
          )}
          {parts.moment !== undefined && (
            <path class="time-moment" d={`M${x(parts.moment)} ${EDGE.top}V${bottom}`} />
          )}
        </svg>
      </div>
    </figure>
  );
};
