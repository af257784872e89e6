/** Selects the building of an IFC file to import. contract.md section 6 «model». */
import { IFCBUILDING } from 'web-ifc';
import { refuse, type Refusal } from '../../../engine/aggregates/decider.ts';
import { BUILDINGS_NAMED_MAX } from '../../../domain/buildings/limits.ts';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf } from './ifc-relations.ts';

export interface ChosenBuilding {
  readonly building: IfcEntity;
  /** Whether the file has no other building. */
  readonly isOnly: boolean;
}

/**
 * The building with this GlobalId. Default: the only one.
 *
 * Refuses `VALIDATION_FAILED` if there is no such building or, without a GlobalId, not exactly one;
 * `buildings` lists the first {@link BUILDINGS_NAMED_MAX}.
 */
export const chosenBuilding = (
  model: IfcModel,
  globalId: string | undefined,
): ChosenBuilding | Refusal => {
  const buildings = entitiesOf(model, model.idsOf(IFCBUILDING));
  const isOnly = buildings.length === 1;
  const building = buildings.find((each) =>
    globalId === undefined ? isOnly : each.text('GlobalId') === globalId,
  );
  if (building) return { building, isOnly };
  const message =
    globalId === undefined
      ? `${buildings.length} buildings are in the file; it must have one, or one must be chosen`
      : 'is the GlobalId of no building of the file';
  const named = buildings.slice(0, BUILDINGS_NAMED_MAX).map((each) => ({
    globalId: short(each.text('GlobalId') ?? ''),
    name: short(each.text('LongName') ?? each.text('Name') ?? ''),
  }));
  const spoken = named.slice(0, SPOKEN_MAX).map(({ globalId, name }) => `${globalId} (${name})`);
  const detail = [`building: ${message}`, spoken.join(', ')].filter((part) => part !== '');
  return refuse('VALIDATION_FAILED', `${detail.join(': ')}.`, {
    errors: [{ path: 'building', message }],
    buildings: named,
  });
};

/** Buildings named in the refusal's text. */
const SPOKEN_MAX = 5;

const short = (text: string): string =>
  text.length <= NAMED_CHARACTERS_MAX
    ? text
    : `${text.slice(0, NAMED_CHARACTERS_MAX).toWellFormed()}…`;

const NAMED_CHARACTERS_MAX = 100;
