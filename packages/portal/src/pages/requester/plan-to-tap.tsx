/** A storey whose rooms are chosen by a tap. The list of rooms is the keyboard equivalent. */
import type { JSX } from 'preact';
import { Show } from '../../ui/notices.tsx';
import { boxOf, pathOf, pathsOf } from '../plan/geometry.ts';
import { usePlan } from '../plan/storey-plan.ts';
import type { Where } from './place-fields.tsx';

export const PlanToTap = ({
  buildingId,
  storeyId,
  spaceId,
  onSpace,
}: Where & { readonly onSpace: (spaceId: string) => void }): JSX.Element => {
  const plan = usePlan(buildingId, storeyId);
  return (
    <Show of={plan}>
      {({ bounds, spaces, walls }) => {
        if (bounds === null) return <p class="faint">This storey has no plan.</p>;
        const { x, y, width, height } = boxOf(bounds);
        return (
          <svg viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true">
            {spaces.map(
              ({ id, outline }) =>
                outline !== null && (
                  <path
                    key={id}
                    class={id === spaceId ? 'plan-here' : 'plan-room'}
                    d={pathOf(outline)}
                    data-room={id}
                    onClick={() => onSpace(id)}
                  />
                ),
            )}
            <path class="plan-walls" d={pathsOf(walls)} />
          </svg>
        );
      }}
    </Show>
  );
};
