/** Schemas of the building routes. interface.md «Building graph», contract.md section 6. */
import { z } from 'zod';
import { importDocument, newSpace, slug } from '../../domain/buildings/document.ts';
import {
  EXTERNAL_ID_CHARACTERS_MAX,
  GIVEN_STOREYS_MAX,
  MODELS_MAX,
  STOREY_MATCH_METRES,
  STOREYS_NAMED_MAX,
} from '../../domain/buildings/limits.ts';
import {
  GIVEN_STOREYS_CHARACTERS_MAX,
  GRAPH_PAGE_DEFAULT,
  GRAPH_PAGE_MAX,
  SPACES_PAGE_DEFAULT,
} from './limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { OFFSET_MAX } from '../http/limits.ts';
import { id, queryBoolean, queryFlag, queryList, queryNumber } from '../http/text.ts';

export const BuildingParams = z.object({
  buildingId: id.describe('Internal id.').meta(exampled(demo.buildingId)),
});

export const SpaceParams = BuildingParams.extend({
  spaceId: id.describe('Internal id.').meta(exampled(demo.spaceId)),
});

export const ElementParams = BuildingParams.extend({
  elementId: id.describe('Internal id.').meta(exampled(demo.elementId)),
});

export const PointParams = BuildingParams.extend({
  pointId: id.describe('Internal id.').meta(exampled(demo.pointId)),
});

const range = (limitDefault: number, limitMax: number) => ({
  limit: queryNumber(1, limitMax, limitDefault).describe(
    `Number of items in the page, 1 to ${limitMax}. Default ${limitDefault}.`,
  ),
  offset: queryNumber(0, OFFSET_MAX, 0).describe('Number of items before the page. Default 0.'),
});

export const PageQuery = z.strictObject(range(GRAPH_PAGE_DEFAULT, GRAPH_PAGE_MAX));

const ofModel = slug.optional().describe('Only nodes of this named model.');

export const InSpaceQuery = PageQuery.extend({
  model: ofModel,
  spaceId: id.optional().describe('Internal id of a space: only items in it.'),
});

