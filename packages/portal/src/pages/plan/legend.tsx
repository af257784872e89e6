/** The legend of a plan's colours. */
import type { ComponentChildren, JSX } from 'preact';
import {
  categoryShade,
  LEVELS,
  OWN_CATEGORIES,
  STEPS,
  valueWords,
  type Colours,
} from './colours.ts';

export const Legend = ({ of }: { readonly of: Colours }): JSX.Element => (
  <div class="plan-legend" role="group" aria-label="Legend">
    {of.kind === 'number' && of.scale && <Scale {...of.scale} unit={of.unit} />}
    <ul>
      {of.kind === 'level' && <Levels of={of} />}
      {of.kind === 'category' && <Categories of={of.categories ?? []} />}
      <Key shade="">{of.kind === 'level' ? 'none open' : 'no value'}</Key>
    </ul>
  </div>
);

const Key = ({
  shade,
  children,
}: {
  readonly shade: string;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <li>
    <svg class="plan-key" viewBox="0 0 3 2" aria-hidden="true">
      <rect class={`plan-room ${shade}`} width="3" height="2" />
    </svg>
    {children}
  </li>
);

const Scale = ({
  min,
  max,
  unit,
}: {
  readonly min: number;
  readonly max: number;
  readonly unit: string | null;
}): JSX.Element => (
  <p class="plan-ramp">
    {valueWords(min, unit)}
    <svg viewBox={`0 0 ${STEPS} 1`} preserveAspectRatio="none" role="img" aria-label="to">
      {Array.from({ length: STEPS }, (_, step) => (
        <rect key={step} class={`step-${step}`} x={step} width="1" height="1" />
      ))}
    </svg>
    {valueWords(max, unit)}
  </p>
);

const Levels = ({ of: { colour, spaces } }: { readonly of: Colours }): JSX.Element => {
  const others = spaces.some(({ value }) => !(LEVELS as readonly unknown[]).includes(value));
  return (
    <>
      {LEVELS.map((level) => (
        <Key key={level} shade={`level-${level}`}>
          {level}
        </Key>
      ))}
      {others && <Key shade="level-other">other</Key>}
      {colour === 'tickets' && <Key shade="level-high overdue">overdue (hatched)</Key>}
    </>
  );
};

const Categories = ({ of }: { readonly of: readonly (string | boolean)[] }): JSX.Element => (
  <>
    {of.slice(0, OWN_CATEGORIES).map((category, index) => (
      <Key key={String(category)} shade={categoryShade(index)}>
        {valueWords(category, null)}
      </Key>
    ))}
    {of.length > OWN_CATEGORIES && (
      <Key shade={categoryShade(-1)}>{of.length - OWN_CATEGORIES} others</Key>
    )}
  </>
);
