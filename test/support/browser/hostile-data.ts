/** A desk, a building, tickets and the rest of an organisation with hostile text in every field. */
import { sent, subjectOf } from '../domain/work-order-events.ts';
import { until } from '../until.ts';
import { hostileBuilding, type HostileBuilding } from './hostile-building.ts';
import { HOSTILE_ADDRESS, hostileIn, hostileOf } from './hostile-texts.ts';
import type { Things } from './pages.ts';
import type { PortalServer } from './portal-server.ts';

export interface HostileData {
  readonly things: Things;
  /** Texts that a page must show, by its pattern. */
  readonly shown: Readonly<Record<string, readonly string[]>>;
}

type Call = PortalServer['call'];

const MANAGER = 'manager@acme.test';

const [NAMES_100, NAMES_200] = [hostileIn(100), hostileIn(200)];
const SUBJECT = hostileOf(300);
const DESCRIPTION = hostileOf(10_000);
const WEBHOOK_DESCRIPTION = hostileOf(500);
const REASON = hostileOf(500);
/** An id of a work order is refused a change of the reading order. */
const WORK_ORDERS = NAMES_100.map((name) => name.replaceAll('\u202E', ''));

const configurationOf = ({ space }: HostileBuilding) => ({
  slaPolicies: NAMES_100.map((name) => ({
    name,
    match: { text: name, category: NAMES_200 },
    firstResponseMinutes: 60,
    resolutionMinutes: 600,
    calendar: name,
  })),
  calendars: Object.fromEntries(
    NAMES_100.map((name) => [
      name,
      { timeZone: 'Europe/Berlin', weekly: { monday: [['09:00', '17:00']] }, holidays: [] },
    ]),
  ),
  routingRules: NAMES_100.map((name) => ({
    ruleId: name,
    name,
    match: { text: name, spaceId: space },
    assignTeamId: NAMES_200[0],
    note: hostileOf(1_000),
  })),
  workflows: [],
  directory: {
    users: NAMES_200.map((name) => ({ userId: name, name, email: HOSTILE_ADDRESS })),
    teams: NAMES_200.map((name) => ({ teamId: name, name, members: NAMES_200 })),
  },
});

/** Several tickets of one room, the first with a history. @returns its id. */
const hostileTickets = async (call: Call, { building, space }: HostileBuilding) => {
  const raised: string[] = [];
  for (const name of NAMES_200) {
    const { id } = await call('agent@acme.test', 'POST', '/api/service-desk/requests', {
      buildingId: building,
      spaceId: space,
      subject: SUBJECT,
      description: DESCRIPTION,
      category: name,
      reporterName: name,
      reporterPhone: name,
      reporterEmail: HOSTILE_ADDRESS,
      formData: { [SUBJECT]: SUBJECT },
      metadata: { [SUBJECT]: SUBJECT },
    });
    raised.push(id);
  }
  const [id] = raised;
  const path = `/api/service-desk/requests/${id}`;
  for (const name of NAMES_200)
    await call(MANAGER, 'POST', `${path}/assign`, { assignedUserId: name, assignedTeamId: name });
  for (const visibility of ['internal', 'public'])
    await call(MANAGER, 'POST', `${path}/updates`, { body: DESCRIPTION, visibility });
  await call(MANAGER, 'PATCH', path, { description: `${DESCRIPTION}!` });
  for (const workOrderId of WORK_ORDERS)
    await call('operator@atrium.test', 'POST', '/api/v1/bus/events', {
      subject: subjectOf('created', building),
      data: sent(building, { workOrderId, ticketId: id!, title: SUBJECT }),
    });
  const isLinked = async () =>
    (await call(MANAGER, 'GET', path)).workOrderIds.length === WORK_ORDERS.length;
  await until(isLinked, 'the work orders of the ticket');
  return id!;
};

/** Keys, a webhook, an erasure and sandboxes. */
const hostilePrograms = async (call: Call) => {
  const manager = (path: string, body: object) => call(MANAGER, 'POST', path, body);
  let [key, sandbox] = ['', ''];
  for (const label of NAMES_100)
    ({ keyId: key } = await manager('/api/v1/keys', { label, scope: 'full' }));
  const { webhookId: webhook } = await manager('/api/v1/webhooks', {
    url: 'http://127.0.0.1:49151/?<svg/onload=window.ran=1>',
    events: ['building.point.updated'],
    description: WEBHOOK_DESCRIPTION,
  });
  const { erasureId: erasure } = await manager('/api/v1/erasures', {
    subject: { userId: 'nobody' },
    texts: 'keep',
    reason: REASON,
  });
  const size = { storeys: 1, areaSqm: 100, seedTelemetryDays: 0 };
  for (const name of NAMES_100.slice(0, 2))
    ({ sandboxId: sandbox } = await manager('/api/v1/sandboxes', { name, seed: name, ...size }));
  const isReady = async () =>
    (await call(MANAGER, 'GET', `/api/v1/sandboxes/${sandbox}`)).status === 'ready';
  await until(isReady, 'the sandbox');
  return { key, webhook, erasure, sandbox };
};

export const hostileData = async ({ call }: { readonly call: Call }): Promise<HostileData> => {
  const building = await hostileBuilding((...request) => call(MANAGER, ...request));
  await call(MANAGER, 'PUT', '/api/service-desk/configuration', configurationOf(building));
  const ticket = await hostileTickets(call, building);
  for (const name of NAMES_100)
    await call(MANAGER, 'POST', '/api/service-desk/views', {
      name,
      shared: true,
      filters: { category: NAMES_200[0], assignedTeamId: NAMES_200[0] },
    });
  const programs = await hostilePrograms(call);
  return {
    things: { ...building, ...programs, ticket },
    shown: {
      tickets: [SUBJECT, ...NAMES_100],
      'tickets/board': [SUBJECT, ...NAMES_100],
      'tickets/:ticket': [SUBJECT, DESCRIPTION, ...WORK_ORDERS, NAMES_200.at(-1)!],
      'reports/month': NAMES_200,
      'desk/levels': NAMES_100,
      'desk/hours': NAMES_100.slice(0, 1),
      'desk/rules': NAMES_100,
      'desk/people': [...NAMES_200, HOSTILE_ADDRESS],
      buildings: NAMES_200.slice(0, 1),
      'buildings/:building/spaces': NAMES_200,
      'buildings/:building/spaces/:storey': NAMES_200,
      'buildings/:building/points': [...NAMES_200, NAMES_100[0]!],
      'buildings/:building/points/:point': NAMES_200.slice(0, 1),
      'buildings/:building/layers': NAMES_200,
      'buildings/:building/faults/:fault': NAMES_200.slice(0, 1),
      'buildings/:building/faults': [...NAMES_200, hostileIn(64)[0]!],
      'buildings/:building/rules': [...NAMES_200, hostileIn(64)[0]!],
      'buildings/:building/labels': NAMES_200,
      sandboxes: NAMES_100.slice(0, 2),
      'sandboxes/:sandbox': NAMES_100.slice(1, 2),
      webhooks: [WEBHOOK_DESCRIPTION],
      'webhooks/:webhook': [WEBHOOK_DESCRIPTION],
      erasures: [REASON],
      'erasures/:erasure': [REASON],
      keys: NAMES_100,
      'keys/:key': NAMES_100.slice(-1),
      audit: NAMES_100,
      // The name of a browser that is not known is the first word of what it sends.
      sessions: ['<img'],
    },
  };
};
