import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import { Empty, Show } from '../../ui/notices.tsx';
import type { OfBuilding } from '../buildings/detail.tsx';
import { BLANK, ofPoint, spoken, valuesOf } from './draft.ts';
import { RuleForm } from './form.tsx';
import { measureOf, usePoints } from './points.ts';

/** `?point=…` preselects the point, `?like=…` copies another rule. */
export const NewRule = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api, may } = usePortal();
  const { query } = useRoute();
  const [pointId, like] = [query.get('point'), query.get('like')];
  const copied = useLoaded(
    async (signal) => {
      if (like === null) return null;
      const params = { path: { buildingId } };
      const path = '/api/v1/buildings/{buildingId}/diagnostic-rules';
      const { items } = (await api.GET(path, { params, signal })).data;
      return items.find(({ ruleId }) => ruleId === like) ?? null;
    },
    [api, buildingId, like],
  );
  const points = usePoints(buildingId, copied.data?.pointId ?? pointId);
  if (!may('platform.buildings:write')) return <Empty title="Your role cannot create rules" />;
  return (
    <>
      <p>
        <a class="above" href={to(['buildings', buildingId, 'rules'])}>
          ← Rules
        </a>
      </p>
      <Show of={copied}>
        {(rule) => (
          <Show of={points}>
            {(loaded) => {
              const initial = rule
                ? spoken(
                    valuesOf(rule),
                    measureOf(
                      loaded.points.filter(
                        ({ id, pointClass }) =>
                          id === rule.pointId || pointClass === rule.pointClass,
                      ),
                    ),
                  )
                : pointId === null
                  ? BLANK
                  : ofPoint({ id: pointId });
              return (
                <RuleForm
                  buildingId={buildingId}
                  points={loaded}
                  name={`rules/${buildingId}/new/${like ?? pointId ?? ''}`}
                  initial={initial}
                />
              );
            }}
          </Show>
        )}
      </Show>
    </>
  );
};
