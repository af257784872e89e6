import { describe, expect, it } from 'vitest';
import type { BusinessCalendar } from '../../../src/domain/service-desk/business-hours.ts';
import { dueAfter } from '../../../src/domain/service-desk/business-hours.ts';
import { configurationSchema } from '../../../src/domain/service-desk/configuration.ts';
import type { Configuration } from '../../../src/domain/service-desk/configuration.ts';
import { deskDecider, deskEventSchemas, refusalOf } from '../../../src/domain/service-desk/desk.ts';
import { problemsOf } from '../../../src/domain/service-desk/problems.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { specify } from '../../support/domain/specify.ts';

const given = specify(deskDecider);
const organisation = 'acme';

const office: BusinessCalendar = {
  timeZone: 'Europe/Berlin',
  weekly: { monday: [['09:00', '17:00']] },
  holidays: ['2026-12-25'],
};

const policy = { name: 'all', firstResponseMinutes: 60, resolutionMinutes: null };

const full: Configuration = {
  slaPolicies: [{ ...policy, calendar: 'office', warningPercent: 50, pauseWhileWaiting: true }],
  calendars: { office },
  routingRules: [rule('gas', { match: { text: 'gas' }, raisePriorityTo: 'critical' })],
  workflows: [{ requestType: 'repair', transitions: { new: ['triaged'] } }],
};

const set = (configuration: Configuration) =>
  ({ type: 'ReplaceConfiguration', organisation, configuration }) as const;
const replaced = (configuration: Configuration) =>
  ({ type: 'ConfigurationReplaced', organisation, configuration }) as const;

const places = (parts: Partial<Configuration>) =>
  problemsOf(configured(parts)).map(({ code, path }) => [code, path]);

const withHours = (parts: Partial<BusinessCalendar>) =>
  places({ calendars: { office: { ...office, ...parts } } });

describe('words in a document', () => {
  const ruled = (over: object) =>
    configured({ routingRules: [{ ...rule('a', { match: {} }), ...over }] });

  it('follow the rules of ticket fields: trimmed, and no comma in a category', () => {
    const put = ruled({ match: { category: [' lifts '] }, assignTeamId: ' crew ' });
    expect(configurationSchema.parse(put).routingRules).toMatchObject([
      { match: { category: ['lifts'] }, assignTeamId: 'crew' },
    ]);
    expect(configurationSchema.safeParse(ruled({ match: { category: 'a,b' } })).success).toBe(
      false,
    );
    expect(configurationSchema.safeParse(ruled({ assignUserId: ' ' })).success).toBe(false);
  });

  it('are kept unchanged in documents from before that rule', () => {
    const { ConfigurationReplaced } = deskEventSchemas;
    const put = ruled({ match: { category: ' a,b ' }, assignTeamId: ' crew ' });
    expect(ConfigurationReplaced.parse(replaced(put)).configuration).toEqual(put);
  });
});

describe('a service desk', () => {
  it('is configured by a whole document', () => {
    given().when(set(full)).records(replaced(full));
    given(replaced(full))
      .when(set(configured({})))
      .records(replaced(configured({})));
  });

  it('records the first document, even an empty one', () =>
    given()
      .when(set(configured({})))
      .records(replaced(configured({}))));

  it('records nothing for a document equal to the current one', () => {
    const reordered = {
      workflows: full.workflows,
      routingRules: full.routingRules.map(({ match, ...rest }) => ({ match, ...rest })),
      calendars: full.calendars,
      slaPolicies: full.slaPolicies,
    };
    given(replaced(full)).when(set(reordered)).recordsNothing();
  });

  it('treats documents that differ in the order of rules as different', () => {
    const [a, b] = [rule('a'), rule('b')];
    given(replaced(configured({ routingRules: [a, b] })))
      .when(set(configured({ routingRules: [b, a] })))
      .records(replaced(configured({ routingRules: [b, a] })));
  });

  it('is stored unchanged', () =>
    expect(deskEventSchemas.ConfigurationReplaced.parse(replaced(full))).toEqual(replaced(full)));
});

