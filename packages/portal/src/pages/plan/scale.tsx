/** The scale bar and the north arrow. */
import type { JSX } from 'preact';
import { roundLength } from './geometry.ts';

const BAR_MAX = 120;

/** @param scale Pixels per metre. */
export const ScaleBar = ({ scale }: { readonly scale: number }): JSX.Element => {
  const length = roundLength(BAR_MAX / scale);
  return (
    <div class="plan-scale" style={{ width: `${length * scale}px` }}>
      {length.toLocaleString('en')} m
    </div>
  );
};

/** @param degrees Clockwise from upwards; `null` if it is unknown. */
export const NorthArrow = ({ degrees }: { readonly degrees: number | null }): JSX.Element | null =>
  degrees === null ? null : (
    <svg class="plan-north" viewBox="-20 -20 40 40" role="img" aria-label={northWords(degrees)}>
      <g transform={`rotate(${degrees})`}>
        <path d="M0 -12L6 10L0 6L-6 10Z" />
        <text y="-13">N</text>
      </g>
    </svg>
  );

const northWords = (degrees: number): string =>
  `North is ${Math.round(degrees)}° clockwise from the top of the plan`;
