/** Hatch patterns for overdue rooms, which are not marked by colour alone. */
import type { JSX } from 'preact';
import { LEVELS } from './colours.ts';

/** The distance between lines, in metres; in pixels in a legend. */
const STEP = 0.9;

export const hatchOf = (level: string): string => `plan-hatch-${level}`;

export const Hatches = (): JSX.Element => (
  <defs>
    {LEVELS.map((level) => (
      <pattern
        key={level}
        id={hatchOf(level)}
        width={STEP}
        height={STEP}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect class={`level-${level}`} width={STEP} height={STEP} />
        <rect class="plan-hatch" width={STEP * 0.3} height={STEP} />
      </pattern>
    ))}
  </defs>
);
