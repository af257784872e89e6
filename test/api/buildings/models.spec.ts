import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import {
  containing,
  globalId,
  ifcBuilding,
  quoted,
  type IfcLines,
} from '../../support/domain/ifc-files.ts';
import { bodyAt, extrusion, placement, rectangle } from '../../support/domain/ifc-shapes.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const BUILDINGS = '/api/v1/buildings';
const step = { 'content-type': 'application/x-step' };

/** Two rooms of 4 m by 4 m side by side, and a sensor on the storey. */
const architecture = (): string => {
  const shape = (x: number) => (file: IfcLines) =>
    bodyAt(file, placement(file, '$', [x, 0, 0]), [extrusion(file, rectangle(file, 4, 4))]);
  const spaces = [0, 5].map((x, n) => ({ id: `R${n}`, name: `0${n}`, shape: shape(x) }));
  return ifcBuilding({ storeys: [{ id: 'G', name: 'Level 1', elevation: 0, spaces }] });
};

interface Electrics {
  readonly name?: string;
  readonly elevation?: number;
  /** Where lamps are, in millimetres. */
  readonly lamps?: readonly number[];
  readonly more?: (file: IfcLines, storey: string) => void;
}

/** In millimetres, with identities of its own. */
const electrics = ({
  name = 'Level 1',
  elevation = 200,
  lamps = [1_000, 5_000, 9_000],
  more = () => {},
}: Electrics = {}): string =>
  ifcBuilding({
    units: (file) => [file.add('IFCSIUNIT', '*', '.LENGTHUNIT.', '.MILLI.', '.METRE.')],
    storeys: [{ id: 'E', name, elevation }],
    more(file, references) {
      const storey = references.get('E')!;
      const made = lamps.map((x, n) =>
        file.add(
          'IFCLIGHTFIXTURE',
          quoted(globalId(`L${n}`)),
          '$',
          quoted(`Lamp ${n}`),
          '$,$',
          placement(file, '$', [x, 0, 2_500]),
          '$,$,$',
        ),
      );
      containing(file, 'on', storey, made);
      more(file, storey);
    },
  });

const send = (to: string, file: string, headers = {}) =>
  manager.post(to, file, { ...step, ...headers });

const makeBuilding = async () => {
  const { body } = await send(`${BUILDINGS}/import`, architecture());
  return `${BUILDINGS}/${body.buildingId}`;
};

const list = async (of: string) => (await manager.get(of)).body.items;

const roomsOf = async (building: string) => {
  const codes = new Map(
    (await list(`${building}/spaces`)).map(({ id, code }: Record<string, string>) => [id, code]),
  );
  const elements = await list(`${building}/elements`);
  return elements.map(({ code, spaceId }: Record<string, string>) => [code, codes.get(spaceId!)]);
};

