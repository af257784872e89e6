/** Tools of buildings, their telemetry and their faults. */
import { z } from 'zod';
import type { components } from '../../../sdk/src/openapi.ts';
import {
  ITEMS_PAGE_DEFAULT,
  ITEMS_PAGE_MAX,
  NAMED_ROWS_MAX,
  POINTS_PAGE_MAX,
  RESOLVED_AT_ONCE_MAX,
  SAMPLES_PAGE_DEFAULT,
  SAMPLES_PAGE_MAX,
  SPACES_PAGE_MAX,
} from './limits.ts';
import { tool, type Tool } from './tool.ts';
import { hasWords } from './words.ts';

type Space = components['schemas']['Space'];
type Point = components['schemas']['Point'];

const buildingId = z.uuid().describe('`id` of a building, from list_buildings.');
const limit = z.int().min(1).max(ITEMS_PAGE_MAX).default(ITEMS_PAGE_DEFAULT);
const offset = z.int().min(0).max(1_000_000).default(0);
const words = z
  .string()
  .min(1)
  .max(200)
  .describe('Each word must occur in name, code or external id. Case-insensitive.');
const time = z.iso.datetime({ offset: true });

const listBuildings = tool({
  name: 'list_buildings',
  title: 'List buildings',
  description: 'The buildings of the organisation, with their ids.',
  effect: 'reads',
  input: { limit, offset },
  async run(query, { platform }, signal) {
    const { data } = await platform.GET('/api/v1/buildings', { params: { query }, signal });
    return data;
  },
});

const findRooms = tool({
  name: 'find_rooms',
  title: 'Find rooms by name',
  description: 'Rooms (spaces) of a building whose name, code or external id has these words.',
  effect: 'reads',
  input: { buildingId, name: words, storeyId: z.uuid().exactOptional(), limit },
  async run({ buildingId: building, name, limit: most, ...within }, { platform }, signal) {
    const page: Page<Space> = async (rows) => {
      const { data } = await platform.GET('/api/v1/buildings/{buildingId}/spaces', {
        params: {
          path: { buildingId: building },
          query: { ...within, ...rows },
        },
        signal,
      });
      return data;
    };
    return named(page, { text: name, most, pageMax: SPACES_PAGE_MAX }, roomShown);
  },
});

const findPoints = tool({
  name: 'find_points',
  title: 'Find points by name',
  description:
    'Points (sensors, meters, set points) of a building or room whose name, code or external id ' +
    'has these words, with their latest value.',
  effect: 'reads',
  input: { buildingId, name: words.exactOptional(), spaceId: z.uuid().exactOptional(), limit },
  async run({ buildingId: building, name = '', limit: most, ...within }, { platform }, signal) {
    const page: Page<Point> = async (rows) => {
      const { data } = await platform.GET('/api/v1/buildings/{buildingId}/points', {
        params: {
          path: { buildingId: building },
          query: { ...within, ...rows },
        },
        signal,
      });
      return data;
    };
    return named(page, { text: name, most, pageMax: POINTS_PAGE_MAX }, pointShown);
  },
});

const readValues = tool({
  name: 'read_values',
  title: 'Read values of a point',
  description:
    'Values of a point in a time range, oldest first: samples, or buckets with minimum, ' +
    'maximum and mean. Default range: the last day.',
  effect: 'reads',
  input: {
    buildingId,
    pointId: z.uuid().describe('`id` of a point, from find_points.'),
    from: time.exactOptional(),
    to: time.exactOptional().describe('Exclusive.'),
    bucket: z.enum(['1m', '15m', '1h', '1d']).exactOptional(),
    limit: z.int().min(1).max(SAMPLES_PAGE_MAX).default(SAMPLES_PAGE_DEFAULT),
  },
  async run({ buildingId: building, pointId, limit: most, ...range }, { platform }, signal) {
    const { data } = await platform.GET(
      '/api/v1/buildings/{buildingId}/points/{pointId}/observations',
      { params: { path: { buildingId: building, pointId }, query: range }, signal },
    );
    const items = data.items.slice(0, most);
    const nextFrom = data.items[most]?.timestamp ?? data.nextFrom;
    return { items, nextFrom };
  },
});

const listFaults = tool({
  name: 'list_faults',
  title: 'List faults',
  description: 'Faults that diagnostic rules have found in a building, with their tickets.',
  effect: 'reads',
  input: {
    buildingId,
    open: z.boolean().default(true),
    spaceId: z.uuid().exactOptional(),
    limit,
    offset,
  },
  async run({ buildingId: building, ...query }, { platform }, signal) {
    const { data } = await platform.GET('/api/v1/buildings/{buildingId}/faults', {
      params: { path: { buildingId: building }, query },
      signal,
    });
    return data;
  },
});

const resolveIdentifiers = tool({
  name: 'resolve_identifiers',
  title: 'Resolve identifiers of other systems',
  description: 'Ids of storeys, rooms, elements and points by external id or by code.',
  effect: 'reads',
  input: {
    buildingId,
    sourceSystem: z.string().min(1).max(64).exactOptional(),
    externalIds: z.array(z.string().min(1).max(200)).max(RESOLVED_AT_ONCE_MAX).exactOptional(),
    codes: z.array(z.string().min(1).max(200)).max(RESOLVED_AT_ONCE_MAX).exactOptional(),
  },
  async run({ buildingId: building, ...body }, { platform }, signal) {
    const { data } = await platform.POST('/api/v1/buildings/{buildingId}/resolve', {
      params: { path: { buildingId: building } },
      body,
      signal,
    });
    return data;
  },
});

interface Named {
  readonly name: string;
  readonly code: string;
  readonly externalId: string | null;
}

type Page<Row> = (rows: { readonly limit: number; readonly offset: number }) => Promise<{
  readonly items: readonly Row[];
  readonly total: number;
}>;

interface Search {
  readonly text: string;
  readonly most: number;
  /** The most rows that the server gives at once. */
  readonly pageMax: number;
}

/**
 * The first `most` rows that have every word. Pages are read until there are enough;
 * `searchedAll` is false where there were more than {@link NAMED_ROWS_MAX}.
 */
const named = async <Row extends Named>(
  page: Page<Row>,
  { text, most, pageMax }: Search,
  show: (row: Row) => object,
): Promise<object> => {
  const isFound = hasWords(text);
  const isNamed = ({ name, code, externalId }: Row) => isFound([name, code, externalId]);
  const items: object[] = [];
  for (let from = 0; from < NAMED_ROWS_MAX; from += pageMax) {
    const { items: rows, total } = await page({ limit: pageMax, offset: from });
    for (const row of rows.filter(isNamed)) {
      if (items.length === most) return { items, hasMore: true };
      items.push(show(row));
    }
    if (from + pageMax >= total) return { items, hasMore: false };
  }
  return { items, hasMore: false, searchedAll: false };
};

const roomShown = ({ id, code, name, externalId, storey, spaceType, areaSqm }: Space) => ({
  id,
  code,
  name,
  externalId,
  storey,
  spaceType: spaceType.slug,
  areaSqm,
});

const pointShown = ({ id, code, name, externalId, spaceId, elementId, ...point }: Point) => ({
  id,
  code,
  name,
  externalId,
  spaceId,
  elementId,
  pointClass: point.pointClass,
  unit: point.unit,
  latest: point.latest,
});

export const buildingTools: readonly Tool[] = [
  listBuildings,
  findRooms,
  findPoints,
  readValues,
  listFaults,
  resolveIdentifiers,
];
