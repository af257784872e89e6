/** Errors and warnings about a configuration. contract.md section 5. */
import { repeatedIn } from '../people/directory.ts';
import { isBlank } from '../blank.ts';
import { isLongerThan } from '../characters.ts';
import { repeatsIn } from '../repeats.ts';
import { allowedFrom, isTerminal, mayMove, ticketStates } from '../tickets/graph.ts';
import {
  CONFIGURATION_BYTES_MAX,
  MATCH_TEXT_CHARACTERS_MAX,
  SLA_WORKING_WEEKS_MAX,
} from './limits.ts';
import { isTimeZone } from '../../engine/time/time-zone.ts';
import { minuteOf, weekdays, weeklyMinutes } from './business-hours.ts';
import type { BusinessCalendar } from './business-hours.ts';
import type { Configuration, Match } from './configuration.ts';
import { plain } from './matching.ts';
import { missingLocations, type LocationKind } from './location-references.ts';
import { formProblems } from './form-problems.ts';
import { missingRequestTypes } from './request-type-references.ts';
import { shadowsOf } from './shadows.ts';

export interface ConfigurationProblem {
  readonly code: 'VALIDATION_FAILED' | 'EDGE_NOT_IN_GRAPH';
  /** As in the problem's `errors`: `routingRules[2].ruleId`. */
  readonly path: string;
  /** Names the rule, policy, calendar or workflow, and the problem. */
  readonly message: string;
}

/** In the order of the document; empty for a valid one. */
export const problemsOf = (configuration: Configuration): readonly ConfigurationProblem[] => [
  ...sizeProblems(configuration),
  ...blankProblems('', configuration),
  ...timeZoneProblems('timeZone', '', configuration.timeZone),
  ...textProblems('slaPolicies', configuration.slaPolicies),
  ...textProblems('routingRules', configuration.routingRules),
  ...policyProblems(configuration),
  ...Object.entries(configuration.calendars).flatMap(([name, calendar]) =>
    calendarProblems(`calendars.${name}`, `calendar "${name}"`, calendar),
  ),
  ...repeatsIn(configuration.routingRules.map(({ ruleId }) => ruleId)).map(({ value, index }) =>
    invalid(`routingRules[${index}].ruleId`, `another rule has the ruleId "${value}" already`),
  ),
  ...workflowProblems(configuration),
  ...(configuration.directory ? repeatedIn(configuration.directory) : []).map(({ path, message }) =>
    invalid(`directory.${path}`, message),
  ),
  ...formProblems(configuration.requestTypes ?? []).map(({ path, message }) =>
    invalid(path, message),
  ),
];

/**
 * Names locations that the organisation does not have, request types without an entry, rules that
 * never run because an earlier one stops at every ticket they match, and states that no ticket can
 * leave in a workflow.
 *
 * @param kinds The kind of each named location of the organisation, by id.
 */
export const warningsOf = (
  configuration: Configuration,
  kinds: ReadonlyMap<string, LocationKind>,
): readonly string[] => [
  ...missingLocations(configuration, kinds),
  ...missingRequestTypes(configuration),
  ...shadowsOf(configuration.routingRules).map(
    ({ ruleId, by }) => `Rule "${ruleId}" never runs: "${by}" stops at every ticket it matches.`,
  ),
  ...configuration.workflows.flatMap((workflow) =>
    ticketStates
      .filter((state) => !isTerminal(state) && allowedFrom(state, workflow).length === 0)
      .map((state) => `Workflow "${workflow.requestType}": no ticket can leave "${state}".`),
  ),
];

const sizeProblems = (configuration: Configuration): readonly ConfigurationProblem[] => {
  const bytes = utf8.encode(JSON.stringify(configuration)).length;
  return bytes > CONFIGURATION_BYTES_MAX
    ? [invalid('', `must not have more than ${CONFIGURATION_BYTES_MAX} bytes; it has ${bytes}`)]
    : [];
};

/** No text of a configuration may be blank, whatever it says. */
const blankProblems = (path: string, value: unknown): readonly ConfigurationProblem[] => {
  if (typeof value === 'string') return isBlank(value) ? [invalid(path, 'must not be blank')] : [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => blankProblems(`${path}[${index}]`, item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [
      ...(isBlank(name) ? [invalid(at, 'must not have a blank name')] : []),
      ...blankProblems(at, member),
    ];
  });
};

