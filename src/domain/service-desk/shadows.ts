/**
 * Rules that never run because an earlier one stops at every ticket they match. contract.md section
 * 5.
 *
 * All rules are compared at once: a set of rules is a number with one bit per rule, and every value
 * of a match is looked up once, however many rules name it.
 */
import type { Match, RoutingRule } from './configuration.ts';
import { finderOf, matchedMembers, valuesOf } from './matching.ts';

export interface Shadow {
  readonly ruleId: string;
  /** The first one that always stops before it. */
  readonly by: string;
}

/** In the order of the rules. Disabled ones neither stop nor are named. */
export const shadowsOf = (routingRules: readonly RoutingRule[]): readonly Shadow[] => {
  const rules = routingRules.filter(({ enabled }) => enabled !== false);
  const stops = rulesWhere(rules, ({ stop }) => stop === true);
  const priorityRules = rulesWhere(rules, ({ match }) => match.priority !== undefined);
  const covering = coveringOf(rules);
  let raisedAt = -1;
  return rules.flatMap(({ ruleId, match, raisePriorityTo }, index) => {
    // A priority raised between the two rules is visible to the later one only.
    const distinguished = raisedAt < 0 ? 0n : priorityRules & rulesBefore(raisedAt);
    const candidates = stops & rulesBefore(index) & ~distinguished;
    if (raisePriorityTo !== undefined) raisedAt = index;
    const by = firstOf(candidates === 0n ? 0n : candidates & covering(match));
    return by === null ? [] : [{ ruleId, by: rules[by]!.ruleId }];
  });
};

/** A bit set: one bit for each rule, by its index. */
type Rules = bigint;

/** The rules that provably match every ticket that a match matches. */
const coveringOf = (rules: readonly RoutingRule[]): ((narrow: Match) => Rules) => {
  const members = matchedMembers.map((name) => ({
    name,
    ...indexOf(rules, ({ [name]: condition }) =>
      condition === undefined ? null : valuesOf(condition),
    ),
  }));
  const texts = indexOf(rules, ({ text }) => (text === undefined ? null : [text]));
  const find = finderOf([...texts.byValue.keys()]);
  return (narrow) => {
    let wider = texts.open | unionOf(texts, narrow.text === undefined ? [] : find(narrow.text));
    for (const { name, open, byValue } of members) {
      if (wider === 0n) return wider;
      const condition = narrow[name];
      let matching = open;
      if (condition !== undefined) {
        matching = valuesOf(condition).reduce(
          (rulesSoFar, value) => rulesSoFar & (byValue.get(value) ?? 0n),
          wider,
        );
      }
      wider &= open | matching;
    }
    return wider;
  };
};

interface Index {
  /** Rules without this condition. */
  readonly open: Rules;
  /** Rules that name the value. */
  readonly byValue: ReadonlyMap<string, Rules>;
}

/** @param valuesIn `null`: the rule has no such condition. */
const indexOf = (
  rules: readonly RoutingRule[],
  valuesIn: (match: Match) => readonly string[] | null,
): Index => {
  const byValue = new Map<string, Rules>();
  let open = 0n;
  for (const [index, { match }] of rules.entries()) {
    const bit = 1n << BigInt(index);
    const values = valuesIn(match);
    if (values === null) open |= bit;
    else for (const value of values) byValue.set(value, (byValue.get(value) ?? 0n) | bit);
  }
  return { open, byValue };
};

const unionOf = ({ byValue }: Index, values: readonly string[]): Rules =>
  values.reduce((all, value) => all | (byValue.get(value) ?? 0n), 0n);

const rulesWhere = (rules: readonly RoutingRule[], holds: (rule: RoutingRule) => boolean): Rules =>
  rules.reduce((all, rule, at) => (holds(rule) ? all | (1n << BigInt(at)) : all), 0n);

const rulesBefore = (index: number): Rules => (1n << BigInt(index)) - 1n;

const firstOf = (rules: Rules): number | null =>
  rules === 0n ? null : (rules & -rules).toString(2).length - 1;
