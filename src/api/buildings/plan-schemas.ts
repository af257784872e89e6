/** Schemas of plans. contract.md section 6 «Outlines». */
import { z } from 'zod';
import type { PlanColour } from '../../building/plans/colours.ts';
import { COLOUR_CATEGORIES_MAX, PLAN_SPACES_MAX } from '../../building/plans/limits.ts';
import { outline } from '../../domain/buildings/document.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { comparableInstant, id, WRITTEN } from '../http/text.ts';
import { layerSlug } from './layer-schemas.ts';
import { BuildingParams } from './schemas.ts';

const position = z.tuple([z.number(), z.number()]).readonly();
const rings = z.array(z.array(position).readonly()).readonly();

export const StoreyParams = BuildingParams.extend({
  storeyId: id.describe('Internal id.').meta(exampled(demo.storeyId)),
});

export const PlanQuery = z.strictObject({
  storeyId: id
    .optional()
    .describe('Internal id. Default: the ground floor, else the lowest storey above it.'),
});

const COLOUR_CHARACTERS_MAX = 'layer:'.length + POINT_CLASS_CHARACTERS_MAX;

const colour = z
  .string()
  .max(COLOUR_CHARACTERS_MAX)
  .transform((text, context): PlanColour => {
    if (text === 'tickets' || text === 'faults') return { by: text };
    const [, by, name] = /^(layer|point):(.+)$/s.exec(text) ?? [];
    if (by === 'point') return { by, pointClass: name! };
    if (by === 'layer' && layerSlug.safeParse(name).success) return { by, slug: name! };
    const message = 'must be tickets, faults, layer:<slug> or point:<class>';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe('`tickets`, `faults`, `layer:<slug>` or `point:<class>`.')
  .meta({ [WRITTEN]: { type: 'string', maxLength: COLOUR_CHARACTERS_MAX } });

const AT = 'Default: now. For points, the latest value within the 24 hours before.';
const at = comparableInstant.optional().describe(AT);

export const ColoursQuery = z.strictObject({
  ...PlanQuery.shape,
  colour: colour.meta(exampled('tickets')),
  at,
});
export const PictureQuery = z
  .strictObject({
    colour: colour.optional(),
    at: at.describe(`Needs \`colour\`. ${AT}`),
  })
  .refine((query) => query.at === undefined || query.colour !== undefined, {
    path: ['at'],
    message: 'needs a colour',
  });

const kind = z.enum(['level', 'number', 'category']);
const unit = z.string().nullable();

export const ColoursBody = z
  .object({
    colour: z.string(),
    at: z.iso.datetime().nullable(),
    kind: kind.describe(
      '`level`: `critical`, `high`, `medium`, `low`, or any other value, which ranks below ' +
        'them.',
    ),
    unit,
    scale: z
      .object({ min: z.number(), max: z.number() })
      .nullable()
      .describe('The range of values on the storey.'),
    categories: z
      .array(z.union([z.string(), z.boolean()]))
      .nullable()
      .describe(`The values on the storey, most frequent first, at most ${COLOUR_CATEGORIES_MAX}.`),
    spaces: z.array(
      z.object({
        spaceId: z.uuid(),
        value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
        count: z.int().optional().describe('Number of open tickets or faults.'),
        overdue: z.boolean().optional().describe('Whether a ticket of the room is overdue.'),
      }),
    ),
  })
  .meta({ id: 'StoreyColours' });

export const ColouringsBody = z
  .object({
    items: z.array(
      z.object({
        colour: z.string().describe('Value for the query parameter `colour`.'),
        name: z.string(),
        kind,
        unit,
      }),
    ),
  })
  .meta({ id: 'PlanColourings' });

export const OutlineBody = z.strictObject({ outline: outline.nullable() }).meta({
  id: 'SpaceOutline',
  ...exampled({
    outline: [
      [
        [0, 0],
        [5, 0],
        [5, 4],
        [0, 4],
      ],
    ],
  }),
});

export const PlanBody = z
  .object({
    storey: z.object({
      id: z.uuid(),
      code: z.string(),
      name: z.string(),
      level: z.number(),
      elevation: z.number().nullable().describe("Metres above the building's zero level."),
      height: z.number().nullable().describe('Metres to the next storey.'),
    }),
    north: z
      .number()
      .nullable()
      .describe('Direction of north, in degrees clockwise from +y; `null` if unknown.'),
    bounds: z.object({ min: position, max: position }).nullable(),
    outline: rings.nullable().describe('The outline of the storey.'),
    walls: z.array(rings),
    doors: z.array(rings),
    windows: z.array(rings),
    spaces: z
      .array(
        z.object({
          id: z.uuid(),
          code: z.string(),
          name: z.string(),
          areaSqm: z.number().nullable(),
          outline: rings
            .nullable()
            .describe(
              '`null` for a room without an outline on a storey where other rooms have one.',
            ),
          labelAt: position.nullable().describe('The best position for the label of the room.'),
        }),
      )
      .describe(`The spaces, sorted by code, at most ${PLAN_SPACES_MAX}.`),
    spacesTotal: z.int().describe('Number of spaces on the storey.'),
    schematic: z
      .boolean()
      .describe(
        '`true` if no room has an outline: the rooms are then rectangles sized by their area.',
      ),
  })
  .meta({ id: 'StoreyPlan' });
