/** The place that a label names, for whoever holds the label. */
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
 * Answers names alone.
 *
 * @throws {@link Problem} `NOT_FOUND` for a building that there is not, and for one of an
 *   organisation that accepts no reports of anyone.
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
    // Read for no organisation too, so that both answers take as long.
    const desk = await desks.configurationOf(organisation ?? NOBODY);
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

/** No organisation of an issuer: an alias begins with a letter or a digit. */
const NOBODY = '-';
