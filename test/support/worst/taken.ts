/**
 * Makes a generated body acceptable: existing ids, unused names, consistent rules. Its other
 * members are unchanged.
 */
import { randomUUID } from 'node:crypto';
import { OUTLINE_POINTS_MAX } from '../../../src/domain/buildings/limits.ts';
import { isObject, type Schema } from './bodies.ts';

/** Existing resources of the attacking organisation, for paths and bodies that refer to them. */
export interface Known {
  /** Its alias. */
  readonly organisation: string;
  readonly buildingId: string;
  readonly storeyId: string;
  /** With a storey full of outlines. */
  readonly drawnBuildingId: string;
  readonly drawnStoreyId: string;
  readonly drawnSpaceId: string;
  readonly pointId: string;
  readonly elementId: string;
  /** With many long notes. */
  readonly ticketId: string;
  /** Of it: one that is read, and one that is removed. */
  readonly attachmentIds: readonly [read: string, removed: string];
  /** Those that may be moved from state to state. */
  readonly ticketIds: readonly string[];
  readonly keyId: string;
  readonly ruleId: string;
  /** Open, and without a ticket. */
  readonly faultId: string;
  readonly webhookId: string;
  /** Of the manager. */
  readonly viewId: string;
  readonly erasureId: string;
  /** Where its subscriptions send. */
  readonly receiver: string;
  /** Of the first organisation alone. */
  readonly sandboxId: string | null;
  /** Of that sandbox. */
  readonly snapshotId: string | null;
}

type Taken = (body: Schema, known: Known) => Schema;

