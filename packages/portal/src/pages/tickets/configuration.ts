import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import type { Configuration } from './answers.ts';

/** The configuration of the service desk; `undefined` until it is loaded. */
export const useConfiguration = (): Configuration | undefined => {
  const { api } = usePortal();
  const { data } = useLoaded(
    async (signal) => (await api.GET('/api/service-desk/configuration', { signal })).data,
    [api],
  );
  return data;
};