/** A deployment may cap the page; a caller that gets a 400 retries with the cap. */
export const spacesQuery = (limitMax: number) =>
  z.strictObject({
    ...range(Math.min(SPACES_PAGE_DEFAULT, limitMax), limitMax),
    storeyId: id.optional().describe('Internal id of a storey.'),
    spaceTypeSlug: slug.optional(),
    model: ofModel,
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

const dryRun = queryFlag(false).describe(
  'true: return what the import would do, without changing anything.',
);

const model = slug
  .optional()
  .describe(
    'The model that the document contains, such as `electrical` for one discipline: its ' +
      'nodes are added or updated, and nodes of other models stay. Default: the building’s ' +
      'own, unnamed model.',
  );

const building = z
  .string()
  .min(1)
  .max(EXTERNAL_ID_CHARACTERS_MAX)
  .optional()
  .describe('GlobalId of the building to import from a file with several.');

const UUID_CHARACTERS = 36;

const givenStorey = z
  .string()
  .max(EXTERNAL_ID_CHARACTERS_MAX + 1 + UUID_CHARACTERS)
  .regex(/.:(?:new|[0-9a-fA-F-]{36})$/, 'must be <externalId or code>:<id of a storey, or new>');

const storeys = queryList(givenStorey, {
  charactersMax: GIVEN_STOREYS_CHARACTERS_MAX,
  valuesMax: GIVEN_STOREYS_MAX,
})
  .optional()
  .describe(
    'Matches storeys of the document that are not matched automatically to storeys of ' +
      'other models: `<externalId, else code, of the document>:<id of the building’s ' +
      'storey>`, or `…:new`.',
  );

export const NewImportQuery = z.strictObject({ dryRun, model, building });

export const ImportQuery = z.strictObject({
  dryRun,
  model,
  building,
  storeys,
  replace: queryFlag(false).describe(
    'true: recreate the internal ids of the model and remove nodes that the document ' +
      'does not contain.',
  ),
});

const counts = z
  .object({ storeys: z.int(), spaces: z.int(), elements: z.int(), points: z.int() })
  .meta({ id: 'NodeCounts' });

const storeyLabel = z
  .object({ externalId: z.string().nullable(), code: z.string(), name: z.string() })
  .meta({ id: 'StoreyLabel' });

const foundStorey = z
  .object({
    from: storeyLabel.describe('The storey in the document.'),
    to: storeyLabel
      .extend({
        id: z.uuid().nullable().describe('`null` for a storey that a dry run would create.'),
      })
      .meta({ id: 'StoreyFound' })
      .describe('The storey of the building, after the import.'),
    by: z
      .enum(['externalId', 'code', 'elevation', 'given', 'new'])
      .describe(
        'How the storey was matched. `elevation`: to a storey of another model with the same ' +
          `name and an elevation that differs by at most ${STOREY_MATCH_METRES} m.`,
      ),
  })
  .meta({ id: 'StoreyMatch' });

const imported = {
  created: counts,
  updated: counts,
  removed: counts.describe('With `replace=true`, every node that the model had before.'),
  gone: counts
    .catchall(z.int())
    .describe(
      'Nodes that were removed without a replacement, by kind, and the data that belonged ' +
        'to them.',
    )
    .meta({ id: 'GoneCounts' }),
  outlines: z
    .object({ spaces: z.int(), without: z.int() })
    .describe('Spaces of the building that have an outline, and that have none.')
    .meta({ id: 'OutlineCounts' }),
  storeys: z
    .array(foundStorey)
    .describe(
      'The storeys of the building to which the storeys of the document were matched; the ' +
        `first ${STOREYS_NAMED_MAX}.`,
    ),
  elements: z
    .object({
      contained: z.int().describe('Elements that the document places in a room.'),
      byGeometry: z
        .int()
        .describe('Elements assigned to the room whose outline contains their position.'),
      onStorey: z.int().describe('Elements on a storey, in no room.'),
    })
    .describe('How the elements of the imported model were assigned to rooms.')
    .meta({ id: 'ElementPlaces' }),
  warnings: z
    .array(z.string())
    .describe('Parts of the file that were interpreted or left out, each with its line.'),
};

export const ImportBody = z
  .object({ buildingId: z.uuid(), ...imported })
  .meta({ id: 'BuildingImport' });

/** A dry run makes no building. */
export const ImportPreviewBody = z.object(imported).meta({ id: 'BuildingImportPreview' });

const node = {
  id: z.uuid().describe('Internal id. An import with `replace=true` creates a new one.'),
  externalId: z.string().nullable().describe('Stays the same across imports.'),
  sourceSystem: z.string().nullable(),
  code: z.string().describe('Unique among the nodes of its kind in the building.'),
  name: z.string(),
};

const modelNode = {
  ...node,
  model: z
    .string()
    .nullable()
    .describe("`null` for elements of the building's own, unnamed model."),
};

const labelled = z
  .object({ id: z.uuid(), code: z.string(), name: z.string() })
  .meta({ id: 'NodeLabel' });

export const BuildingBody = z
  .object({
    ...node,
    site: labelled,
    models: z
      .array(z.string())
      .max(MODELS_MAX)
      .describe('The named models of the building, sorted by name.'),
  })
  .meta({ id: 'Building' });

const StoreyBody = z
  .object({ ...modelNode, level: z.number().describe('0 is the ground floor.') })
  .meta({ id: 'Storey' });

export const SpaceBody = z
  .object({
    ...modelNode,
    storey: labelled,
    spaceType: z.object({ slug: z.string(), name: z.string() }),
    areaSqm: z.number().nullable().describe('Square metres.'),
    status: z.enum(['active', 'inactive']),
    isLeasable: z.boolean(),
  })
  .meta({ id: 'Space' });

const placed = {
  spaceId: z.uuid().nullable().describe('`null` if the element is in no room.'),
  storeyId: z.uuid(),
};

export const ElementBody = z
  .object({ ...modelNode, elementTypeSlug: z.string(), ...placed })
  .meta({ id: 'Element' });

export const PointBody = z
  .object({
    ...modelNode,
    elementId: z.uuid(),
    ...placed,
    pointClass: z.string(),
    valueType: z.enum(['number', 'boolean']),
    unit: z.string().nullable(),
    latest: z
      .object({ value: z.union([z.number(), z.boolean()]), timestamp: z.iso.datetime() })
      .nullable()
      .describe('`null` until the first observation.'),
  })
  .meta({ id: 'Point' });

export const pageOf = <Row extends z.ZodType>(row: Row, id: string) =>
  z
    .object({
      items: z.array(row),
      limit: z.int(),
      offset: z.int(),
      total: z.int().describe('The exact number of matches.'),
    })
    .meta({ id });

export const BuildingListBody = pageOf(BuildingBody, 'BuildingPage');
export const StoreyListBody = pageOf(StoreyBody, 'StoreyPage');
export const SpaceListBody = pageOf(SpaceBody, 'SpacePage');
export const ElementListBody = pageOf(ElementBody, 'ElementPage');
export const PointListBody = pageOf(PointBody, 'PointPage');
