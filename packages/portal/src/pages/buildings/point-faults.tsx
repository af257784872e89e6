import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { Badge, Card } from '../../ui/content.tsx';
import { Show } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';
import type { OfBuilding } from './detail.tsx';
import { reading, type Point } from './readings.ts';

/** Faults of its room among which those of the point are looked for. */
const READ = 200;
const ROWS = 8;

/** The latest faults of a point; nothing where it has none. */
export const PointFaults = ({
  buildingId,
  of: { id, spaceId, unit },
}: OfBuilding & { readonly of: Point }): JSX.Element => {
  const { api } = usePortal();
  const faults = useLoaded(
    async (signal) => {
      const query = { limit: READ, ...(spaceId !== null && { spaceId }) };
      const params = { path: { buildingId }, query };
      const path = '/api/v1/buildings/{buildingId}/faults';
      const { items } = (await api.GET(path, { params, signal })).data!;
      return items.filter(({ pointId }) => pointId === id).slice(0, ROWS);
    },
    [api, buildingId, id, spaceId],
  );
  return (
    <Show of={faults}>
      {(found) =>
        found.length > 0 && (
          <Card title="Faults">
            <ul class="related">
              {found.map(({ faultId, title, severity, value, openedAt, closedAt }) => (
                <li key={faultId}>
                  <span>{title}</span>
                  <Badge tone="warn">{severity}</Badge>
                  {value !== null && <strong class="nowrap">{reading(value, unit)}</strong>}
                  <span class="faint small">
                    <At at={openedAt} />
                  </span>
                  {closedAt === null ? (
                    <Badge tone="bad">open</Badge>
                  ) : (
                    <span class="faint small">
                      to <At at={closedAt} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Show>
  );
};
