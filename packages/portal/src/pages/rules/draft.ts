/** The values of a rule's form, and their conversion from and to a rule. */
import { numberIn } from '../../typed-number.ts';
import type { Point } from '../buildings/readings.ts';
import type { Measure, Rule, RuleDraft } from './words.ts';

export const BLANK = {
  title: '',
  severity: 'high',
  target: 'class',
  pointId: '',
  pointClass: '',
  comparison: 'gt',
  threshold: '',
  silence: '1',
  silenceUnit: '3600',
  lasting: '15',
  lastingUnit: '60',
  /** Whether each fault raises a ticket; the members below describe that ticket. */
  raises: false as boolean,
  priority: 'medium',
  category: '',
  requestType: '',
};

export type RuleValues = typeof BLANK;

/** Errors by the fields of the form. */
export type RuleErrors = Partial<Record<keyof RuleValues, string>>;

export const TIME_UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;

/** `yes` and `no` stand for `gte 1` and `lte 0` of a boolean. */
const BOOLEAN = { yes: ['gte', 1], no: ['lte', 0] } as const;

const isBoolean = (comparison: string): comparison is keyof typeof BOOLEAN => comparison in BOOLEAN;

export const comparisonsOf = ({ valueType }: Measure) =>
  valueType === 'boolean'
    ? ([
        ['yes', 'is yes'],
        ['no', 'is no'],
        ['stale', 'is silent'],
      ] as const)
    : ([
        ['gt', 'is above'],
        ['gte', 'is at least'],
        ['lt', 'is below'],
        ['lte', 'is at most'],
        ['stale', 'is silent'],
      ] as const);

/** The chosen comparison if the measure has it, else its first one. */
export const comparisonIn = ({ comparison }: RuleValues, measure: Measure): string => {
  const offered = comparisonsOf(measure);
  return offered.find(([name]) => name === comparison)?.[0] ?? offered[0][0];
};

/** The rule, or what is missing. A trial needs no title. */
export const ruleOf = (
  values: RuleValues,
  measure: Measure,
  { isTrial }: { readonly isTrial: boolean },
): { readonly rule: RuleDraft } | { readonly errors: RuleErrors } => {
  const comparison = comparisonIn(values, measure);
  const errors: Record<string, string> = {};
  const need = (name: keyof RuleValues, number: number | null, words: string): number => {
    if (number === null) errors[name] = words;
    return number ?? 0;
  };
  const title = values.title.trim() || (isTrial ? 'Trial' : '');
  if (title === '') errors['title'] = 'Must not be blank';
  if (values.severity.trim() === '') errors['severity'] = 'Must not be blank';
  const member = values.target === 'point' ? 'pointId' : 'pointClass';
  if (values[member] === '') errors[member] = 'Choose the points to watch';
  const condition = () => {
    if (comparison === 'stale') {
      const silence = need('silence', numberIn(values.silence), 'Enter a duration');
      if (silence <= 0) errors['silence'] ??= 'Must be above 0';
      return { comparison: 'stale' as const, threshold: silence * Number(values.silenceUnit) };
    }
    const lasting = need('lasting', numberIn(values.lasting || '0'), 'Must be a number');
    const forSeconds = Math.round(lasting * Number(values.lastingUnit));
    if (isBoolean(comparison)) {
      const [compared, threshold] = BOOLEAN[comparison];
      return { comparison: compared, threshold, forSeconds };
    }
    const threshold = need('threshold', numberIn(values.threshold), 'Must be a number');
    return { comparison: comparison as Rule['comparison'], threshold, forSeconds };
  };
  const rule = {
    title,
    severity: values.severity.trim(),
    [member]: values[member],
    forSeconds: 0,
    ...condition(),
    ...(values.raises && { raiseTicket: ticketOf(values) }),
  };
  return Object.keys(errors).length > 0 ? { errors } : { rule };
};

const ticketOf = ({ priority, category, requestType }: RuleValues) => ({
  priority: priority as NonNullable<RuleDraft['raiseTicket']>['priority'],
  ...(category.trim() !== '' && { category: category.trim() }),
  ...(requestType.trim() !== '' && { requestType: requestType.trim() }),
});

const inUnits = (seconds: number): readonly [count: string, unit: string] => {
  const [unit] = TIME_UNITS.findLast(([size]) => seconds % Number(size) === 0) ?? TIME_UNITS[0];
  return [String(seconds / Number(unit)), unit];
};

/** The values of a form that copies a rule. */
export const valuesOf = (rule: Rule): RuleValues => {
  const { comparison, threshold, forSeconds, pointId = '', pointClass = '' } = rule;
  const [lasting, lastingUnit] = inUnits(forSeconds);
  const isStale = comparison === 'stale';
  const [silence, silenceUnit] = isStale ? inUnits(threshold) : [BLANK.silence, BLANK.silenceUnit];
  return {
    title: rule.title,
    severity: rule.severity,
    target: pointId === '' ? 'class' : 'point',
    pointId,
    pointClass,
    comparison,
    threshold: isStale ? '' : String(threshold),
    silence,
    silenceUnit,
    lasting,
    lastingUnit,
    raises: rule.raiseTicket !== undefined,
    priority: rule.raiseTicket?.priority ?? BLANK.priority,
    category: rule.raiseTicket?.category ?? '',
    requestType: rule.raiseTicket?.requestType ?? '',
  };
};

/** The form's wording of a boolean's comparison. */
export const spoken = (values: RuleValues, { valueType }: Measure): RuleValues => {
  if (valueType !== 'boolean') return values;
  const found = Object.entries(BOOLEAN).find(
    ([, [comparison, threshold]]) =>
      comparison === values.comparison && String(threshold) === values.threshold,
  );
  return found ? { ...values, comparison: found[0] } : values;
};

export const ofPoint = ({ id }: Pick<Point, 'id'>): RuleValues => ({
  ...BLANK,
  target: 'point',
  pointId: id,
});
