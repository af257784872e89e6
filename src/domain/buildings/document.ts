/**
 * A building as a file describes it: the JSON of contract.md section 6, checked for its shape.
 * Whether its codes and identifiers are free is decided in `plan.ts`.
 */
import { z } from 'zod';
import {
  AREA_SQM_MAX,
  CODE_CHARACTERS_MAX,
  COORDINATE_METRES_MAX,
  DRAWING_POINTS_MAX,
  ELEVATION_METRES_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  IMPORT_NODES_MAX,
  LEVEL_MAX,
  NODE_NAME_CHARACTERS_MAX,
  OUTLINE_HOLES_MAX,
  OUTLINE_POINTS_MAX,
  SLUG_CHARACTERS_MAX,
  SOURCE_SYSTEM_CHARACTERS_MAX,
  UNIT_CHARACTERS_MAX,
} from './limits.ts';
import { isBlank, unpadded } from '../blank.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../limits.ts';
import { drawingOf, outlineOf, type Drawing, type Outline } from './outline.ts';

/** Storable text with a visible character. */
const text = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => !isBlank(value), { error: 'must not be blank', abort: true })
    .refine((value) => !value.includes('\0'), 'must not contain U+0000')
    .refine((value) => value.isWellFormed(), 'must not contain lone surrogates');

export const slug = z
  .string()
  .max(SLUG_CHARACTERS_MAX)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be lower-case letters, digits, - and _')
  .describe('Lower-case letters and digits in groups joined by `-` or `_`.');

const code = unpadded(text(CODE_CHARACTERS_MAX)).describe(
  'The label by which people know the node. Unique among the nodes of its kind in the building.',
);
const name = text(NODE_NAME_CHARACTERS_MAX);

const identity = {
  externalId: unpadded(text(EXTERNAL_ID_CHARACTERS_MAX))
    .nullish()
    .describe('Identifier in the source system. Requires `sourceSystem`.'),
  sourceSystem: unpadded(text(SOURCE_SYSTEM_CHARACTERS_MAX))
    .nullish()
    .describe('The system that assigned the `externalId`, such as `ifc`. Requires `externalId`.'),
};

/** `sourceSystem` and `externalId` are given together or not at all, and so are `x` and `y`. */
const whole = <Shape extends z.ZodType<Identified>>(node: Shape) =>
  node.superRefine(({ externalId, sourceSystem, x, y }, context) => {
    if (((x ?? null) === null) !== ((y ?? null) === null)) {
      context.addIssue({ code: 'custom', path: ['x'], message: 'is given with y, or not at all' });
    }
    if ((externalId ?? null) !== null && (sourceSystem ?? null) === null) {
      context.addIssue({ code: 'custom', path: ['externalId'], message: 'needs a sourceSystem' });
    }
    if ((sourceSystem ?? null) !== null && (externalId ?? null) === null) {
      context.addIssue({ code: 'custom', path: ['sourceSystem'], message: 'needs an externalId' });
    }
  });

interface Identified {
  externalId?: string | null | undefined;
  sourceSystem?: string | null | undefined;
  x?: number | null | undefined;
  y?: number | null | undefined;
}

const coordinate = {
  type: 'number',
  minimum: -COORDINATE_METRES_MAX,
  maximum: COORDINATE_METRES_MAX,
} as const;
const position = { type: 'array', items: coordinate, minItems: 2, maxItems: 2 } as const;
/** The JSON Schema of rings. */
const ringsOf = (positionsMax: number) =>
  ({
    type: 'array',
    maxItems: 1 + OUTLINE_HOLES_MAX,
    items: { type: 'array', maxItems: positionsMax, items: position },
  }) as const;
/** A polygon has three positions. */
const polygons = {
  type: 'array',
  maxItems: DRAWING_POINTS_MAX / 3,
  items: ringsOf(DRAWING_POINTS_MAX),
} as const;

/** Validated as a whole by `of`, which checks sizes before contents. */
const shaped = <Shape>(of: (given: unknown) => Shape | string) =>
  (z.any() as z.ZodType<Shape>).superRefine((given, context) => {
    const shape = of(given);
    if (typeof shape === 'string') context.addIssue({ code: 'custom', message: shape });
  });

/** contract.md section 6 «Outlines». */
export const outline = shaped<Outline>(outlineOf).meta({
  ...ringsOf(OUTLINE_POINTS_MAX),
  description:
    'Rings of `[x, y]` in metres, in the storey’s own coordinates: the outer one, then at most ' +
    `${OUTLINE_HOLES_MAX} holes; closed implicitly, at most ${OUTLINE_POINTS_MAX} positions in ` +
    `all, within ±${COORDINATE_METRES_MAX / 1000} km, not crossing or touching themselves or ` +
    'each other.',
});

const drawing = shaped<Drawing>(drawingOf).meta({
  type: 'object',
  additionalProperties: false,
  properties: {
    walls: polygons,
    doors: polygons,
    windows: polygons,
  },
  description:
    `Lines that a plan shows in addition to the rooms; at most ${DRAWING_POINTS_MAX} ` +
    'positions.',
});

