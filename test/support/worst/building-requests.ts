/** The most expensive building and telemetry requests that depend on data, not on a schema. */
import { once } from 'node:events';
import { io } from 'socket.io-client';
import { PLAN_SPACES_MAX } from '../../../src/building/plans/limits.ts';
import { DRAWING_POINTS_MAX, OUTLINE_POINTS_MAX } from '../../../src/domain/buildings/limits.ts';
import { RULES_OF_POINT_MAX } from '../../../src/domain/telemetry/limits.ts';
import { OBSERVATIONS_AT_ONCE_MAX } from '../../../src/limits.ts';
import { ifcBuilding } from '../domain/ifc-files.ts';
import { heldFor } from '../until.ts';
import { faultStorm } from './fault-storm.ts';
import type { Furnished } from './furnish.ts';
import type { WorstRequest } from './requests.ts';
import { longestOutline } from './taken.ts';
import type { Answer, MeasuredServer } from './server.ts';

const BUILDINGS = '/api/v1/buildings';
const SPACES_OF_STOREY = 100;

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

/** Each space with an element, each element with a point. */
export const largeBuilding = (spaces: number) => ({
  site: { code: 'L', name: 'Large' },
  building: {
    code: `L${spaces}`,
    name: 'Large',
    storeys: list(Math.ceil(spaces / SPACES_OF_STOREY), (storey) => ({
      code: `S${storey}`,
      name: `Storey ${storey}`,
      level: storey,
      spaces: list(Math.min(SPACES_OF_STOREY, spaces - storey * SPACES_OF_STOREY), (at) => {
        const name = `${storey}-${at}`;
        const of = (kind: string) => ({
          code: `${kind}${name}`,
          name: `${kind} ${name} ${'x'.repeat(100)}`,
          externalId: `${kind}${name}`,
          sourceSystem: 'cad',
        });
        const point = { ...of('P'), pointClass: 'Temperature_Sensor', valueType: 'number' };
        const element = { ...of('E'), elementTypeSlug: 'ahu', points: [point] };
        return { ...of('R'), spaceTypeSlug: 'office', elements: [element] };
      }),
    })),
  },
});

/** A storey of as many rooms as a plan shows, with outlines and walls as long as they may be. */
export const drawnBuilding = (spaces: number) => {
  const round = (at: number) => longestOutline(at * 20, -12_345.678);
  return {
    site: { code: 'L', name: 'Large' },
    building: {
      code: 'D',
      name: 'Drawn',
      storeys: [
        {
          code: '00',
          name: 'Ground floor',
          level: 0,
          drawing: { walls: list(DRAWING_POINTS_MAX / OUTLINE_POINTS_MAX, round) },
          spaces: list(Math.min(spaces, PLAN_SPACES_MAX), (at) => ({
            code: `R${at}`,
            name: `Room ${at} ${'x'.repeat(100)}`,
            spaceTypeSlug: 'office',
            outline: round(at),
          })),
        },
      ],
    },
  };
};

const externalIds = (spaces: number): string[] =>
  list(spaces, (at) => `R${Math.floor(at / SPACES_OF_STOREY)}-${at % SPACES_OF_STOREY}`);

const request = (
  name: string,
  method: string,
  path: string,
  more: Partial<WorstRequest> = {},
): WorstRequest => ({ name, operation: null, method, path, role: 'manager', ...more });

/** Each in a room of {@link drawnBuilding}, found by where it is. */
const elementsAmongOutlines = (spaces: number) => ({
  site: { code: 'L', name: 'Large' },
  building: {
    code: 'D',
    name: 'Drawn',
    storeys: [
      {
        code: '00',
        name: 'Ground floor',
        level: 0,
        elements: list(4 * spaces, (at) => ({
          code: `E${at}`,
          name: `Lamp ${at}`,
          elementTypeSlug: 'light-fixture',
          x: (at % PLAN_SPACES_MAX) * 20,
          y: -12_345.678,
        })),
      },
    ],
  },
});