describe('a configuration', () => {
  it('without contradictions has no problems', () => expect(problemsOf(full)).toEqual([]));

  it('may not name a policy, a rule or a workflow twice', () => {
    const workflow = { requestType: 'repair', transitions: {} };
    const doubled = { ...full, slaPolicies: [policy, policy], workflows: [workflow, workflow] };
    expect(places({ ...doubled, routingRules: [rule('a'), rule('b'), rule('a')] })).toEqual([
      ['VALIDATION_FAILED', 'slaPolicies[1].name'],
      ['VALIDATION_FAILED', 'routingRules[2].ruleId'],
      ['VALIDATION_FAILED', 'workflows[1].requestType'],
    ]);
  });

  it.each(['nights', 'constructor', '__proto__'])(
    'may not name the calendar %s without it',
    (calendar) =>
      expect(places({ slaPolicies: [{ ...policy, calendar }], calendars: { office } })).toEqual([
        ['VALIDATION_FAILED', 'slaPolicies[0].calendar'],
      ]),
  );

  it('has working time in each of its calendars', () => {
    const nowhere = [['VALIDATION_FAILED', 'calendars.office.weekly']];
    expect(withHours({ weekly: {} })).toEqual(nowhere);
    expect(withHours({ weekly: { monday: [], sunday: [] } })).toEqual(nowhere);
  });

  it.each([
    ['empty', [['09:00', '09:00']], 0],
    ['backwards', [['22:00', '06:00']], 0],
    [
      'overlapping',
      [
        ['09:00', '12:00'],
        ['11:59', '17:00'],
      ],
      1,
    ],
    [
      'out of order',
      [
        ['13:00', '17:00'],
        ['09:00', '12:00'],
      ],
      1,
    ],
  ] as const)('has no intervals that are %s', (_, tuesday, index) =>
    expect(withHours({ weekly: { tuesday } })).toEqual([
      ['VALIDATION_FAILED', `calendars.office.weekly.tuesday[${index}]`],
    ]),
  );

  it('may have intervals that touch, up to the end of the day', () => {
    const friday = [
      ['00:00', '12:00'],
      ['12:00', '24:00'],
    ] as const;
    expect(withHours({ weekly: { friday } })).toEqual([]);
  });

  it('may name existing time zones only', () =>
    expect(withHours({ timeZone: 'Europe/Bielefeld' })).toEqual([
      ['VALIDATION_FAILED', 'calendars.office.timeZone'],
    ]));

  it('gives no policy more minutes than its calendar works in five years', () => {
    const calendars = { office: { ...office, weekly: { monday: [['09:00', '09:01']] as const } } };
    const minutes = (resolutionMinutes: number) =>
      places({ calendars, slaPolicies: [{ ...policy, resolutionMinutes, calendar: 'office' }] });
    expect(minutes(260)).toEqual([]);
    expect(minutes(261)).toEqual([['VALIDATION_FAILED', 'slaPolicies[0].calendar']]);
  });

  it('has due times even on the worst accepted calendar', () => {
    const holidays = Array.from({ length: 1000 }, (_, week) =>
      new Date(Date.UTC(2026, 2, 2 + week * 7)).toISOString().slice(0, 10),
    );
    const worst = { ...office, weekly: { monday: [['09:00', '09:01']] as const }, holidays };
    expect(dueAfter(worst, '2026-03-01T00:00:00.000Z', 260)).toBe('2050-04-18T07:01:00.000Z');
  });

  it('is no larger than one append of any log', () => {
    const routingRules = Array.from({ length: 20 }, (_, index) =>
      rule(`${index}`, { note: 'x'.repeat(15_000) }),
    );
    expect(places({ routingRules })).toEqual([['VALIDATION_FAILED', '']]);
  });

  it('bounds texts to match by their length after folding', () => {
    const text = 'ﷺ'.repeat(6);
    expect(places({ routingRules: [rule('a', { match: { text } })] })).toEqual([
      ['VALIDATION_FAILED', 'routingRules[0].match.text'],
    ]);
    expect(places({ slaPolicies: [{ ...policy, match: { text } }] })).toEqual([
      ['VALIDATION_FAILED', 'slaPolicies[0].match.text'],
    ]);
    for (const fitting of ['ﷺ'.repeat(5), '😀'.repeat(100)]) {
      const routingRules = [rule('a', { match: { text: fitting } })];
      expect(places({ routingRules })).toEqual([]);
    }
  });

  it('has no text without a visible character', () => {
    const directory = { users: [{ userId: 'ana', name: '\u200b' }], teams: [] };
    const calendars = { '\u00ad': office };
    const slaPolicies = [{ ...policy, name: '\u2060' }];
    expect(places({ slaPolicies, calendars, directory })).toEqual([
      ['VALIDATION_FAILED', 'slaPolicies[0].name'],
      ['VALIDATION_FAILED', 'calendars.\u00ad'],
      ['VALIDATION_FAILED', 'directory.users[0].name'],
    ]);
    const stored = replaced(configured({ slaPolicies, calendars, directory }));
    expect(deskEventSchemas.ConfigurationReplaced.parse(stored)).toEqual(stored);
  });

  it('adds no edge to the graph: the refusal names workflow, edge and reason', () => {
    const workflows = [
      { requestType: 'repair', transitions: { new: ['triaged' as const, 'closed' as const] } },
    ];
    expect(refusalOf(configured({ workflows }))).toEqual({
      refused: 'EDGE_NOT_IN_GRAPH',
      detail:
        'workflow "repair" adds new to closed: a workflow can only remove edges, ' +
        'and the graph leads from new to triaged, cancelled.',
      extra: {
        errors: [
          {
            path: 'workflows[0].transitions.new[1]',
            message:
              'workflow "repair" adds new to closed: a workflow can only remove edges, ' +
              'and the graph leads from new to triaged, cancelled',
          },
        ],
      },
    });
    given()
      .when(set(configured({ workflows })))
      .refuses('EDGE_NOT_IN_GRAPH');
  });

  it('reports schema errors before edges, and names both', () => {
    const workflows = [{ requestType: 'repair', transitions: { closed: ['new' as const] } }];
    const refusal = refusalOf(configured({ workflows, routingRules: [rule('a'), rule('a')] }));
    expect(refusal?.refused).toBe('VALIDATION_FAILED');
    expect(refusal?.extra?.['errors']).toHaveLength(2);
  });
});

