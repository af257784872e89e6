/** The points of a building with the inputs of their curves. */
import type { ElementDocument, ImportDocument } from '../../buildings/document.ts';
import type { SandboxParameters } from '../parameters.ts';
import { airHandlingUnitOf } from './building.ts';
import { hashOf } from './random.ts';
import { spaceKinds } from './space-types.ts';

export interface PointModel {
  readonly code: string;
  readonly pointClass: string;
  readonly isBoolean: boolean;
  /** Hash of the point, and that of its element. */
  readonly hash: number;
  readonly elementHash: number;
  /** Hash of the air handling unit that supplies it. */
  readonly fanHash: number;
  /** Hash of the air volume box of its room; `null`: none. */
  readonly boxHash: number | null;
  /** Area that its element serves: a room, a storey, or the building. */
  readonly areaSqm: number;
  /** People in it at full occupancy. */
  readonly capacity: number;
}

/** Storey by storey, so that the caller can yield in between. */
export function* pointModels(
  parameters: SandboxParameters,
  { building }: ImportDocument,
): Generator<readonly PointModel[]> {
  const { seed, buildingType, areaSqm, storeys } = parameters;
  const people = new Map(
    spaceKinds[buildingType].map(({ slug, peoplePer100Sqm }) => [slug, peoplePer100Sqm / 100]),
  );
  const elementHashOf = (code: string) => hashOf(seed, `curve/${code}`);
  const modelsOf = (
    elements: readonly ElementDocument[] = [],
    area: number,
    capacity: number,
    fanCode: string | null = null,
  ) => {
    const box = elements.find(({ elementTypeSlug }) => elementTypeSlug === 'vav');
    const boxHash = box ? elementHashOf(box.code) : null;
    return elements.flatMap(({ code: element, points = [] }) =>
      points.map(({ code, pointClass, valueType }) => ({
        code,
        pointClass,
        isBoolean: valueType === 'boolean',
        hash: hashOf(seed, `curve/${code}`),
        elementHash: elementHashOf(element),
        fanHash: elementHashOf(fanCode ?? element),
        boxHash,
        areaSqm: area,
        capacity,
      })),
    );
  };

  for (const { level = 0, spaces = [], elements = [] } of building.storeys ?? []) {
    const rooms = spaces.flatMap(({ areaSqm: area, spaceTypeSlug, elements: inside }, index) =>
      modelsOf(
        inside,
        area ?? 0,
        (area ?? 0) * (people.get(spaceTypeSlug) ?? 0),
        airHandlingUnitOf(parameters, level, index),
      ),
    );
    const isPlant = ({ code }: ElementDocument) => code.includes('-PLANT-');
    const storeySqm = areaSqm / storeys;
    yield [
      ...rooms,
      ...modelsOf(
        elements.filter((element) => !isPlant(element)),
        storeySqm,
        storeySqm * 0.08,
      ),
      ...modelsOf(elements.filter(isPlant), areaSqm, areaSqm * 0.08),
    ];
  }
}
