import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to } from '../../router.ts';

/** A ticket needs a building: a prompt for organisations that have none. */
export const BeginWithBuilding = (): JSX.Element | null => {
  const { api, may } = usePortal();
  const mayImport = may('platform.buildings:write');
  const { data } = useLoaded(
    async (signal) => {
      if (!mayImport) return null;
      return (await api.GET('/api/v1/buildings', { params: { query: { limit: 1 } }, signal })).data;
    },
    [api, mayImport],
  );
  if (data?.total !== 0) return null;
  return (
    <p>
      <a class="button primary" href={to(['buildings', 'import'])}>
        Start with a building
      </a>
    </p>
  );
};