describe('POST /api/v1/buildings/{id}/import?model=', () => {
  it('adds a model to the storeys and rooms of another, and is the same twice', async () => {
    const building = await makeBuilding();
    const [storey] = await list(`${building}/storeys`);
    const preview = await send(`${building}/import?model=electrical&dryRun=true`, electrics());
    expect(await roomsOf(building)).toEqual([]);
    const { status, body } = await send(`${building}/import?model=electrical`, electrics());
    expect(status).toBe(200);
    expect(body).toEqual(preview.body);
    expect(body).toMatchObject({
      created: { storeys: 0, spaces: 0, elements: 3, points: 0 },
      storeys: [
        {
          from: { externalId: globalId('E'), code: 'Level 1', name: 'Level 1' },
          to: { id: storey.id, externalId: globalId('G'), code: 'Level 1', name: 'Level 1' },
          by: 'elevation',
        },
      ],
      elements: { contained: 0, byGeometry: 2, onStorey: 1 },
      warnings: [],
    });
    expect(await roomsOf(building)).toEqual([
      ['Lamp 0', '00'],
      ['Lamp 1', '01'],
      ['Lamp 2', undefined],
    ]);
    const again = await send(`${building}/import?model=electrical`, electrics());
    const nothing = { storeys: 0, spaces: 0, elements: 0, points: 0 };
    expect(again.body).toMatchObject({ created: nothing, updated: nothing, removed: nothing });
    const elements = await list(`${building}/elements?model=electrical`);
    expect(elements.map(({ model }: { model: string }) => model)).toEqual(
      Array(3).fill('electrical'),
    );
    expect(await list(`${building}/elements?model=plumbing`)).toEqual([]);
    expect((await manager.get(building)).body.models).toEqual(['electrical']);
  });

  it('accepts a given mapping of storeys', async () => {
    const building = await makeBuilding();
    const [storey] = await list(`${building}/storeys`);
    const file = electrics({ name: 'E-1', elevation: 9_000 });
    const to = `${building}/import?model=electrical&dryRun=true`;
    const by = async (query: string) => (await send(`${to}${query}`, file)).body.storeys;
    expect(await by('')).toMatchObject([{ to: { id: null, code: 'E-1' }, by: 'new' }]);
    for (const from of [globalId('E'), 'E-1']) {
      const query = `&storeys=${encodeURIComponent(`${from}:${storey.id.toUpperCase()}`)}`;
      expect(await by(query)).toMatchObject([{ to: { id: storey.id }, by: 'given' }]);
    }
    const wrong = async (storeys: string) => {
      const { status, body } = await send(`${to}&storeys=${encodeURIComponent(storeys)}`, file);
      return [status, body.code];
    };
    expect(await wrong(`Nowhere:${storey.id}`)).toEqual([400, 'VALIDATION_FAILED']);
    expect(await wrong(`E-1:${globalId('x')}`)).toEqual([400, 'VALIDATION_FAILED']);
    const [other] = await list(`${await makeBuilding()}/storeys`);
    expect(await wrong(`E-1:${other.id}`)).toEqual([400, 'REFERENCE_NOT_FOUND']);
  });

  it('is another command under one Idempotency-Key where the query is another', async () => {
    const building = await makeBuilding();
    const headers = { 'idempotency-key': 'one' };
    const to = `${building}/import?model=electrical`;
    expect((await send(to, electrics(), headers)).status).toBe(200);
    const again = await send(to, electrics(), headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    const other = await send(`${building}/import?model=lighting`, electrics(), headers);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('refuses an invalid model name', async () => {
    const building = await makeBuilding();
    for (const model of ['', 'Electrical', 'a b', 'x'.repeat(65)]) {
      const query = `model=${encodeURIComponent(model)}`;
      const { status, body } = await send(`${building}/import?${query}`, electrics());
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  it('refuses nodes of another model, and names that model', async () => {
    const building = await makeBuilding();
    await send(`${building}/import?model=electrical`, electrics());
    const { status, body } = await send(`${building}/import?model=copy`, electrics());
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    expect(body.detail).toContain('its externalId is that of an element of model electrical');
  });

  it('assigns sensors to rooms by position; their history outlives the rooms', async () => {
    const building = await makeBuilding();
    const more = (file: IfcLines, storey: string) => {
      const sensor = file.add(
        'IFCSENSOR',
        quoted(globalId('S')),
        '$',
        quoted('CO2'),
        '$,$',
        placement(file, '$', [5_000, 0, 1_500]),
        '$,$,.CO2SENSOR.',
      );
      containing(file, 'sensors', storey, [sensor]);
    };
    await send(`${building}/import?model=sensors`, electrics({ lamps: [], more }));
    const [, second] = await list(`${building}/spaces`);
    expect(await list(`${building}/points`)).toMatchObject([
      { code: 'CO2', pointClass: 'co2sensor', unit: 'ppm', spaceId: second.id, model: 'sensors' },
    ]);

    const [{ id: pointId }] = await list(`${building}/points`);
    const timestamp = '2026-03-02T12:00:00.000Z';
    await manager.post(`${building}/observations`, {
      observations: [{ pointId, value: 640, timestamp }],
    });
    const { status } = await send(`${building}/import?replace=true`, architecture());
    const [, renewed] = await list(`${building}/spaces`);
    expect([status, renewed.id === second.id]).toEqual([200, false]);
    expect(await list(`${building}/points`)).toMatchObject([
      { id: pointId, spaceId: renewed.id, latest: { value: 640 } },
    ]);
    const range = `from=${timestamp}&to=2026-03-02T13:00:00.000Z`;
    const { body } = await manager.get(`${building}/points/${pointId}/observations?${range}`);
    expect(body.items).toEqual([{ timestamp, value: 640 }]);
  });
});

describe('a file of several buildings', () => {
  const two = electrics({
    more: (file) => {
      file.add(
        'IFCBUILDING',
        quoted(globalId('tower')),
        '$',
        quoted('Tower'),
        '$,$,$,$,$,.ELEMENT.,$,$,$',
      );
    },
  });

  it('is refused with their GlobalIds and names, until one is chosen', async () => {
    const { status, body } = await send(`${BUILDINGS}/import`, two);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.buildings).toEqual([
      { globalId: globalId('building'), name: 'Warehouse' },
      { globalId: globalId('tower'), name: 'Tower' },
    ]);
    const chosen = await send(`${BUILDINGS}/import?building=${globalId('building')}`, two);
    expect([chosen.status, chosen.body.created.elements]).toEqual([201, 3]);
    const into = `${BUILDINGS}/${chosen.body.buildingId}/import?replace=true`;
    const other = await send(`${into}&building=${globalId('tower')}`, two);
    expect([other.status, other.body.removed.elements]).toEqual([200, 3]);
  });

  it('has no building of another document', async () => {
    const document = { site: { code: 'S', name: 'S' }, building: { code: 'B', name: 'B' } };
    const { status, body } = await manager.post(`${BUILDINGS}/import?building=x`, document);
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'building']);
  });
});

it('a room in no storey is imported on one made for it, with a warning', async () => {
  const file = architecture().replace(/#\d+=IFCBUILDINGSTOREY.*\n/, '');
  const { status, body } = await send(`${BUILDINGS}/import`, file);
  expect([status, body.created.storeys, body.created.spaces]).toEqual([201, 1, 2]);
  expect(body.warnings).toEqual([expect.stringContaining('has no storey')]);
});
