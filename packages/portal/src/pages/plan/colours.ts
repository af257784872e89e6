/** The colourings of rooms: the classes and the text of each value. */
import type { Schemas } from '../../session/requests.ts';
import { reading } from '../buildings/readings.ts';

export type Colours = Schemas['StoreyColours'];
export type Colouring = Schemas['PlanColourings']['items'][number];
export type RoomValue = Colours['spaces'][number];
type Value = RoomValue['value'];

/** Worst first; of tickets and of faults. */
export const LEVELS = ['critical', 'high', 'medium', 'low'] as const;

/** Steps of the numeric scale. */
export const STEPS = 9;
/** Categories with a colour of their own. */
export const OWN_CATEGORIES = 8;

const isLevel = (value: Value): boolean => (LEVELS as readonly Value[]).includes(value);

/** The classes of a room. */
const shadeOf = ({ value, overdue }: RoomValue, { kind, scale, categories }: Colours): string => {
  if (value === null) return '';
  if (kind === 'level') {
    const level = isLevel(value) ? String(value) : 'other';
    return `level-${level}${overdue ? ' overdue' : ''}`;
  }
  if (kind === 'number' && typeof value === 'number')
    return `step-${stepOf(value, scale ?? { min: value, max: value })}`;
  return categoryShade((categories as readonly Value[] | null)?.indexOf(value) ?? -1);
};

/** @param index The index of the category; beyond the last one, the colour is shared. */
export const categoryShade = (index: number): string =>
  `category-${index >= 0 && index < OWN_CATEGORIES ? index : 'other'}`;

const stepOf = (value: number, { min, max }: NonNullable<Colours['scale']>): number => {
  // The range of doubles is no double.
  const scaled = Number.isFinite(max - min) ? 1 : 0.5;
  const range = max * scaled - min * scaled;
  const share = range > 0 ? (value * scaled - min * scaled) / range : 0.5;
  return Math.min(STEPS - 1, Math.max(0, Math.floor(share * STEPS)));
};

/** Classes by room. */
export const paintOf = (colours: Colours | null): ReadonlyMap<string, string> =>
  new Map(colours?.spaces.map((room) => [room.spaceId, shadeOf(room, colours)]));

/** A value as text, with its unit. */
export const valueWords = (value: Value, unit: string | null): string => {
  if (value === null) return '–';
  return typeof value === 'string' ? value : reading(value, unit);
};

/** The value of a room as text: no information is conveyed by colour alone. */
export const roomWords = (
  { value, count = 0, overdue }: RoomValue,
  { kind, unit }: Colours,
): string => {
  if (kind !== 'level') return valueWords(value, unit);
  return `${count.toLocaleString('en')} open, ${String(value)}${overdue ? ', overdue' : ''}`;
};