const elevation = z.number().min(-ELEVATION_METRES_MAX).max(ELEVATION_METRES_MAX);

/** Metres, in the coordinates of outlines. */
const placement = z
  .number()
  .min(-COORDINATE_METRES_MAX)
  .max(COORDINATE_METRES_MAX)
  .nullish()
  .describe(
    'Position: `x` and `y` in metres, in the coordinates of outlines. An element that ' +
      'the document places on a storey but in no room is assigned to the room whose ' +
      'outline contains its position.',
  );

const pointShape = {
  code,
  name,
  pointClass: unpadded(text(POINT_CLASS_CHARACTERS_MAX)).describe(
    'What it measures, as a Brick class.',
  ),
  valueType: z.enum(['number', 'boolean']),
  unit: text(UNIT_CHARACTERS_MAX).nullish(),
  ...identity,
};

const elementShape = {
  code,
  name,
  elementTypeSlug: slug,
  x: placement,
  y: placement,
  ...identity,
};

const spaceShape = {
  code,
  name,
  spaceTypeSlug: slug,
  areaSqm: z.number().min(0).max(AREA_SQM_MAX).nullish().describe('Square metres.'),
  isLeasable: z.boolean().nullish().describe('Default false.'),
  outline: outline.optional(),
  ...identity,
};

const storeyShape = {
  code,
  name,
  level: z.number().min(-LEVEL_MAX).max(LEVEL_MAX).describe('0 is the ground floor.'),
  elevation: elevation.nullish().describe("Metres above the building's zero level."),
  height: elevation.nullish().describe('Metres to the next storey.'),
  outline: outline.optional(),
  drawing: drawing.optional(),
  ...identity,
};

const buildingShape = {
  code,
  name,
  north: z
    .number()
    .min(0)
    .lt(360)
    .nullish()
    .describe('Direction of north on the plans, in degrees clockwise from +y.'),
  ...identity,
};

const siteDocument = z
  .strictObject({ code, name })
  .describe(
    'The site of the building. An existing site of the organisation with the same code ' +
      'is reused.',
  );

/** Each list is bounded like the whole document; the total is checked separately. */
const listOf = <Node extends z.ZodType>(node: Node) =>
  z.array(node).max(IMPORT_NODES_MAX).optional();

const pointDocument = whole(z.strictObject(pointShape)).meta({ id: 'PointDocument' });

const elementDocument = whole(
  z.strictObject({ ...elementShape, points: listOf(pointDocument) }),
).meta({ id: 'ElementDocument' });

const spaceDocument = whole(
  z.strictObject({ ...spaceShape, elements: listOf(elementDocument) }),
).meta({ id: 'SpaceDocument' });

const storeyDocument = whole(
  z.strictObject({
    ...storeyShape,
    spaces: listOf(spaceDocument),
    elements: listOf(elementDocument).describe('Elements that are in no room.'),
  }),
).meta({ id: 'StoreyDocument' });

export const importDocument = z.strictObject({
  site: siteDocument,
  building: whole(z.strictObject({ ...buildingShape, storeys: listOf(storeyDocument) })),
});

export type ImportDocument = z.infer<typeof importDocument>;
export type StoreyDocument = z.infer<typeof storeyDocument>;
export type SpaceDocument = z.infer<typeof spaceDocument>;
export type ElementDocument = z.infer<typeof elementDocument>;
export type PointDocument = z.infer<typeof pointDocument>;

/** A space added to an existing building. */
export const newSpace = whole(
  z.strictObject({ storeyId: z.uuid().describe('Internal id of its storey.'), ...spaceShape }),
);

export type NewSpace = z.infer<typeof newSpace>;

/** The schema of one kind of node; its child nodes are not checked by it. */
export interface NodeSchema {
  readonly own: z.ZodType;
  /** Member → the kind of node in it. */
  readonly holds: Readonly<Record<string, NodeSchema>>;
}

const nodeSchema = (
  shape: Readonly<Record<string, z.ZodType>>,
  holds: Readonly<Record<string, NodeSchema>> = {},
): NodeSchema => {
  const lists = Object.keys(holds).map((member) => [member, z.array(z.unknown()).optional()]);
  const own: z.ZodObject = z.strictObject({ ...shape, ...Object.fromEntries(lists) });
  return { own: whole(own), holds };
};

const elementSchema = nodeSchema(elementShape, { points: nodeSchema(pointShape) });

/** For checking node by node; equivalent to {@link importDocument} as a whole. */
export const buildingSchema = nodeSchema(buildingShape, {
  storeys: nodeSchema(storeyShape, {
    spaces: nodeSchema(spaceShape, { elements: elementSchema }),
    elements: elementSchema,
  }),
});

export const rootSchema = z.strictObject({ site: siteDocument, building: z.unknown() });
