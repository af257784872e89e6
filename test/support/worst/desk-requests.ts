/** The most expensive service-desk requests that depend on data, not on a schema. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ATTACHMENT_BYTES_MAX, NOTE_ATTACHMENTS_MAX } from '../../../src/domain/tickets/limits.ts';
import { TEXT_CHARACTERS_MAX } from '../../../src/limits.ts';
import { FIELD_FILTERS_MAX, TICKET_BULK_MAX } from '../../../src/api/tickets/limits.ts';
import { FILTER_VALUES_MAX } from '../../../src/api/http/limits.ts';
import { formHeaders, formOf } from '../api/form.ts';
import type { WorstRequest } from './requests.ts';
import type { Known } from './taken.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const SIMULATE = `${CONFIGURATION}/simulate`;
const TRY = `${CONFIGURATION}/try`;
const REQUESTS = '/api/service-desk/requests';

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const optionOf = (at: number) => ({ value: `o${at}`, label: `o${at}` });

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
const worstConfigurations: Readonly<Record<string, object>> = {
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
  'as many people as there may be': document({
    directory: {
      users: list(1_000, (at) => ({ userId: `u${at}`, name: `ﷺ${at}` })),
      teams: list(200, (at) => ({
        teamId: `t${at}`,
        name: `ﷺ${at}`,
        members: list(90, (member) => `u${at}-${member}`),
      })),
    },
  }),
  'as many forms as there may be': document({
    requestTypes: list(50, (type) => ({
      requestType: `t${type}`,
      name: 'ﷺ',
      fields: list(type < 30 ? 40 : 0, (field) => ({
        key: `f${field}`,
        label: 'ﷺ',
        kind: 'text',
        required: true,
        ...(field > 0 ? { showIf: { key: `f${field - 1}`, equals: ['a', 'b'] } } : {}),
      })),
    })),
  }),
  'the longest conditions': document({
    requestTypes: list(4, (type) => ({
      requestType: type === 0 ? 'general' : `t${type}`,
      name: 'n',
      fields: [
        { key: 'f', label: 'f', kind: 'choices', options: list(100, (at) => optionOf(at)) },
        ...list(39, (field) => ({
          key: `f${field}`,
          label: 'ﷺ',
          kind: field % 2 === 0 ? 'space' : 'person',
          showIf: { key: 'f', equals: list(100, (at) => `o${at}`) },
        })),
      ],
    })),
  }),
  'a note of every rule': document({
    routingRules: rules(200, () => ({ note: 'x'.repeat(1_000), triage: true })),
  }),
};

/** As many values as a report may have, in the most groups and in the most statements. */
const worstReports = ['backlog', 'response', 'resolution', 'attainment'].flatMap((report) => {
  const daysAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return [
    `${report}?from=${daysAgo(399)}&interval=day&groupBy=space&series=25`,
    `${report}?from=${daysAgo(1_099)}&interval=month&groupBy=elementType&series=100`,
  ];
});

/** As many fields, and as many answers to each, as a list may be filtered by. */
const worstFields = list(FIELD_FILTERS_MAX, (field) => {
  const answers = list(FILTER_VALUES_MAX, (at) => `${'x'.repeat(30)}${at}`);
  return `field.k${field}=${answers.join()}`;
}).join('&');

/** As many members as are allowed. */
const fullest = Object.fromEntries(list(1_000, (at) => [`k${at}`, at]));

const worstTexts = ['ﷺ', 'a', 'a '].map((text) => text.repeat(20_000).slice(0, 20_000));

const request = (
  name: string,
  method: string,
  path: string,
  role: string,
  body?: object,
): WorstRequest => ({
  name,
  operation: null,
  method,
  path,
  role,
  ...(body === undefined ? {} : { body: () => JSON.stringify(body) }),
});

/** Lines that wait for each other's numbers, and could go on together. */
const importOf = (name: string, buildingId: string, lines: number): WorstRequest => ({
  ...request(name, 'POST', `${REQUESTS}/import`, 'manager'),
  headers: { 'content-type': 'application/x-ndjson' },
  body: () =>
    list(lines, () =>
      JSON.stringify({ importKey: randomUUID(), buildingId, description: worstTexts[0] }),
    ).join('\n'),
});
const LINES_IMPORTED = 6;

const file = { name: 'file', fileName: 'a.txt' };
const worstForms = [
  {
    name: 'the largest file',
    form: () => formOf({ ...file, content: Buffer.alloc(ATTACHMENT_BYTES_MAX, 'a') }),
  },
  {
    name: 'two thousand parts',
    form: () => formOf(...list(2_000, () => ({ name: 'visibility', content: 'internal' }))),
  },
  {
    name: 'a compressed bomb',
    form: () => formOf({ ...file, content: gzipSync(Buffer.alloc(256 * 1024 * 1024)) }),
  },
];

