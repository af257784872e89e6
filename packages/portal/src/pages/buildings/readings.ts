import type { Schemas } from '../../session/me.ts';

export type Point = Schemas['Point'];

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export const reading = (value: number | boolean, unit: string | null): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return `${number.format(value)}${unit === null || unit === '1' ? '' : ` ${unit}`}`;
};
