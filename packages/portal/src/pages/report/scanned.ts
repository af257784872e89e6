/** The place of a label: by its id, or by its code if an import has renewed the ids. */
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { useLoaded, type Loaded } from '../../loading.ts';
import type { Api } from '../../session/requests.ts';
import type { placeIn } from '../labels/label-address.ts';

type Named = NonNullable<ReturnType<typeof placeIn>>;

export interface Scanned {
  readonly buildingId: string;
  readonly storeyId: string;
  readonly spaceId: string | null;
  readonly elementId: string | null;
  readonly code: string;
  readonly name: string;
}

/** `null`: the place no longer exists. */
export const useScanned = (of: Named): Loaded<Scanned | null> => {
  const { api } = usePortal();
  const { buildingId, kind, id, code } = of;
  return useLoaded<Scanned | null>(
    async (signal) => {
      const found = await placeOf(api, of, signal);
      if (found !== null || code === null) return found;
      const renewed = await idOf(api, { buildingId, kind, code }, signal);
      return renewed === null ? null : placeOf(api, { ...of, id: renewed }, signal);
    },
    [api, buildingId, kind, id, code],
  );
};

const placeOf = async (
  api: Api,
  { buildingId, kind, id }: Named,
  signal: AbortSignal,
): Promise<Scanned | null> => {
  try {
    if (kind === 'space') {
      const params = { path: { buildingId, spaceId: id } };
      const path = '/api/v1/buildings/{buildingId}/spaces/{spaceId}';
      const { code, name, storey } = (await api.GET(path, { params, signal })).data;
      return { buildingId, storeyId: storey.id, spaceId: id, elementId: null, code, name };
    }
    const params = { path: { buildingId, elementId: id } };
    const path = '/api/v1/buildings/{buildingId}/elements/{elementId}';
    const { code, name, storeyId, spaceId } = (await api.GET(path, { params, signal })).data;
    return { buildingId, storeyId, spaceId, elementId: id, code, name };
  } catch (error) {
    return noneFor(error);
  }
};

const idOf = async (
  api: Api,
  { buildingId, kind, code }: Omit<Named, 'id' | 'code'> & { readonly code: string },
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const params = { path: { buildingId } };
    const path = '/api/v1/buildings/{buildingId}/resolve';
    const { data } = await api.POST(path, { params, body: { codes: [code] }, signal });
    return data.resolved.find((node) => node.kind === kind)?.id ?? null;
  } catch (error) {
    return noneFor(error);
  }
};

/**
 * An id that is gone or malformed, and a lookup that is refused, name no place: requesters may not
 * look up codes.
 */
const noneFor = (error: unknown): null => {
  const codes = ['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED'] as const;
  if (codes.some((code) => AtriumError.is(error, code))) return null;
  throw error;
};
