/**
 * The locations of the building graph that a configuration's matches name. contract.md section 5.
 */
import { locationMembers } from '../buildings/location.ts';
import { withArticle } from '../with-article.ts';
import type { Configuration, Match } from './configuration.ts';

/** Ids that one warning lists. */
const WARNED_PLACES_MAX = 10;

const members = {
  buildingId: 'building',
  storeyId: 'storey',
  spaceId: 'space',
  elementId: 'element',
} as const satisfies Partial<Record<keyof Match, string>>;

type Member = keyof typeof members;
export type LocationKind = (typeof members)[Member];

interface Named {
  /** `Rule "gas"`. */
  readonly by: string;
  readonly kind: LocationKind;
  readonly ids: readonly string[];
}

const namedIn = ({ slaPolicies, routingRules }: Configuration): readonly Named[] =>
  [
    ...slaPolicies.map(({ name, match }) => ({ by: `Policy "${name}"`, match })),
    ...routingRules.map(({ ruleId, match }) => ({ by: `Rule "${ruleId}"`, match })),
  ].flatMap(({ by, match = {} }) =>
    (Object.keys(members) as Member[]).flatMap((member) => {
      const named = match[member];
      return named === undefined ? [] : [{ by, kind: members[member], ids: [named].flat() }];
    }),
  );

/** The ids of all named locations, each once. */
export const referencedLocations = (configuration: Configuration): readonly string[] => [
  ...new Set(namedIn(configuration).flatMap(({ ids }) => ids)),
];

/** Whether a match names a storey, space or element, which an import can replace. */
export const namesReplaceable = ({ slaPolicies, routingRules }: Configuration): boolean =>
  [slaPolicies, routingRules].some((all) =>
    all.some(
      ({ match }) => match !== undefined && locationMembers.some((member) => member in match),
    ),
  );

/**
 * The configuration in which matches that name a location by an alias name it by its other ids too.
 *
 * @param aliases By an id of a location, others of its ids.
 */
export const withAliases = (
  configuration: Configuration,
  aliases: ReadonlyMap<string, readonly string[]>,
): Configuration => {
  if (aliases.size === 0) return configuration;
  const extended = (match: Match): Match => {
    const named = (Object.keys(members) as Member[]).flatMap((member) => {
      const ids = [match[member] ?? []].flat();
      const others = ids.flatMap((id) => aliases.get(id) ?? []);
      return others.length === 0 ? [] : [[member, [...ids, ...others]] as const];
    });
    return named.length === 0 ? match : { ...match, ...Object.fromEntries(named) };
  };
  return {
    ...configuration,
    slaPolicies: configuration.slaPolicies.map((policy) =>
      policy.match ? { ...policy, match: extended(policy.match) } : policy,
    ),
    routingRules: configuration.routingRules.map((rule) => ({
      ...rule,
      match: extended(rule.match),
    })),
  };
};

/**
 * Names each rule and policy whose match has a location that the organisation does not have.
 *
 * @param kinds The kind of each named location of the organisation, by id.
 */
export const missingLocations = (
  configuration: Configuration,
  kinds: ReadonlyMap<string, LocationKind>,
): readonly string[] =>
  namedIn(configuration).flatMap(({ by, kind, ids }) => {
    const missing = ids.filter((id) => kinds.get(id) !== kind);
    if (missing.length === 0) return [];
    const some = missing.slice(0, WARNED_PLACES_MAX).join(', ');
    const others = missing.length - WARNED_PLACES_MAX;
    const more = others > 0 ? ` and ${others} more` : '';
    return [
      `${by} names ${withArticle(kind)} that the organisation does not have: ${some}${more}.`,
    ];
  });
