/** A building, its readings, layers and faults with hostile text in every field. */
import { element, point, space, storey } from '../domain/building-documents.ts';
import { until } from '../until.ts';
import { hostileIn } from './hostile-texts.ts';

/** Of texts of at most 100 and 200 characters, and of codes: they are unique in the building. */
const [CODES, NAMES] = [hostileIn(100), hostileIn(200)];
const UNIT = '<img src=x onerror=ran=1>';

const codeOf = (at: number, n: number): string => `${at}${n} ${CODES[n]!}`.slice(0, 100);
const identified = (prefix: string, name: string) => ({
  externalId: `${prefix} ${name}`.slice(0, 200),
  sourceSystem: hostileIn(64)[0]!,
});

const document = {
  site: { code: CODES[0], name: NAMES[0] },
  building: {
    code: CODES[0],
    name: NAMES[0],
    ...identified('building', NAMES[0]!),
    storeys: NAMES.map((name, at) =>
      storey(CODES[at]!, {
        name,
        level: at,
        ...identified('storey', name),
        spaces: NAMES.map((name, n) =>
          space(codeOf(at, n), {
            name,
            ...identified(`space ${at} ${n}`, name),
            elements: [
              element(codeOf(at, n), {
                name,
                points: [point(codeOf(at, n), { name, pointClass: CODES[n]!, unit: UNIT })],
              }),
            ],
          }),
        ),
      }),
    ),
  },
};

export interface HostileBuilding {
  readonly building: string;
  readonly storey: string;
  readonly space: string;
  readonly point: string;
  /** Of the first name. */
  readonly fault: string;
}

/** @param manager A request of a person who may import. */
export const hostileBuilding = async (
  manager: (method: string, path: string, body?: unknown) => Promise<Answered>,
): Promise<HostileBuilding> => {
  const { buildingId } = await manager('POST', '/api/v1/buildings/import', document);
  const of = `/api/v1/buildings/${buildingId}`;
  const idsOf = async (part: string): Promise<string[]> =>
    (await manager('GET', `${of}/${part}?limit=20`)).items.map(({ id }) => id);
  const [storeys, spaces, points] = [
    await idsOf('storeys'),
    await idsOf('spaces'),
    await idsOf('points'),
  ];
  await manager('PUT', `${of}/data-layers/hostile/values`, {
    keyBy: 'id',
    values: spaces.map((key, at) => ({ key, value: NAMES[at % NAMES.length] })),
  });
  for (const title of NAMES)
    await manager('POST', `${of}/diagnostic-rules`, {
      title,
      severity: hostileIn(64)[0],
      comparison: 'gt',
      threshold: 0,
      pointId: points[0],
    });
  await manager('POST', `${of}/observations`, {
    observations: points.map((pointId) => ({ pointId, value: 21 })),
  });
  const faults = async () => (await manager('GET', `${of}/faults`)).items;
  const isFound = async () => (await faults()).length === NAMES.length;
  await until(isFound, 'the faults of the rules');
  return {
    building: buildingId,
    storey: storeys[0]!,
    space: spaces[0]!,
    point: points[0]!,
    fault: (await faults()).find(({ title }) => title === NAMES[0])!.faultId!,
  };
};

interface Answered {
  readonly buildingId: string;
  readonly items: readonly {
    readonly id: string;
    readonly faultId?: string;
    readonly title?: string;
  }[];
}
