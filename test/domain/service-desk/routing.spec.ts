import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Configuration,
  Match,
  RoutingRule,
} from '../../../src/domain/service-desk/configuration.ts';
import {
  finderOf,
  matches as matchesGiven,
  configuredTextsFinder,
  textsFinder,
} from '../../../src/domain/service-desk/matching.ts';
import { warningsOf } from '../../../src/domain/service-desk/problems.ts';
import { route, type Routable } from '../../../src/domain/service-desk/routing.ts';
import { slaTermsOf } from '../../../src/domain/service-desk/sla-terms.ts';
import { priorities } from '../../../src/domain/tickets/events.ts';
import { configured, routable, rule } from '../../support/domain/service-desk.ts';

const routedBy = (configuration: Configuration, parts: Partial<Routable> = {}) => {
  const ticket = routable(parts);
  return route(configuration, ticket, configuredTextsFinder([configuration])(ticket));
};

const routed = (routingRules: readonly RoutingRule[], parts: Partial<Routable> = {}) =>
  routedBy(configured({ routingRules: [...routingRules] }), parts);

const termsOf = (configuration: Configuration, parts: Partial<Routable> = {}) => {
  const ticket = routable(parts);
  return slaTermsOf(configuration, ticket, configuredTextsFinder([configuration])(ticket));
};

const matches = (match: Match, ticket: Routable): boolean =>
  matchesGiven(match, ticket, textsFinder(match.text === undefined ? [] : [match.text])(ticket));

const says = (whole: string, words: string): boolean => finderOf([words])(whole).length > 0;

const [one, other] = [
  '0b000000-0000-4000-8000-000000000001',
  '0b000000-0000-4000-8000-000000000002',
];