const list = (value: unknown): readonly Schema[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** As long as it was, where it was long, and like no other. */
const distinct = (text: unknown): unknown =>
  typeof text === 'string'
    ? `${randomUUID()}${text}`.slice(0, Math.max(text.length, UUID_CHARACTERS))
    : text;
const UUID_CHARACTERS = 36;

const without = (body: Schema, ...names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const ticket: Taken = (body, { buildingId }) => ({
  ...without(body, 'spaceId', 'storeyId', 'elementId'),
  buildingId,
});

/** A report without sign-in. */
const report: Taken = (body, { organisation, buildingId }) => ({
  ...without(body, 'spaceId', 'elementId', 'website'),
  organisation,
  buildingId,
});

const match = (of: Schema): Schema =>
  // A phrase that stands for many characters is longer as it is compared.
  isObject(of['match']) && String(of['match']['text']).startsWith('ﷺ')
    ? { ...of, match: { ...of['match'], text: 'ﷺ'.repeat(5) } }
    : of;

const hours = (at: number): readonly string[] => {
  const hour = String(at % 24).padStart(2, '0');
  return [`${hour}:00`, `${hour}:30`];
};

const calendar = (of: Schema): Schema => ({
  timeZone: 'Africa/Casablanca',
  weekly: Object.fromEntries(
    Object.entries(isObject(of['weekly']) ? of['weekly'] : {}).map(([day, intervals]) => [
      day,
      Array.isArray(intervals) ? intervals.map((_, at) => hours(at)) : [],
    ]),
  ),
  holidays: (Array.isArray(of['holidays']) ? of['holidays'] : []).map((_, at) =>
    new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
  ),
});

/** Without duplicate persons. */
const directory = (of: Schema): Schema => ({
  users: list(of['users']).map((user) => ({ ...user, userId: distinct(user['userId']) })),
  teams: list(of['teams']).map((team) => ({
    ...team,
    teamId: distinct(team['teamId']),
    members: (Array.isArray(team['members']) ? team['members'] : []).map(distinct),
  })),
});

/** Text fields, which nothing has to fit. */
const requestType = (of: Schema, at: number): Schema => ({
  ...of,
  requestType: `form${at}`,
  fields: list(of['fields']).map(({ label }, field) => ({
    key: `field${field}`,
    label,
    kind: 'text',
    ...(field > 0 ? { showIf: { key: `field${field - 1}`, equals: 'a' } } : {}),
  })),
});

const configuration: Taken = (body) => {
  const calendars = isObject(body['calendars']) ? body['calendars'] : {};
  const [first] = Object.keys(calendars);
  return {
    slaPolicies: list(body['slaPolicies']).map((policy) => ({
      ...match(policy),
      name: distinct(policy['name']),
      calendar: first,
      firstResponseMinutes: 260,
      resolutionMinutes: 260,
    })),
    calendars: Object.fromEntries(
      Object.entries(calendars).map(([name, one]) => [name, calendar(one as Schema)]),
    ),
    routingRules: list(body['routingRules']).map((rule) => ({
      ...match(rule),
      ruleId: distinct(rule['ruleId']),
    })),
    workflows: list(body['workflows']).map((_, at) => ({
      requestType: `t${at}`,
      transitions: { new: ['triaged', 'cancelled'], triaged: ['resolved'] },
    })),
    ...(isObject(body['directory']) ? { directory: directory(body['directory']) } : {}),
    requestTypes: list(body['requestTypes']).map(requestType),
    // So that reports without sign-in are accepted.
    requesterAccess: 'anyone',
  };
};

/** Each column once, and of the filters those that take any text. */
const view: Taken = (body) => ({
  ...body,
  shared: false,
  ...(isObject(body['filters']) ? { filters: { search: 'a'.repeat(200) } } : {}),
  ...(Array.isArray(body['columns']) ? { columns: ['subject'] } : {}),
});

/** As many positions as an outline may have, in a ring that does not cross itself. */
export const longestOutline = (x = 0, y = 0): readonly (readonly [number, number])[][] => [
  Array.from({ length: OUTLINE_POINTS_MAX }, (_, step) => {
    const angle = (2 * Math.PI * step) / OUTLINE_POINTS_MAX;
    return [x + 9.123 * Math.cos(angle), y + 9.123 * Math.sin(angle)] as const;
  }),
];

/** Every node has a code and an identity of its own, and an outline that is one. */
const node = (of: Schema): Schema => ({
  ...of,
  ...(of['outline'] === undefined ? {} : { outline: longestOutline() }),
  code: distinct(of['code']),
  externalId: distinct(of['externalId']),
  ...Object.fromEntries(
    ['storeys', 'spaces', 'elements', 'points']
      .filter((kind) => Array.isArray(of[kind]))
      .map((kind) => [kind, list(of[kind]).map(node)]),
  ),
});

const building: Taken = ({ site, building: graph }) => ({
  site: isObject(site) ? { ...site, code: distinct(site['code']) } : site,
  building: isObject(graph) ? node(graph) : graph,
});

const rule: Taken = (body, { pointId }) => ({ ...without(body, 'pointClass'), pointId });

const webhook: Taken = (body, { receiver, buildingId }) => ({
  ...body,
  url: `${receiver}/${String(body['url']).replaceAll(/[^a]/gu, '')}`.slice(0, 2_000),
  ...(Array.isArray(body['events'])
    ? { events: body['events'].map((_, at) => subscribable[at % subscribable.length]) }
    : {}),
  ...(body['buildingId'] === undefined ? {} : { buildingId }),
});

const subscribable = [
  'building.point.updated',
  'building.alarm.triggered',
  'building.element.status_changed',
  'building.changeset.applied',
];

/** By operation. Bodies of other operations are acceptable as generated. */
const takenBodies: Readonly<Record<string, Taken>> = {
  'POST /api/service-desk/requests': ticket,
  'POST /api/service-desk/requests/import': (body, known) => ({
    ...ticket(body, known),
    importKey: distinct(body['importKey']),
  }),
  'POST /api/service-desk/requests/bulk': (body, { ticketIds }) => ({
    tickets: ticketIds,
    action: { note: isObject(body['action']) ? body['action']['note'] : undefined },
  }),
  'POST /api/service-desk/requests/{id}/transition': (body) => ({ ...body, state: 'triaged' }),
  'PATCH /api/service-desk/requests/{id}': (body) =>
    // Both together are bounded as one of them.
    without(body, 'spaceId', 'storeyId', 'elementId', 'buildingId', 'formData'),
  'POST /api/service-desk/report': report,
  'PUT /api/service-desk/configuration': configuration,
  'POST /api/service-desk/configuration/simulate': (body, known) => ({
    ...body,
    configuration: configuration(body['configuration'] as Schema, known),
    ticket: ticket(body['ticket'] as Schema, known),
  }),
  'POST /api/service-desk/views': view,
  'PATCH /api/service-desk/views/{viewId}': view,
  'POST /api/service-desk/configuration/try': (body, known) => ({
    ...body,
    configuration: configuration(body['configuration'] as Schema, known),
  }),
  'POST /api/v1/sandboxes': (body) => ({
    ...without(body, 'fromSnapshot', 'timeZone', 'faultKinds'),
    ...smallSandbox,
  }),
  'POST /api/v1/sandboxes/{id}/extend': () => ({ days: 1 }),
  'POST /api/v1/buildings/import': building,
  'POST /api/v1/buildings/{buildingId}/import': building,
  'POST /api/v1/buildings/{buildingId}/spaces': (body, { storeyId }) => ({
    ...node(body),
    storeyId,
  }),
  'PUT /api/v1/buildings/{buildingId}/spaces/{spaceId}/outline': () => ({
    outline: longestOutline(),
  }),
  'POST /api/v1/buildings/{buildingId}/observations': ({ observations }, { pointId }) => ({
    observations: list(observations).map((one, at) => ({
      ...one,
      pointId,
      value: at,
      timestamp: new Date(Date.UTC(2026, 2, 2) + at * 1_000).toISOString(),
    })),
  }),
  'POST /api/v1/buildings/{buildingId}/diagnostic-rules': rule,
  'POST /api/v1/buildings/{buildingId}/diagnostic-rules/dry-run': (body, known) => ({
    rule: rule(body['rule'] as Schema, known),
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-03-03T00:00:00.000Z',
  }),
  // The reason must not name the person.
  'POST /api/v1/erasures': ({ subject, ...body }) => ({
    ...body,
    subject: { userId: distinct(isObject(subject) ? Object.values(subject)[0] : undefined) },
  }),
  'POST /api/v1/webhooks': webhook,
  'PATCH /api/v1/webhooks/{webhookId}': webhook,
  'POST /api/v1/webhooks/{webhookId}/recover': () => ({ since: '2026-01-01T00:00:00.000Z' }),
  'POST /api/v1/bus/events': ({ data }, { buildingId }) => ({
    subject: `atrium.building.${buildingId}.wifi-sensing.event`,
    data,
  }),
  'POST /api/v1/clock': () => ({ advance: 'PT1S' }),
};

/** The largest takes a core for minutes, in a thread of its own. */
export const smallSandbox = {
  storeys: 1,
  spacesMin: 1,
  spacesMax: 1,
  ttlDays: 1,
  seedTelemetryDays: 0,
  liveTelemetry: false,
} as const;

/** @param operation Method and path, as the document has them. */
export const takenBody =
  (operation: string, known: Known) =>
  (body: unknown): unknown => {
    const taken = takenBodies[operation];
    // A deliberately wrong body stays wrong.
    if (!taken || !isObject(body) || JSON.stringify(body).includes('"wrong"')) return body;
    return taken(body, known);
  };
