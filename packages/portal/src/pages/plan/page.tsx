/** The plan of a storey: its rooms as a drawing and as a list, and the details of one of them. */
import type { JSX } from 'preact';
import { useRoute, to } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { usePlanRoute } from './address.ts';
import { usePlan, useStoreysOf } from './storey-plan.ts';
import { StoreyView } from './storey.tsx';
import { StoreyStack } from './storeys.tsx';
import { useWallDisplay } from './wall.ts';

export const PlanPage = (): JSX.Element => {
  const buildingId = useRoute().path[1]!;
  const route = usePlanRoute();
  const building = useStoreysOf(buildingId);
  const plan = usePlan(buildingId, route.storey);
  const wall = useWallDisplay(route);
  return (
    <Show of={building}>
      {({ name, storeys }) => (
        <div class={wall.isShown ? 'plan-page plan-wall' : 'plan-page'}>
          <PageHead
            title={
              wall.isShown && plan.data ? `${name}, ${plan.data.storey.name}` : `Plan of ${name}`
            }
            pageTitle={`Plan of ${name}`}
            above={[to(['buildings', buildingId]), name]}
          >
            <Button icon="fit" onPress={wall.toggle}>
              {wall.isShown ? 'Leave the wall display' : 'Wall display'}
            </Button>
          </PageHead>
          {storeys.length === 0 ? (
            <Empty title="This building has no storeys" />
          ) : (
            <div class="plan-columns">
              <StoreyStack
                buildingId={buildingId}
                storeys={storeys}
                current={plan.data?.storey.id ?? ''}
                query={{ colour: route.colour, at: route.at }}
                onShow={(storey) => route.show({ storey, space: null })}
              />
              <Show of={plan}>
                {(loaded) => (
                  <StoreyView
                    key={loaded.storey.id}
                    buildingId={buildingId}
                    plan={loaded}
                    route={route}
                  />
                )}
              </Show>
            </div>
          )}
        </div>
      )}
    </Show>
  );
};
