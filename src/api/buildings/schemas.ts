/** Schemas of the building routes. interface.md «Building graph», contract.md section 6. */
import { z } from 'zod';
import { importDocument, newSpace, slug } from '../../domain/buildings/document.ts';
import { GRAPH_PAGE_DEFAULT, GRAPH_PAGE_MAX, SPACES_PAGE_DEFAULT } from './limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { id, queryBoolean, queryFlag, queryNumber } from '../http/text.ts';

const OFFSET_MAX = 999_999_999;

export const BuildingParams = z.object({
  buildingId: id.describe('Internal id.').meta(exampled(demo.buildingId)),
});

export const SpaceParams = BuildingParams.extend({
  spaceId: id.describe('Internal id.').meta(exampled(demo.spaceId)),
});

export const ElementParams = BuildingParams.extend({ elementId: id.describe('Internal id.') });

export const PointParams = BuildingParams.extend({
  pointId: id.describe('Internal id.').meta(exampled(demo.pointId)),
});

const range = (limitDefault: number, limitMax: number) => ({
  limit: queryNumber(1, limitMax, limitDefault).describe(
    `Rows in the page, 1 to ${limitMax}. Default ${limitDefault}.`,
  ),
  offset: queryNumber(0, OFFSET_MAX, 0).describe('Rows before the page. Default 0.'),
});

export const PageQuery = z.strictObject(range(GRAPH_PAGE_DEFAULT, GRAPH_PAGE_MAX));

export const InSpaceQuery = PageQuery.extend({
  spaceId: id.optional().describe('Internal id of a space: only what is in it.'),
});

/** A deployment may cap the page; a caller that gets a 400 retries with the cap. */
export const spacesQuery = (limitMax: number) =>
  z.strictObject({
    ...range(Math.min(SPACES_PAGE_DEFAULT, limitMax), limitMax),
    storeyId: id.optional().describe('Internal id of a storey.'),
    spaceTypeSlug: slug.optional(),
    status: z.enum(['active', 'inactive']).optional(),
    isLeasable: queryBoolean.optional(),
  });

export const DocumentBody = importDocument.meta({
  id: 'BuildingDocument',
  ...exampled({
    site: { code: 'HARBOUR', name: 'Harbour Quarter' },
    building: {
      code: 'H2',
      name: 'Warehouse',
      storeys: [
        {
          code: '00',
          name: 'Ground floor',
          level: 0,
          spaces: [{ code: '00-001', name: 'Loading bay', spaceTypeSlug: 'loading', areaSqm: 150 }],
        },
      ],
    },
  }),
});

export const NewSpaceBody = newSpace.meta({
  id: 'NewSpace',
  ...exampled({
    storeyId: demo.storeyId,
    code: '01-099',
    name: 'Store room',
    spaceTypeSlug: 'storage',
  }),
});

const dryRun = queryFlag(false).describe('true: answer what the import would do; change nothing.');

export const NewImportQuery = z.strictObject({ dryRun });

export const ImportQuery = z.strictObject({
  dryRun,
  replace: queryFlag(false).describe(
    'true: recreate internal ids and remove what the document does not have.',
  ),
});

const counts = z
  .object({ storeys: z.int(), spaces: z.int(), elements: z.int(), points: z.int() })
  .meta({ id: 'NodeCounts' });

const imported = {
  created: counts,
  updated: counts,
  removed: counts.describe('With `replace=true` every node that was there.'),
  gone: counts
    .catchall(z.int())
    .describe('What nothing took the place of: nodes by kind, and what hung on such nodes.')
    .meta({ id: 'GoneCounts' }),
  outlines: z
    .object({ spaces: z.int(), without: z.int() })
    .describe('Spaces of the building that have an outline, and that have none.')
    .meta({ id: 'OutlineCounts' }),
  warnings: z
    .array(z.string())
    .describe('What an IFC file has that was read otherwise than it is written, by its line.'),
};

export const ImportBody = z
  .object({ buildingId: z.uuid(), ...imported })
  .meta({ id: 'BuildingImport' });

/** A dry run makes no building. */
export const ImportPreviewBody = z.object(imported).meta({ id: 'BuildingImportPreview' });

const node = {
  id: z.uuid().describe('Internal id; recreated by an import with `replace=true`.'),
  externalId: z.string().nullable().describe('Survives imports.'),
  sourceSystem: z.string().nullable(),
  code: z.string().describe('Unique among the nodes of its kind in the building.'),
  name: z.string(),
};

const labelled = z
  .object({ id: z.uuid(), code: z.string(), name: z.string() })
  .meta({ id: 'NodeLabel' });

export const BuildingBody = z.object({ ...node, site: labelled }).meta({ id: 'Building' });

const StoreyBody = z
  .object({ ...node, level: z.number().describe('0 is the ground floor.') })
  .meta({ id: 'Storey' });

export const SpaceBody = z
  .object({
    ...node,
    storey: labelled,
    spaceType: z.object({ slug: z.string(), name: z.string() }),
    areaSqm: z.number().nullable().describe('Square metres.'),
    status: z.enum(['active', 'inactive']),
    isLeasable: z.boolean(),
  })
  .meta({ id: 'Space' });

const placed = {
  spaceId: z.uuid().nullable().describe('`null` where it is in no room.'),
  storeyId: z.uuid(),
};

export const ElementBody = z
  .object({ ...node, elementTypeSlug: z.string(), ...placed })
  .meta({ id: 'Element' });

export const PointBody = z
  .object({
    ...node,
    elementId: z.uuid(),
    ...placed,
    pointClass: z.string(),
    valueType: z.enum(['number', 'boolean']),
    unit: z.string().nullable(),
    latest: z
      .object({ value: z.union([z.number(), z.boolean()]), timestamp: z.iso.datetime() })
      .nullable()
      .describe('`null` until something has been observed.'),
  })
  .meta({ id: 'Point' });

export const pageOf = <Row extends z.ZodType>(row: Row, id: string) =>
  z
    .object({
      items: z.array(row),
      limit: z.int(),
      offset: z.int(),
      total: z.int().describe('Exact.'),
    })
    .meta({ id });

export const BuildingListBody = pageOf(BuildingBody, 'BuildingPage');
export const StoreyListBody = pageOf(StoreyBody, 'StoreyPage');
export const SpaceListBody = pageOf(SpaceBody, 'SpacePage');
export const ElementListBody = pageOf(ElementBody, 'ElementPage');
export const PointListBody = pageOf(PointBody, 'PointPage');