/** A single letter may expand to many, all of which would be searched in every ticket. */
const textProblems = (
  list: 'slaPolicies' | 'routingRules',
  members: readonly { readonly match?: Match }[],
): readonly ConfigurationProblem[] =>
  members.flatMap(({ match }, index) =>
    match?.text !== undefined && isLongerThan(plain(match.text), MATCH_TEXT_CHARACTERS_MAX)
      ? [
          invalid(
            `${list}[${index}].match.text`,
            `must not have more than ${MATCH_TEXT_CHARACTERS_MAX} characters after normalisation`,
          ),
        ]
      : [],
  );

const policyProblems = ({
  slaPolicies,
  calendars,
}: Configuration): readonly ConfigurationProblem[] => [
  ...repeatsIn(slaPolicies.map(({ name }) => name)).map(({ value, index }) =>
    invalid(`slaPolicies[${index}].name`, `another policy is called "${value}" already`),
  ),
  ...slaPolicies.flatMap(({ name, calendar, firstResponseMinutes, resolutionMinutes }, index) => {
    if (calendar === undefined) return [];
    const hours = Object.hasOwn(calendars, calendar) ? calendars[calendar] : undefined;
    if (!hours) {
      const message = `policy "${name}" names the calendar "${calendar}", which there is not`;
      return [invalid(`slaPolicies[${index}].calendar`, message)];
    }
    const minutes = Math.max(firstResponseMinutes ?? 0, resolutionMinutes ?? 0);
    if (minutes <= weeklyMinutes(hours) * SLA_WORKING_WEEKS_MAX) return [];
    const message = `policy "${name}": "${calendar}" has not ${minutes} minutes in five years`;
    return [invalid(`slaPolicies[${index}].calendar`, message)];
  }),
];

/** @param before Precedes the message. */
const timeZoneProblems = (
  path: string,
  before: string,
  name: string | undefined,
): readonly ConfigurationProblem[] =>
  name === undefined || isTimeZone(name)
    ? []
    : [invalid(path, `${before}there is no time zone "${name}"`)];

const calendarProblems = (
  path: string,
  which: string,
  calendar: BusinessCalendar,
): readonly ConfigurationProblem[] => {
  const zone = timeZoneProblems(`${path}.timeZone`, `${which}: `, calendar.timeZone);
  const days = weekdays.flatMap((day) =>
    (calendar.weekly[day] ?? []).flatMap(([from, until], index, all) => {
      const place = `${path}.weekly.${day}[${index}]`;
      const before = all[index - 1];
      if (minuteOf(until) <= minuteOf(from)) {
        return [invalid(place, `${which}: ${from} to ${until} has no time in it`)];
      }
      return before && minuteOf(from) < minuteOf(before[1])
        ? [invalid(place, `${which}: ${from} is before ${before[1]}, where the last one ends`)]
        : [];
    }),
  );
  const isEmpty = weekdays.every((day) => (calendar.weekly[day] ?? []).length === 0);
  return [
    ...zone,
    ...days,
    ...(isEmpty ? [invalid(`${path}.weekly`, `${which} has no working time at all`)] : []),
  ];
};

const workflowProblems = ({ workflows }: Configuration): readonly ConfigurationProblem[] => [
  ...repeatsIn(workflows.map(({ requestType }) => requestType)).map(({ value, index }) =>
    invalid(`workflows[${index}].requestType`, `"${value}" has another workflow already`),
  ),
  ...workflows.flatMap(({ requestType, transitions }, index) =>
    ticketStates.flatMap((from) =>
      (transitions[from] ?? []).flatMap((to, at): readonly ConfigurationProblem[] => {
        if (mayMove(from, to)) return [];
        const allowed = allowedFrom(from).join(', ') || 'nowhere';
        return [
          {
            code: 'EDGE_NOT_IN_GRAPH',
            path: `workflows[${index}].transitions.${from}[${at}]`,
            message:
              `workflow "${requestType}" adds ${from} to ${to}: a workflow can only remove ` +
              `edges, and the graph leads from ${from} to ${allowed}`,
          },
        ];
      }),
    ),
  ),
];

const invalid = (path: string, message: string): ConfigurationProblem => ({
  code: 'VALIDATION_FAILED',
  path,
  message,
});

const utf8 = new TextEncoder();