/** @param importBytes Of the files that are sent to be imported and are none. */
export const buildingRequests = (
  known: Furnished,
  spaces: number,
  importBytes: number,
): readonly WorstRequest[] => {
  const { buildingId, largeBuildingId, largePointIds, drawnBuildingId } = known;
  const drawn = `${BUILDINGS}/${drawnBuildingId}`;
  const large = `${BUILDINGS}/${largeBuildingId}`;
  const keys = externalIds(spaces);
  const layer = (what: string, value: (at: number) => unknown, keyed: readonly string[]) =>
    request(
      `an upload of ${what} to a data layer`,
      'PUT',
      `${large}/data-layers/occupancy/values`,
      {
        body: () => JSON.stringify({ values: keyed.map((key, at) => ({ key, value: value(at) })) }),
      },
    );
  const ingest = (what: string, startMs: number, of: (at: number) => string) =>
    request(`5,000 observations of ${what}`, 'POST', `${large}/observations`, {
      body: () =>
        JSON.stringify({
          observations: list(5_000, (at) => ({
            pointId: of(at),
            value: at + Math.random(),
            timestamp: new Date(startMs + at * 1_000).toISOString(),
          })),
        }),
    });
  const file = (what: string, type: string, path: string, body: () => string | Buffer) =>
    request(`import of ${what}`, 'POST', path, { body, headers: { 'content-type': type } });
  const json = 'application/json';
  const [march, april] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 3, 2)];
  return [
    layer(
      '10,000 values',
      (at) => at,
      list(10_000, (at) => keys[at % keys.length]!),
    ),
    layer('long texts', () => 'x'.repeat(900), keys.slice(0, 1_000)),
    layer(
      '10,000 values that match nothing',
      (at) => at,
      list(10_000, (at) => `none${at}`),
    ),
    request('10,000 external ids to be resolved', 'POST', `${large}/resolve`, {
      body: () =>
        JSON.stringify({
          sourceSystem: 'cad',
          externalIds: list(10_000, (at) => keys[at % keys.length]),
        }),
    }),
    request('10,000 codes to be resolved', 'POST', `${large}/resolve`, {
      body: () => JSON.stringify({ codes: list(10_000, (at) => keys[at % keys.length]) }),
    }),
    request('a listener that is told of all points', 'GET', '/socket.io', {
      act: listenThroughReplay(largeBuildingId, largePointIds.slice(0, 5_000)),
    }),
    ingest('many points', march, (at) => largePointIds[at % largePointIds.length]!),
    ingest('one point', april, () => largePointIds[0]!),
    ...['', '&bucket=1m'].map((bucket) =>
      request(
        `all that a point has observed${bucket}`,
        'GET',
        `${large}/points/${largePointIds[0]}/observations` +
          `?from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z${bucket}`,
      ),
    ),
    request('a storm of faults, 20 rules on a point and 5,000 observations', 'POST', BUILDINGS, {
      act: storm,
    }),
    request('a rule tried out on many points', 'POST', `${large}/diagnostic-rules/dry-run`, {
      body: () =>
        JSON.stringify({
          rule: {
            title: 'low',
            severity: 'minor',
            comparison: 'gt',
            threshold: 0.5,
            pointClass: 'Temperature_Sensor',
          },
          from: '2026-03-02T00:00:00.000Z',
          to: new Date(march + 86_400_000).toISOString(),
        }),
    }),
    ...['spaces', 'elements', 'points'].flatMap((kind) => [
      request(`a page of 1,000 ${kind}`, 'GET', `${large}/${kind}?limit=1000`),
    ]),
    ...(['join', 'leave'] as const).map((event) =>
      request(`messages full of brackets to ${event}`, 'GET', '/socket.io', {
        act: floodOf(event),
      }),
    ),
    request('the plan of a storey full of outlines', 'GET', `${drawn}/plan`),
    ...['tickets', 'faults', 'layer:occupancy', 'point:Temperature_Sensor'].map((colour) =>
      request(`a plan in colours: ${colour}`, 'GET', `${large}/plan/colours?colour=${colour}`),
    ),
    request('a plan in the colours of an earlier time', 'GET', `${large}/plan/colours`, {
      path: `${large}/plan/colours?colour=point:Temperature_Sensor&at=2026-03-02T12:00:00Z`,
    }),
    request(
      'the picture of a storey full of outlines',
      'GET',
      `${drawn}/storeys/${known.drawnStoreyId}/plan.svg?colour=tickets`,
    ),
    file('a building full of outlines', json, `${BUILDINGS}/import`, () =>
      JSON.stringify(drawnBuilding(spaces)),
    ),
    file('a building full of outlines, as a dry run', json, `${drawn}/import?dryRun=true`, () =>
      JSON.stringify(drawnBuilding(spaces)),
    ),
    file('a model of elements among outlines', json, `${drawn}/import?model=lamps`, () =>
      JSON.stringify(elementsAmongOutlines(spaces)),
    ),
    file('a large building', json, `${BUILDINGS}/import`, () =>
      JSON.stringify(largeBuilding(spaces)),
    ),
    file('a large building over itself', json, `${large}/import`, () =>
      JSON.stringify(largeBuilding(spaces)),
    ),
    file('a large building in its place', json, `${large}/import?replace=true`, () =>
      JSON.stringify(largeBuilding(spaces)),
    ),
    file('objects where a text is expected', json, `${BUILDINGS}/import`, () =>
      Buffer.from(`{"site":{"aaaa":[${'{},'.repeat(importBytes / 3)}{}]}}`),
    ),
    file('numbers', json, `${BUILDINGS}/import`, () =>
      Buffer.from(`[${'1,'.repeat(importBytes / 2)}1]`),
    ),
    file('storeys that are none', json, `${BUILDINGS}/import`, () =>
      Buffer.from(`{"building":{"storeys":[${'{},'.repeat(importBytes / 3)}{}]}}`),
    ),
    file('a model', IFC, `${BUILDINGS}/import`, () => ifcModel(spaces)),
    file('a model in its place', IFC, `${BUILDINGS}/${buildingId}/import?replace=true`, () =>
      ifcModel(spaces),
    ),
    file('a model that is none', IFC, `${BUILDINGS}/import`, () =>
      Buffer.from(`ISO-10303-21;\n${'(('.repeat(importBytes / 2)}`),
    ),
  ];
};

