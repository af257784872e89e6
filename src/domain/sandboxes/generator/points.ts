/** The points of a building with the inputs of their curves. */
import type { ElementDocument, ImportDocument } from '../../buildings/document.ts';
import type { SandboxParameters } from '../parameters.ts';
import { airHandlingUnitOf } from './building.ts';
import { faultPlan, type FaultPlan } from './faults.ts';
import { hashOf } from './random.ts';
import { spaceKinds } from './space-types.ts';

export interface ElementModel {
  readonly code: string;
  readonly hash: number;
}

export interface PointModel {
  readonly code: string;
  readonly pointClass: string;
  readonly isBoolean: boolean;
  readonly hash: number;
  readonly element: ElementModel;
  /** The air handling unit that supplies it. */
  readonly fan: ElementModel;
  /** The air volume box of its room; `null`: none. */
  readonly box: ElementModel | null;
  readonly faults: FaultPlan;
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
  const faults = faultPlan(parameters);
  const elementOf = (code: string): ElementModel => ({ code, hash: hashOf(seed, `curve/${code}`) });
  const modelsOf = (
    elements: readonly ElementDocument[] = [],
    area: number,
    capacity: number,
    fanCode: string | null = null,
  ) => {
    const boxDocument = elements.find(({ elementTypeSlug }) => elementTypeSlug === 'vav');
    const box = boxDocument ? elementOf(boxDocument.code) : null;
    return elements.flatMap(({ code: elementCode, points = [] }) => {
      const element = elementOf(elementCode);
      const fan = fanCode === null ? element : elementOf(fanCode);
      return points.map(({ code, pointClass, valueType }) => ({
        code,
        pointClass,
        isBoolean: valueType === 'boolean',
        hash: hashOf(seed, `curve/${code}`),
        element,
        fan,
        box,
        faults,
        areaSqm: area,
        capacity,
      }));
    });
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
