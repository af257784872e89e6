/** What the rooms of a storey are coloured by, and how each value looks and reads. */
import { reading } from '../buildings/readings.ts';

export type Value = number | string | boolean | null;

/** `GET …/plan/colours`. */
export interface Colours {
  readonly colour: string;
  readonly at: string | null;
  readonly unit: string | null;
  readonly kind: 'number' | 'category' | 'level';
  readonly scale: { readonly min: number; readonly max: number } | null;
  readonly categories: readonly string[] | null;
  readonly spaces: readonly RoomValue[];
}

export interface RoomValue {
  readonly spaceId: string;
  readonly value: Value;
  readonly count?: number | undefined;
  readonly overdue?: boolean | undefined;
}

/** From the worst; of tickets and of faults. */
export const LEVELS = ['critical', 'high', 'medium', 'low'] as const;

/** Steps of the scale of numbers. */
export const STEPS = 9;
/** Categories with a colour of their own. */
export const OWN_CATEGORIES = 8;

const isLevel = (value: Value): boolean => (LEVELS as readonly Value[]).includes(value);

/** The classes of a room. */
export const shadeOf = (
  { value, overdue }: RoomValue,
  { kind, scale, categories }: Colours,
): string => {
  if (value === null) return '';
  if (kind === 'level') {
    const level = isLevel(value) ? String(value) : 'other';
    return `level-${level}${overdue ? ' overdue' : ''}`;
  }
  if (kind === 'number' && typeof value === 'number')
    return `step-${stepOf(value, scale ?? { min: value, max: value })}`;
  return categoryShade((categories ?? []).indexOf(String(value)));
};

/** @param index Among the categories. */
export const categoryShade = (index: number): string =>
  `category-${index >= 0 && index < OWN_CATEGORIES ? index : 'other'}`;

const stepOf = (value: number, { min, max }: NonNullable<Colours['scale']>): number => {
  const share = max > min ? (value - min) / (max - min) : 0.5;
  return Math.min(STEPS - 1, Math.max(0, Math.floor(share * STEPS)));
};

export const paintOf = (colours: Colours | undefined): ReadonlyMap<string, string> =>
  new Map(colours?.spaces.map((one) => [one.spaceId, shadeOf(one, colours)]));

/** The value of a room as text. */
export const wordsOf = (
  { value, count, overdue }: RoomValue,
  { kind, unit, colour }: Colours,
): string => {
  if (value === null) return '–';
  if (kind === 'level') {
    const counted = count === undefined ? '' : `${count.toLocaleString('en')} open, `;
    return `${counted}${colour === 'tickets' || count === 1 ? '' : 'worst '}${value}${overdue ? ', overdue' : ''}`;
  }
  return typeof value === 'string' ? value : reading(value, unit);
};
