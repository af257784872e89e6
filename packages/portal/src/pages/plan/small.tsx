/** A small plan of a storey with one room marked, linked to the plan. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { to } from '../../router.ts';
import { Show } from '../../ui/notices.tsx';
import { boxOf, pathOf, pathsOf } from './geometry.ts';
import type { OfRoom } from './room-section.tsx';
import { usePlan, type StoreyPlan } from './storey-plan.ts';

export const SmallPlan = ({ buildingId, storeyId, spaceId }: OfRoom): JSX.Element => {
  const plan = usePlan(buildingId, storeyId);
  const address = to(['buildings', buildingId, 'plan'], { storey: storeyId, space: spaceId });
  return (
    <Show of={plan}>
      {(loaded) => (
        <a class="small-plan" href={address}>
          <Picture of={loaded} spaceId={spaceId} />
          Show on the plan of {loaded.storey.name}
        </a>
      )}
    </Show>
  );
};

const Picture = ({
  of: { bounds, spaces, walls, schematic },
  spaceId,
}: {
  readonly of: StoreyPlan;
  readonly spaceId: string;
}): JSX.Element | null => {
  const here = spaces.find(({ id }) => id === spaceId);
  const others = useMemo(
    () => pathsOf(spaces.flatMap(({ outline }) => (outline === null ? [] : [outline]))),
    [spaces],
  );
  // Rectangles by area do not show where a room is.
  if (bounds === null || schematic || !here?.outline) return null;
  const { x, y, width, height } = boxOf(bounds);
  return (
    <svg viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
      <path class="plan-room" d={others} />
      <path class="plan-here" d={pathOf(here.outline)} />
      <path class="plan-walls" d={pathsOf(walls)} />
    </svg>
  );
};
