/** Diagnostic rules as sentences. contract.md section 6. */
import type { Schemas } from '../../session/me.ts';
import { reading, type Point } from '../buildings/readings.ts';

export type Rule = Schemas['DiagnosticRule'];
export type RuleDraft = Schemas['DiagnosticRuleDraft'];
export type Comparison = Rule['comparison'];

const COMPARED: Readonly<Record<Exclude<Comparison, 'stale'>, string>> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
};

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `15 minutes`, `1 hour 30 minutes`. */
export const secondsWords = (seconds: number): string => {
  let left = seconds;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = unit === 'second' ? left : Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`);
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
};

export const className = (pointClass: string): string => pointClass.replaceAll('_', ' ');

/** The value type and unit of a rule's threshold: those of the points that it watches. */
export type Measure = Pick<Point, 'valueType' | 'unit'>;

/** `above 26 °C for 15 minutes` */
export const conditionWords = (
  {
    comparison,
    threshold,
    forSeconds = 0,
  }: Pick<Rule, 'comparison' | 'threshold'> & {
    readonly forSeconds?: number;
  },
  { valueType, unit }: Measure,
): string => {
  if (comparison === 'stale') return `no observation for ${secondsWords(threshold)}`;
  const lasting = forSeconds === 0 ? '' : ` for ${secondsWords(forSeconds)}`;
  if (valueType === 'boolean' && comparison === 'gte' && threshold === 1) return `yes${lasting}`;
  if (valueType === 'boolean' && comparison === 'lte' && threshold === 0) return `no${lasting}`;
  return `${COMPARED[comparison]} ${reading(threshold, unit)}${lasting}`;
};