const IFC = 'application/x-step';

const ifcModel = (spaces: number): string =>
  ifcBuilding({
    storeys: list(Math.ceil(spaces / SPACES_OF_STOREY), (storey) => ({
      id: `s${storey}`,
      name: `Storey ${storey}`,
      elevation: storey * 3,
      spaces: list(SPACES_OF_STOREY, (at) => ({
        id: `r${storey}-${at}`,
        name: `R${storey}-${at}`,
        longName: 'x'.repeat(100),
        area: at,
      })),
    })),
  });

const ANSWER_MAX_MS = 60_000;

const connected = async ({ url }: MeasuredServer, token: string) => {
  const socket = io(`${url}/buildings`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { token },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
};

/** As many rules as can match one point, and samples that break and meet them in turn. */
const storm: NonNullable<WorstRequest['act']> = async (server, token) => {
  const rules = RULES_OF_POINT_MAX;
  const samples = OBSERVATIONS_AT_ONCE_MAX;
  return answerOf(await faultStorm(server, token, { rules, samples, ingests: 1, everyMs: 1 }));
};

const answerOf = (result: object): Answer => ({
  status: 200,
  text: JSON.stringify(result),
});

/** Listens while all points change, disconnects, and replays all events. */
const listenThroughReplay =
  (buildingId: string, pointIds: readonly string[]): NonNullable<WorstRequest['act']> =>
  async (server, token) => {
    const first = await connected(server, token);
    const joined = await first.timeout(ANSWER_MAX_MS).emitWithAck('join', { buildingId });
    let messages = 0;
    const all = new Promise<void>((resolve) => {
      first.on('building.point.updated', () => {
        messages += 1;
        if (messages === pointIds.length) resolve();
      });
    });
    const body = JSON.stringify({
      observations: pointIds.map((pointId) => ({ pointId, value: Math.random() })),
    });
    const answer = await fetch(`${server.url}${BUILDINGS}/${buildingId}/observations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    if (!answer.ok) return { status: answer.status, text: await answer.text() };
    if ((await heldFor(all, ANSWER_MAX_MS)) === 'held')
      return { status: 0, text: `told of ${messages} of ${pointIds.length} points` };
    first.disconnect();
    const second = await connected(server, token);
    const since = (joined as { readonly position: string }).position;
    const rejoined = await second.timeout(ANSWER_MAX_MS).emitWithAck('join', { buildingId, since });
    second.disconnect();
    return answerOf(rejoined);
  };

/** As many as a connection may send, as long as they may be, and one too many. */
const floodOf =
  (event: 'join' | 'leave'): NonNullable<WorstRequest['act']> =>
  async (server, token) => {
    const socket = await connected(server, token);
    const ended = once(socket as never, 'disconnect');
    const brackets = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown;
    const asked = list(25, () =>
      socket.timeout(ANSWER_MAX_MS).emitWithAck(event, { buildingId: brackets }),
    );
    const answers = await Promise.race([Promise.all(asked), ended]);
    socket.disconnect();
    return answerOf(answers);
  };