describe('a match', () => {
  it('without conditions matches every ticket', () => expect(matches({}, routable())).toBe(true));

  it.each([
    ['requestType', 'repair', 'general'],
    ['priority', 'high', 'medium'],
    ['category', 'hvac', 'lighting'],
    ['buildingId', one, other],
    ['storeyId', one, other],
    ['spaceId', one, other],
    ['elementId', one, other],
  ])('matches a %s, or one of a list', (name, value, another) => {
    const ticket = routable({ [name]: value });
    expect(matches({ [name]: value }, ticket)).toBe(true);
    expect(matches({ [name]: another }, ticket)).toBe(false);
    expect(matches({ [name]: [another, value] }, ticket)).toBe(true);
    expect(matches({ [name]: [another] }, ticket)).toBe(false);
  });

  it.each(['category', 'storeyId', 'spaceId', 'elementId'])(
    'with a %s does not match a ticket without one',
    (name) => expect(matches({ [name]: one }, routable({ [name]: null }))).toBe(false),
  );

  it('requires all of its conditions', () => {
    const match: Match = { priority: 'high', category: 'hvac', text: 'leak' };
    const ticket = { priority: 'high', category: 'hvac', subject: 'A leak' } as const;
    expect(matches(match, routable(ticket))).toBe(true);
    expect(matches(match, routable({ ...ticket, priority: 'low' }))).toBe(false);
    expect(matches(match, routable({ ...ticket, category: null }))).toBe(false);
    expect(matches(match, routable({ ...ticket, subject: 'A lamp' }))).toBe(false);
  });

  it('finds its text in the subject or in the description', () => {
    expect(matches({ text: 'gas' }, routable({ subject: 'Gas in the cellar' }))).toBe(true);
    expect(matches({ text: 'gas' }, routable({ description: 'It smells of GAS.' }))).toBe(true);
    expect(matches({ text: 'gas' }, routable({ subject: 'Glass broken' }))).toBe(false);
    const split = { subject: 'water', description: 'leak' };
    expect(matches({ text: 'water leak' }, routable(split))).toBe(false);
  });

  it.each([
    ['The LIFT is stuck', 'lift', true],
    ['The façade', 'FAÇADE', true],
    ['The fac\u0327ade', 'façade', true],
    ['A facelift', 'lift', false],
    ['All lifts', 'lift', false],
    ['Lift2 is stuck', 'lift', false],
    ['(lift)', 'lift', true],
    ['lift', 'lift', true],
    ['A facelift for the lift', 'lift', true],
    ['water \n  leak', 'water leak', true],
    ['waterleak', 'water leak', false],
    ['It says C++!', 'c++', true],
    ['24/7', '24/7', true],
    ['厕所漏水了', '漏水', true],
    ['トイレの水漏れです', '水漏れ', true],
    ['Störung im Überdruckventil', 'ventil', false],
    ['ÖL', 'öl', true],
    ['.*', 'a', false],
    ['𝐀lift', 'lift', false],
    ['🛗lift🛗', 'lift', true],
    ['STRASSE', 'straße', true],
    ['Straße', 'STRASSE', true],
    ['STRAẞE', 'straße', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['Ο.Σ.', 'Σ', true],
    ['İSTANBUL', 'istanbul', true],
    ['IŞIK', 'ışık', true],
    ['The door won’t close', "won't", true],
    ["The door won't close", 'won’t', true],
    ['The wi‑fi is down', 'Wi-Fi', true],
    ['Noise – all night', 'noise - all', true],
    ['The hea\u00adting', 'heating', true],
    ['A leak\u00adage', 'leak', false],
  ])('reads "%s" for "%s" as whole words, ignoring case: %s', (whole, words, found) =>
    expect(says(whole, words)).toBe(found),
  );
});

describe('routing', () => {
  it('leaves a ticket unchanged without rules', () =>
    expect(routed([])).toEqual({
      priority: 'medium',
      assignedTeamId: null,
      assignedUserId: null,
      assignedBy: null,
      triagedBy: null,
      triageForbidden: false,
      notes: [],
      ruleIds: [],
      steps: [],
    }));

  it('runs the rules in order: a later team replaces an earlier one', () => {
    const { assignedTeamId, assignedUserId, assignedBy, ruleIds } = routed([
      rule('a', { assignTeamId: 'hvac', assignUserId: 'ana' }),
      rule('b', { assignTeamId: 'night' }),
    ]);
    expect([assignedTeamId, assignedUserId, assignedBy]).toEqual(['night', 'ana', 'b']);
    expect(ruleIds).toEqual(['a', 'b']);
  });

  it('names the last rule that changed the assignment, not one that repeats it', () =>
    expect(
      routed([rule('a', { assignTeamId: 'hvac' }), rule('b', { assignTeamId: 'hvac' })]).assignedBy,
    ).toBe('a'));

  it('gives each rule the priority set by earlier rules', () => {
    const rules = [
      rule('raise', { match: { text: 'flickers' }, raisePriorityTo: 'high' }),
      rule('high', { match: { priority: 'high' }, assignTeamId: 'night' }),
      rule('medium', { match: { priority: 'medium' }, assignTeamId: 'day' }),
    ];
    expect(routed(rules)).toMatchObject({
      priority: 'high',
      assignedTeamId: 'night',
      ruleIds: ['raise', 'high'],
    });
  });

  it.each(priorities.flatMap((from) => priorities.map((to) => [from, to] as const)))(
    'never lowers a priority: %s raised to %s',
    (from, to) => {
      const { priority } = routed([rule('a', { raisePriorityTo: to })], { priority: from });
      const higher = Math.max(priorities.indexOf(from), priorities.indexOf(to));
      expect(priority).toBe(priorities[higher]);
    },
  );

  it('skips disabled and unmatched rules, and ends at a rule with stop', () => {
    const { steps, ruleIds, assignedTeamId } = routed([
      rule('off', { enabled: false, assignTeamId: 'a', stop: true }),
      rule('other', { match: { priority: 'low' }, assignTeamId: 'b', stop: true }),
      rule('last', { assignTeamId: 'c', stop: true }),
      rule('never', { assignTeamId: 'd' }),
    ]);
    expect(assignedTeamId).toBe('c');
    expect(ruleIds).toEqual(['last']);
    expect(steps.map(({ outcome }) => outcome)).toEqual([
      'disabled',
      'not_matched',
      'matched',
      'not_reached',
    ]);
  });

  it('triages once, by the first rule with triage', () => {
    const { triagedBy, triageForbidden, notes } = routed([
      rule('a', { triage: true }),
      rule('b', { triage: true }),
    ]);
    expect([triagedBy, triageForbidden, notes]).toEqual(['a', false, []]);
  });

  it('leaves it new, with one note, when the workflow does not allow triaging', () => {
    const rules = [rule('a', { triage: true, note: 'Look soon.' }), rule('b', { triage: true })];
    const workflows = [{ requestType: 'general', transitions: { new: ['cancelled' as const] } }];
    const configuration = configured({ routingRules: rules, workflows });
    const { triagedBy, triageForbidden, notes } = routedBy(configuration);
    expect([triagedBy, triageForbidden]).toEqual([null, true]);
    expect(notes).toEqual([
      {
        ruleId: 'a',
        body:
          'Rule "Rule a" would have triaged this ticket; ' +
          'the workflow of "general" does not allow it.',
      },
      { ruleId: 'a', body: 'Look soon.' },
    ]);
    const another = routedBy(configuration, { requestType: 'repair' });
    expect(another.triagedBy).toBe('a');
  });

  it('adds the notes of the rules, in their order', () =>
    expect(routed([rule('a', { note: 'First.' }), rule('b', { note: 'Second.' })]).notes).toEqual([
      { ruleId: 'a', body: 'First.' },
      { ruleId: 'b', body: 'Second.' },
    ]));

  it('reports for each rule exactly its own changes', () => {
    const full = { assignTeamId: 'hvac', raisePriorityTo: 'high', triage: true } as const;
    expect(routed([rule('a', full), rule('b', full)]).steps).toEqual([
      {
        ruleId: 'a',
        name: 'Rule a',
        outcome: 'matched',
        changes: { assignedTeamId: 'hvac', priority: 'high', triage: 'done' },
      },
      { ruleId: 'b', name: 'Rule b', outcome: 'matched', changes: {} },
    ]);
  });
});

describe('service levels', () => {
  const policy = { firstResponseMinutes: 10, resolutionMinutes: null };
  const calendars = { office: { timeZone: 'UTC', weekly: { monday: [['09:00', '17:00']] } } };

  it('are those of the first policy that matches', () => {
    const slaPolicies = [
      { name: 'gas', match: { text: 'gas' }, firstResponseMinutes: 5, resolutionMinutes: 60 },
      { name: 'all', ...policy, warningPercent: 50, pauseWhileWaiting: true },
      { name: 'late', ...policy },
    ];
    expect(termsOf(configured({ slaPolicies }))).toEqual({
      policy: 'all',
      ...policy,
      warningPercent: 50,
      calendar: null,
      pauseWhileWaiting: true,
    });
    const gas = termsOf(configured({ slaPolicies }), { subject: 'Gas!' });
    expect(gas).toMatchObject({ policy: 'gas', warningPercent: 80, pauseWhileWaiting: false });
  });

  it('carry the calendar that the policy names', () => {
    const calendar = { ...calendars.office, holidays: [] } as never;
    const slaPolicies = [{ name: 'all', ...policy, calendar: 'office' }];
    const configuration = configured({ slaPolicies, calendars: { office: calendar } });
    expect(termsOf(configuration).calendar).toBe(calendar);
  });

  it('are the defaults by priority when no policy matches', () => {
    const slaPolicies = [{ name: 'high', match: { priority: 'high' as const }, ...policy }];
    expect(termsOf(configured({ slaPolicies }))).toEqual({
      policy: null,
      firstResponseMinutes: 240,
      resolutionMinutes: 1440,
      warningPercent: 80,
      calendar: null,
      pauseWhileWaiting: false,
    });
  });
});

describe('a rule that never runs', () => {
  const warned = (...rules: readonly RoutingRule[]) =>
    warningsOf(configured({ routingRules: [...rules] }), new Map());

  it('is named with the rule that stops before it', () =>
    expect(
      warned(
        rule('a', { match: { category: ['hvac', 'water'] }, stop: true }),
        rule('b', { match: { category: 'hvac', priority: 'high' } }),
      ),
    ).toEqual(['Rule "b" never runs: "a" stops at every ticket it matches.']));

  it.each([
    ['does not stop', {}, {}],
    ['is disabled', { enabled: false, stop: true }, {}],
    ['is narrower', { match: { category: 'hvac' }, stop: true }, {}],
    ['is about other values', { match: { category: 'a' }, stop: true }, { category: ['a', 'b'] }],
    ['looks for longer words', { match: { text: 'gas leak' }, stop: true }, { text: 'leak' }],
  ] as const)('is not reported when the earlier rule %s', (_, before, match) =>
    expect(
      warned(rule('a', before as Partial<RoutingRule>), rule('b', { match } as never)),
    ).toEqual([]),
  );

  it('is not reported where a rule in between raises the priority beyond the first', () =>
    expect(
      warned(
        rule('a', { match: { priority: 'high' }, stop: true }),
        rule('b', { raisePriorityTo: 'high' }),
        rule('c', { match: { priority: 'high' } }),
      ),
    ).toEqual([]));

  it('is reported even when the stopping rule itself raises the priority', () => {
    const match = { priority: 'low' } as const;
    expect(
      warned(rule('a', { match, raisePriorityTo: 'high', stop: true }), rule('b', { match })),
    ).toHaveLength(1);
  });

  it('is named with the first rule that covers its whole condition', () => {
    const values = ['a', 'b', 'c'];
    const anyMatch = fc.record(
      {
        category: fc.subarray(values, { minLength: 1 }),
        requestType: fc.constantFrom(...values),
        text: fc.constantFrom('gas', 'leak', 'gas leak'),
      },
      { requiredKeys: [] },
    );
    const covers = (wide: Match, narrow: Match) =>
      (['category', 'requestType'] as const).every((name) => {
        const [all, some] = [wide[name], narrow[name]];
        return (
          all === undefined || (some !== undefined && [some].flat().every((v) => all.includes(v)))
        );
      }) &&
      (wide.text === undefined || (narrow.text ?? '').includes(wide.text));
    const anyRule = fc.record({ match: anyMatch, stop: fc.boolean() });
    let seen = 0;
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 8 }), (rules) => {
        const named = rules.map((parts, index) => rule(`${index}`, parts));
        const expected = named.flatMap(({ ruleId, match }, index) => {
          const by = named.slice(0, index).find((one) => one.stop && covers(one.match, match));
          return by
            ? [`Rule "${ruleId}" never runs: "${by.ruleId}" stops at every ticket it matches.`]
            : [];
        });
        seen += expected.length;
        expect(warned(...named)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
    expect(seen).toBeGreaterThan(100);
  });

  it('does not run for any ticket', () => {
    const words = ['gas', 'leak', 'gas leak', 'lamp'];
    const some = <Value>(...values: readonly Value[]) =>
      fc.subarray([...values], { minLength: 1 }).map((list) => list);
    const anyMatch: fc.Arbitrary<Match> = fc.record(
      {
        priority: some(...priorities),
        category: some('a', 'b'),
        text: fc.constantFrom(...words),
      },
      { requiredKeys: [] },
    );
    const anyRule = fc.record(
      {
        match: anyMatch,
        raisePriorityTo: fc.constantFrom(...priorities),
        stop: fc.constantFrom(true, true, false),
        enabled: fc.constantFrom(true, true, false),
      },
      { requiredKeys: ['match'] },
    );
    const anyTicket = fc.record({
      priority: fc.constantFrom(...priorities),
      category: fc.constantFrom('a', 'b', null),
      subject: fc.constantFrom(...words, null),
    });
    let seen = 0;
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), fc.array(anyTicket), (rules, tickets) => {
        const named = rules.map((parts, index) => rule(`${index}`, parts));
        const silent = warned(...named).map((warning) => /"(\d+)"/.exec(warning)?.[1]);
        seen += silent.length;
        const ran = new Set(tickets.flatMap((ticket) => routed(named, ticket).ruleIds));
        expect(silent.filter((ruleId) => ran.has(ruleId ?? ''))).toEqual([]);
      }),
      { numRuns: 600 },
    );
    expect(seen).toBeGreaterThan(10);
  });
});
