/** Resolves the place on a label, without sign-in. */
import type { z } from 'zod';
import type { LabelPlaces } from '../../building/graph/label-places.ts';
import { acceptsReports } from '../../domain/public-reports/acceptance.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { notThere } from '../http/problems.ts';
import type { PlaceBody, PlaceQuery } from './schemas.ts';

export interface LabelledPlaceParts {
  readonly places: LabelPlaces;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
}

/**
 * Returns only names.
 *
 * @throws {@link Problem} `NOT_FOUND` for a building that does not exist, or whose organisation
 *   accepts no reports without sign-in.
 */
export const labelledPlace =
  ({ places, desks }: LabelledPlaceParts) =>
  async ({
    building: buildingId,
    space,
    element,
    code,
  }: z.infer<typeof PlaceQuery>): Promise<z.infer<typeof PlaceBody>> => {
    const organisation = await places.ownerOf(buildingId);
    // Also read for an unknown building, whose existence the response time must not reveal.
    const desk = await desks.configurationOf(organisation ?? NO_ORGANISATION);
    if (organisation === null || !acceptsReports(desk)) throw notThere();
    const kind = element === undefined ? 'space' : 'element';
    const id = element ?? space;
    const [name, place] = await Promise.all([
      places.buildingName(buildingId),
      id === undefined ? null : places.placeOf({ buildingId, kind, id, code: code ?? null }),
    ]);
    if (name === null) throw notThere();
    return { organisation, building: { id: buildingId, name }, place };
  };

/** Never the alias of an organisation: those begin with a letter or a digit. */
const NO_ORGANISATION = '-';
