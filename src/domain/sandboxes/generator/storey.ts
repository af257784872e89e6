/** The rooms of one storey: how many, of which kinds, how large. */
import type { SandboxParameters } from '../parameters.ts';
import { normal, sourceOf } from './random.ts';
import { netOfGross, spaceKinds, type SpaceKind } from './space-types.ts';

export interface Room {
  readonly kind: SpaceKind;
  /** One decimal. */
  readonly areaSqm: number;
}

/** `B`, `00`, `01`, …: the ground floor is level 0. */
export const storeyCodeOf = (level: number): string => String(level).padStart(2, '0');

/** The kinds of rooms of a storey in the order of their codes, equal ones side by side. */
export const roomKindsOf = (parameters: SandboxParameters, level: number): readonly SpaceKind[] => {
  const kinds = spaceKinds[parameters.buildingType].filter(
    ({ isGround }) => isGround !== true || level === 0,
  );
  const netSqm = netSqmOf(parameters, level);
  const shares = kinds.reduce((sum, { share }) => sum + share, 0);
  const meanSqm = kinds.reduce((sum, kind) => sum + kind.share * kind.areaSqmMean, 0) / shares;
  const { spacesMin, spacesMax } = parameters;
  const count = Math.min(spacesMax, Math.max(spacesMin, Math.round(netSqm / meanSqm)));
  return apportioned(kinds, count).flatMap(([kind, of]) => Array.from({ length: of }, () => kind));
};

export const roomsOf = (parameters: SandboxParameters, level: number): readonly Room[] => {
  const netSqm = netSqmOf(parameters, level);
  const source = sourceOf(parameters.seed, `storey/${level}/areas`);
  const rooms = roomKindsOf(parameters, level).map((kind) => ({
    kind,
    weight: kind.areaSqmMean * Math.exp(0.35 * normal(source)),
  }));
  const weights = rooms.reduce((sum, { weight }) => sum + weight, 0);
  return rooms.map(({ kind, weight }) => ({
    kind,
    areaSqm: Math.round((weight / weights) * netSqm * 10) / 10,
  }));
};

const netSqmOf = (parameters: SandboxParameters, level: number): number =>
  grossSqmOf(parameters, level) * netOfGross[parameters.buildingType];

/** A mall is wider at the ground and narrower at the top. */
const grossSqmOf = ({ buildingType, storeys, areaSqm }: SandboxParameters, level: number) => {
  const equal = areaSqm / storeys;
  if (buildingType === 'office' || storeys === 1) return equal;
  if (level === 0) return equal * 1.2;
  return level === storeys - 1 ? equal * 0.8 : equal;
};

/** Distributes `count` over the kinds by largest remainder. */
const apportioned = (
  kinds: readonly SpaceKind[],
  count: number,
): readonly (readonly [SpaceKind, number])[] => {
  const total = kinds.reduce((sum, { share }) => sum + share, 0);
  const parts = kinds.map((kind, index) => {
    const exact = (kind.share / total) * count;
    return { kind, index, whole: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  const missing = count - parts.reduce((sum, { whole }) => sum + whole, 0);
  const rounded = new Set(
    parts
      .toSorted((a, b) => b.rest - a.rest || a.index - b.index)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return parts.map(({ kind, index, whole }) => [kind, whole + (rounded.has(index) ? 1 : 0)]);
};
