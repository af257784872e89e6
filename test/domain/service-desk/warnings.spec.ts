import { describe, expect, it } from 'vitest';
import {
  missingLocations,
  namesReplaceable,
  referencedLocations,
  withAliases,
  type LocationKind,
} from '../../../src/domain/service-desk/location-references.ts';
import { warningsOf } from '../../../src/domain/service-desk/problems.ts';
import { MATCH_VALUES_MAX } from '../../../src/domain/service-desk/limits.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';

const policy = { name: 'gold', firstResponseMinutes: 10, resolutionMinutes: null };
const id = (n: number) => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`;
const kinds = new Map<string, LocationKind>([
  [id(1), 'building'],
  [id(2), 'storey'],
  [id(3), 'space'],
  [id(4), 'element'],
]);

describe('the locations that a configuration names', () => {
  const document = configured({
    slaPolicies: [{ ...policy, match: { buildingId: [id(1), id(9)] } }],
    routingRules: [rule('gas', { match: { spaceId: id(3), elementId: [id(4), id(9)] } })],
  });

  it('are those of policies and rules, each once', () =>
    expect(referencedLocations(document)).toEqual([id(1), id(9), id(3), id(4)]));

  it('can be replaced by an import, but for buildings', () => {
    expect(namesReplaceable(document)).toBe(true);
    expect(namesReplaceable({ ...document, routingRules: [] })).toBe(false);
  });

  it('are also named by the other ids of an alias', () => {
    const aliases = new Map([
      [id(3), [id(13), id(23)]],
      [id(4), [id(14)]],
    ]);
    const elementId = [id(4), id(9), id(14)];
    expect(withAliases(document, aliases)).toEqual({
      ...document,
      routingRules: [rule('gas', { match: { spaceId: [id(3), id(13), id(23)], elementId } })],
    });
    expect(withAliases(document, new Map())).toBe(document);
  });

  it('are reported as missing by rule or policy, kind and id', () =>
    expect(warningsOf(document, kinds)).toEqual([
      `Policy "gold" names a building that the organisation does not have: ${id(9)}.`,
      `Rule "gas" names an element that the organisation does not have: ${id(9)}.`,
    ]));

  it.each([
    ['storeyId', id(3), 'storey'],
    ['spaceId', id(2), 'space'],
    ['elementId', id(1), 'element'],
    ['buildingId', id(4), 'building'],
  ])('are of the kind of their member: %s', (member, other, kind) => {
    const [warning] = missingLocations(
      configured({ routingRules: [rule('a', { match: { [member]: other } })] }),
      kinds,
    );
    expect(warning).toContain(`${kind} that the organisation does not have: ${other}.`);
  });

  it('are listed up to ten in one warning', () => {
    const spaceId = Array.from({ length: MATCH_VALUES_MAX }, (_, n) => id(100 + n));
    const all = missingLocations(
      configured({ routingRules: [rule('a', { match: { spaceId } })] }),
      kinds,
    );
    const listed = spaceId.slice(0, 10).join(', ');
    const more = `and ${MATCH_VALUES_MAX - 10} more.`;
    expect(all).toEqual([
      `Rule "a" names a space that the organisation does not have: ${listed} ${more}`,
    ]);
  });
});

describe('the request types that a configuration names', () => {
  const named = {
    slaPolicies: [{ ...policy, match: { requestType: ['leak', 'general'] } }],
    routingRules: [rule('water', { match: { requestType: ['laek', 'leek', 'other'] } })],
    workflows: [{ requestType: 'keys', transitions: {} }],
  };
  const entries = (...types: string[]) =>
    types.map((requestType) => ({ requestType, name: requestType, fields: [] }));
  const warned = (document: object) => warningsOf(configured(document), new Map());

  it('are reported as missing from a desk with entries, with the probable intended name', () =>
    expect(warned({ ...named, requestTypes: entries('leak', 'key') })).toEqual([
      'Rule "water" names a request type that has no entry: laek (did you mean leak?), ' +
        'leek (did you mean leak?), other.',
      'A workflow names a request type that has no entry: keys (did you mean key?).',
    ]));

  it('are not checked when the desk has no entries', () => {
    expect(warned(named)).toEqual([]);
    expect(warned({ ...named, requestTypes: [] })).toEqual([]);
  });

  it('are listed up to ten in one warning', () => {
    const requestType = Array.from({ length: MATCH_VALUES_MAX }, (_, n) => `type-${100 + n}`);
    const [warning] = warned({
      routingRules: [rule('a', { match: { requestType } })],
      requestTypes: entries('leak'),
    });
    expect(warning).toContain(`type-109 and ${MATCH_VALUES_MAX - 10} more.`);
  });
});

describe('a workflow', () => {
  const warned = (transitions: object) =>
    warningsOf(configured({ workflows: [{ requestType: 'repair', transitions }] }), new Map());

  it('causes a warning with each state that no ticket can leave', () =>
    expect(warned({ new: ['triaged'], triaged: ['waiting'], waiting: [], resolved: [] })).toEqual([
      'Workflow "repair": no ticket can leave "waiting".',
      'Workflow "repair": no ticket can leave "resolved".',
    ]));

  it.each([
    ['keeps the whole graph', {}],
    ['removes some ways', { new: ['triaged'], triaged: ['in_progress', 'resolved'] }],
    ['names the states at the end of the graph', { closed: [], cancelled: [] }],
  ])('causes none when it %s', (_, transitions) => expect(warned(transitions)).toEqual([]));
});