describe('the shape of a configuration', () => {
  const fits = (parts: object) =>
    configurationSchema.safeParse({ ...configured({}), ...parts }).success;

  it('is the whole document', () => {
    expect(configurationSchema.safeParse(full).success).toBe(true);
    expect(configurationSchema.safeParse({}).success).toBe(false);
    expect(fits({ colour: 'red' })).toBe(false);
  });

  it.each([
    [{ requestType: 'Not a slug' }],
    [{ priority: 'urgent' }],
    [{ priority: [] }],
    [{ buildingId: 'b1' }],
    [{ text: '  ' }],
    [{ text: ['a'] }],
    [{ colour: 'red' }],
    [{ category: null }],
  ])('refuses the match %j', (match) =>
    expect(fits({ routingRules: [{ ...rule('a'), match }] })).toBe(false),
  );

  it.each([
    [{ firstResponseMinutes: 0 }],
    [{ firstResponseMinutes: 1.5 }],
    [{ resolutionMinutes: 525_601 }],
    [{ warningPercent: 100 }],
    [{ warningPercent: 0 }],
    [{ name: '' }],
  ])('refuses the policy %j', (parts) =>
    expect(fits({ slaPolicies: [{ ...policy, ...parts }] })).toBe(false),
  );

  it.each([
    [{ weekly: { montag: [] } }],
    [{ weekly: { monday: [['9:00', '17:00']] } }],
    [{ weekly: { monday: [['09:00', '24:01']] } }],
    [{ weekly: { monday: [['09:00']] } }],
    [{ holidays: ['2026-02-29'] }],
    [{ holidays: ['25.12.2026'] }],
  ])('refuses the calendar %j', (parts) =>
    expect(fits({ calendars: { office: { ...office, ...parts } } })).toBe(false),
  );

  it.each([
    ['routingRules', Array.from({ length: 201 }, (_, index) => rule(`${index}`))],
    ['routingRules', [rule('a', { match: { category: Array(101).fill('a') } })]],
    ['routingRules', [rule('a', { match: { text: 'a'.repeat(101) } })]],
    ['slaPolicies', Array.from({ length: 101 }, (_, index) => ({ ...policy, name: `${index}` }))],
    [
      'calendars',
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${index}`, office])),
    ],
    ['calendars', { office: { ...office, holidays: Array(501).fill('2026-12-25') } }],
    ['workflows', Array.from({ length: 51 }, () => ({ requestType: 'repair', transitions: {} }))],
    ['workflows', [{ requestType: 'repair', transitions: { new: Array(9).fill('triaged') } }]],
  ])('has a limit of %s', (name, list) => expect(fits({ [name]: list })).toBe(false));

  it('is read unchanged when stored under larger limits', () => {
    const match = { category: Array<string>(200).fill('a'), text: 'a'.repeat(200) };
    const event = {
      type: 'ConfigurationReplaced',
      organisation: 'acme',
      configuration: configured({ routingRules: [rule('a', { match })] }),
    };
    expect(deskEventSchemas.ConfigurationReplaced.safeParse(event).success).toBe(true);
  });

  it('refuses unknown states', () => {
    const workflow = (transitions: object) => [{ requestType: 'repair', transitions }];
    expect(fits({ workflows: workflow({ new: ['done'] }) })).toBe(false);
    expect(fits({ workflows: workflow({ done: ['new'] }) })).toBe(false);
  });

  it('compares ids regardless of case', () => {
    const buildingId = '0B000000-0000-4000-8000-00000000000A';
    const parsed = configurationSchema.parse({
      ...full,
      routingRules: [rule('a', { match: { buildingId: [buildingId] } })],
    });
    expect(parsed.routingRules[0]?.match.buildingId).toEqual([buildingId.toLowerCase()]);
  });
});
