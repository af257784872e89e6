/** A line chart of means, in the range from the lowest to the highest value. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import type { Span } from './time-scale.ts';

const HEIGHT_PX = 300;

const color = (name: string): string =>
  // A canvas cannot resolve `light-dark()`: the colour is read from an element.
  getComputedStyle(document.querySelector(`.chart-${name}`) ?? document.body).color;

const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Midnight is labelled with its date, other marks with their time. */
const timesOf = (_: uPlot, marks: number[]): string[] =>
  marks.map((seconds) => {
    const at = new Date(seconds * 1000);
    return at.getHours() === 0 && at.getMinutes() === 0 ? days.format(at) : hours.format(at);
  });

interface ChartParts extends Span {
  readonly label: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  /** Means, lowest and highest. */
  readonly lines: readonly (readonly number[])[];
}

const optionsOf = (width: number, { label, times, from, to }: ChartParts): uPlot.Options => {
  const [line, grid, text] = [color('line'), color('grid'), color('text')];
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid } };
  const edge = { stroke: line, width: 0, points: { show: false } };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: true, live: true },
    // Without a zoom, the range begins with the first reading.
    scales: {
      x: { range: (_, min, max) => (min === times[0] ? [from / 1000, to / 1000] : [min, max]) },
    },
    axes: [
      { ...axis, values: timesOf, space: 70 },
      { ...axis, size: 60 },
    ],
    series: [
      {},
      { label, stroke: line, width: 2, points: { show: times.length === 1, size: 7, fill: line } },
      { label: 'lowest', ...edge },
      { label: 'highest', ...edge },
    ],
    bands: [{ series: [3, 2], fill: line.replace('rgb(', 'rgba(').replace(')', ', 0.15)') }],
  };
};

export const Chart = (parts: ChartParts): JSX.Element => {
  const { label, times, lines, from, to } = parts;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const at = place.current!;
    let chart: uPlot | undefined;
    let isGone = false;
    const data = [[...times], ...lines.map((line) => [...line])] as uPlot.AlignedData;
    const fitted = new ResizeObserver(() =>
      chart?.setSize({ width: at.clientWidth, height: HEIGHT_PX }),
    );
    const draw = async () => {
      const { default: Plot } = await import('uplot');
      if (isGone) return;
      chart = new Plot(optionsOf(at.clientWidth, parts), data, at);
      fitted.observe(at);
    };
    void draw();
    return () => {
      isGone = true;
      fitted.disconnect();
      chart?.destroy();
    };
  }, [label, times, lines, from, to]);
  return (
    <figure class="chart">
      <span class="chart-line" />
      <span class="chart-grid" />
      <span class="chart-text" />
      <div ref={place} role="img" aria-label={`${label}: ${times.length} values as a line`} />
    </figure>
  );
};
