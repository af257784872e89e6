/** Requests that are the worst for what a route does with them, which no schema tells. */
import type { Known, WorstRequest } from './requests.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const SIMULATE = `${CONFIGURATION}/simulate`;
const REQUESTS = '/api/service-desk/requests';

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const rules = (count: number, parts: (index: number) => object) =>
  list(count, (index) => ({ ruleId: `r${index}`, name: `r${index}`, match: {}, ...parts(index) }));

const policies = (count: number, parts: (index: number) => object) =>
  list(count, (index) => ({
    name: `p${index}`,
    firstResponseMinutes: 1,
    resolutionMinutes: 1,
    ...parts(index),
  }));

const document = (parts: object) => ({
  slaPolicies: [],
  calendars: {},
  routingRules: [],
  workflows: [],
  ...parts,
});

/** Every Monday for as long as there is room for, and one minute of each. */
const sparse = {
  timeZone: 'Africa/Casablanca',
  weekly: { monday: [['09:00', '09:01']] },
  holidays: list(500, (week) =>
    new Date(Date.UTC(2026, 0, 5) + week * 7 * 86_400_000).toISOString().slice(0, 10),
  ),
};

const categories = (index: number) => [...list(80, (at) => `c${at}`), `x${index}`];

/** By name: the 200 rules, 100 policies, 50 calendars and so on that look at every ticket. */
export const worstConfigurations: Readonly<Record<string, object>> = {
  'one letter in each of 200 rules': document({
    routingRules: rules(200, () => ({ match: { text: 'ل' } })),
  }),
  'texts that almost occur': document({
    routingRules: rules(200, (at) => ({ match: { text: `${'a'.repeat(90)}b${at}` } })),
    slaPolicies: policies(100, (at) => ({ match: { text: `${'a '.repeat(40)}c${at}` } })),
  }),
  'rules that almost shadow each other': document({
    routingRules: rules(200, (at) => ({ stop: true, match: { category: categories(at) } })),
  }),
  'one minute a week and 500 holidays': document({
    calendars: Object.fromEntries(list(15, (at) => [`c${at}`, sparse])),
    slaPolicies: policies(100, (at) => ({
      calendar: `c${at % 15}`,
      firstResponseMinutes: 260,
      resolutionMinutes: 260,
    })),
  }),
  'a note of every rule': document({
    routingRules: rules(200, () => ({ note: 'x'.repeat(1_000), triage: true })),
  }),
};

const worstTexts = ['ﷺ', 'a', 'a '].map((text) => text.repeat(20_000).slice(0, 20_000));

/** The same in every way to meet it: tried out, set, and met by a ticket. */
export const namedRequests = ({ buildingId, ticketId }: Known): readonly WorstRequest[] => [
  ...Object.entries(worstConfigurations).flatMap(([name, configuration]) =>
    worstTexts.map((description, at) => ({
      name: `simulate: ${name}, text ${at}`,
      method: 'POST',
      path: SIMULATE,
      role: 'viewer',
      body: () => JSON.stringify({ configuration, ticket: { buildingId, description } }),
    })),
  ),
  ...Object.entries(worstConfigurations).flatMap(([name, configuration]) => [
    {
      name: `set: ${name}`,
      method: 'PUT',
      path: CONFIGURATION,
      role: 'manager',
      body: () => JSON.stringify(configuration),
    },
    ...worstTexts.map((description, at) => ({
      name: `create by: ${name}, text ${at}`,
      method: 'POST',
      path: REQUESTS,
      role: 'manager',
      body: () => JSON.stringify({ buildingId, description }),
    })),
  ]),
  {
    name: 'a search that almost finds everything',
    method: 'GET',
    path: `${REQUESTS}?search=${'a'.repeat(199)}b`,
    role: 'viewer',
  },
  {
    name: 'the changes from the beginning',
    method: 'GET',
    path: '/api/service-desk/changes?limit=500',
    role: 'viewer',
  },
  {
    name: 'the timeline of a ticket with many long notes',
    method: 'GET',
    path: `${REQUESTS}/${ticketId}/updates?limit=500`,
    role: 'viewer',
  },
  {
    name: 'a list of the longest tickets',
    method: 'GET',
    path: `${REQUESTS}?limit=200`,
    role: 'viewer',
  },
  {
    name: 'a look-up of the longest tickets',
    method: 'GET',
    path: `${REQUESTS}/lookup?key=m0&value=1&limit=200`,
    role: 'viewer',
  },
  { name: "the API's own document", method: 'GET', path: '/openapi.json', role: 'viewer' },
  {
    name: "the reference page's script",
    method: 'GET',
    path: '/docs/js/scalar.js',
    role: 'viewer',
  },
];