const longestNote = { name: 'body', content: '漢'.repeat(TEXT_CHARACTERS_MAX) };
const worstNotes = [
  {
    name: 'the most files',
    form: () =>
      formOf(
        ...list(NOTE_ATTACHMENTS_MAX, () => ({ ...file, content: Buffer.alloc(100_000, 'a') })),
        longestNote,
      ),
  },
  {
    name: 'more than a ticket holds',
    form: () =>
      formOf(
        longestNote,
        ...list(NOTE_ATTACHMENTS_MAX, () => ({ ...file, content: Buffer.alloc(6_000_000, 'a') })),
      ),
  },
  {
    name: 'two thousand parts',
    form: () => formOf(longestNote, ...list(2_000, () => ({ ...file, content: 'a' }))),
  },
  {
    name: 'a text without end',
    form: () => formOf({ ...longestNote, content: 'a'.repeat(20_000_000) }),
  },
];

/**
 * The same in every way to meet it: tried out, set, met by a ticket and by several of an import.
 *
 * @param importedTickets Of the longest texts, in one request.
 * @param texts That meet each, the worst first.
 */
export const deskRequests = (
  { buildingId, ticketId, ticketIds }: Known,
  importedTickets: number,
  texts: number,
): readonly WorstRequest[] => [
  importOf('import of the longest texts', buildingId, importedTickets),
  ...Object.entries(worstConfigurations).flatMap(([name, configuration]) =>
    worstTexts.slice(0, texts).map((description, at) =>
      request(`simulate: ${name}, text ${at}`, 'POST', SIMULATE, 'viewer', {
        configuration,
        ticket: { buildingId, description },
      }),
    ),
  ),
  ...Object.entries(worstConfigurations).map(([name, configuration]) =>
    request(`try: ${name}`, 'POST', TRY, 'viewer', { configuration }),
  ),
  ...Object.entries(worstConfigurations).flatMap(([name, configuration]) => [
    request(`set: ${name}`, 'PUT', CONFIGURATION, 'manager', configuration),
    ...worstTexts.slice(0, texts).map((description, at) =>
      request(`create by: ${name}, text ${at}`, 'POST', REQUESTS, 'manager', {
        buildingId,
        description,
      }),
    ),
    importOf(`import by: ${name}`, buildingId, LINES_IMPORTED),
  ]),
  request('a form full of rooms', 'POST', SIMULATE, 'viewer', {
    configuration: worstConfigurations['the longest conditions'],
    ticket: {
      buildingId,
      description: 'a',
      formData: {
        f: list(100, (at) => `o${at}`),
        ...Object.fromEntries(list(20, (at) => [`f${2 * at}`, randomUUID()])),
      },
    },
  }),
  request(
    'a search that almost finds everything',
    'GET',
    `${REQUESTS}?search=${'a'.repeat(199)}b`,
    'viewer',
  ),
  ...['-createdAt', 'dueAt'].map((sort) => ({
    ...request(
      `as many answers as there may be, by ${sort}`,
      'GET',
      `${REQUESTS}?${worstFields}&limit=200&sort=${sort}`,
      'viewer',
    ),
    operation: `GET ${REQUESTS}`,
  })),
  request('everybody', 'GET', '/api/service-desk/people', 'viewer'),
  request('a bulk of the most tickets', 'POST', `${REQUESTS}/bulk`, 'manager', {
    tickets: [...ticketIds, ...list(TICKET_BULK_MAX - ticketIds.length, () => randomUUID())],
    action: { patch: { description: worstTexts[0], metadata: fullest } },
  }),
  request('the changes from the beginning', 'GET', '/api/service-desk/changes?limit=500', 'viewer'),
  request(
    'the timeline of a ticket with many long notes',
    'GET',
    `${REQUESTS}/${ticketId}/updates?limit=500`,
    'viewer',
  ),
  ...worstReports.map((report) =>
    request(`report: ${report}`, 'GET', `/api/service-desk/reports/${report}`, 'manager'),
  ),
  ...worstForms.map(({ name, form }): WorstRequest => ({
    ...request(`attach ${name}`, 'POST', `${REQUESTS}/${ticketId}/attachments`, 'manager'),
    headers: formHeaders,
    body: () => Buffer.from(form()),
  })),
  ...worstNotes.map(({ name, form }): WorstRequest => ({
    ...request(`note with ${name}`, 'POST', `${REQUESTS}/${ticketIds[0]}/updates`, 'manager'),
    headers: formHeaders,
    body: () => Buffer.from(form()),
  })),
  {
    ...request('a list of the longest tickets', 'GET', `${REQUESTS}?limit=200`, 'viewer'),
    operation: `GET ${REQUESTS}`,
  },
  {
    ...request(
      'a look-up of the longest tickets',
      'GET',
      `${REQUESTS}/lookup?key=m0&value=1&limit=200`,
      'viewer',
    ),
    operation: `GET ${REQUESTS}/lookup`,
  },
];
