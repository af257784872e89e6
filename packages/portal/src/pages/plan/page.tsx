/** The plan of a storey: its rooms as a picture and as a list, and what is known of one of them. */
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useRoute, to } from '../../router.ts';
import { PageHead } from '../../ui/content.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { usePlanRoute, type PlanRoute } from './address.ts';
import { paintOf } from './colours.ts';
import { Drawing } from './drawing.tsx';
import { usePlan, useStoreysOf, type Space, type StoreyPlan } from './plan.ts';
import { RoomPanel } from './room.tsx';
import { RoomList } from './rooms.tsx';
import { StoreyStack } from './storeys.tsx';

export const PlanPage = (): JSX.Element => {
  const buildingId = useRoute().path[1]!;
  const route = usePlanRoute();
  const building = useStoreysOf(buildingId);
  const plan = usePlan(buildingId, route.storey);
  return (
    <Show of={building}>
      {({ name, storeys }) => (
        <div class="plan-page">
          <PageHead title={`Plan of ${name}`} above={[to(['buildings', buildingId]), name]} />
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
                {(loaded) => <StoreyView buildingId={buildingId} plan={loaded} route={route} />}
              </Show>
            </div>
          )}
        </div>
      )}
    </Show>
  );
};

const StoreyView = ({
  buildingId,
  plan,
  route,
}: {
  readonly buildingId: string;
  readonly plan: StoreyPlan;
  readonly route: PlanRoute;
}): JSX.Element => {
  const [hot, setHot] = useState<Space | null>(null);
  const spaces: readonly Space[] = plan.spaces;
  const chosen = useMemo(
    () => spaces.find(({ id }) => id === route.space) ?? null,
    [spaces, route.space],
  );
  const choose = ({ id }: Space) => route.show({ space: id });
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    route.show({ space: null });
    list.current?.querySelector('input')?.focus({ preventScroll: true });
  };
  const paint = useMemo(() => paintOf(undefined), []);
  const { name } = plan.storey;
  return (
    <div class="plan-storey-view">
      <div>
        <PlanNotices of={plan} />
        {plan.bounds === null ? (
          <Empty title="This storey has no rooms" />
        ) : (
          <Drawing
            plan={plan}
            label={`Plan of ${name}`}
            paint={paint}
            hot={hot}
            chosen={chosen}
            onHot={setHot}
            onChoose={choose}
          >
            {hot && (
              <>
                <strong>{hot.code}</strong> {hot.name}
              </>
            )}
          </Drawing>
        )}
      </div>
      <div class="plan-side" ref={list}>
        {chosen && (
          <RoomPanel
            key={chosen.id}
            buildingId={buildingId}
            storeyId={plan.storey.id}
            space={chosen}
            onClose={close}
          />
        )}
        <RoomList
          spaces={spaces}
          storey={name}
          valueOf={null}
          hot={hot}
          chosen={chosen}
          onHot={setHot}
          onChoose={choose}
        />
      </div>
    </div>
  );
};

/** What the picture leaves out, or is not. */
const PlanNotices = ({ of }: { readonly of: StoreyPlan }): JSX.Element => {
  const left = of.spacesTotal - of.spaces.length;
  const bare = of.spaces.filter(({ outline }) => outline === null).length;
  return (
    <>
      {of.schematic && (
        <p class="notice">
          This plan is schematic: no room of this storey has an outline, so that rooms are drawn by
          their areas alone.
        </p>
      )}
      {left > 0 && (
        <p class="notice">
          {left.toLocaleString('en')} of {of.spacesTotal.toLocaleString('en')} rooms are left out.
        </p>
      )}
      {bare > 0 && (
        <p class="notice">
          {bare.toLocaleString('en')} {bare === 1 ? 'room has' : 'rooms have'} no outline: see the
          list.
        </p>
      )}
    </>
  );
};
