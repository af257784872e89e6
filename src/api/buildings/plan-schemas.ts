/** Schemas of plans. contract.md section 6 «Outlines». */
import { z } from 'zod';
import type { PlanColour } from '../../building/plans/colours.ts';
import { COLOUR_CATEGORIES_MAX, PLAN_SPACES_MAX } from '../../building/plans/limits.ts';
import { outline } from '../../domain/buildings/document.ts';
import { POINT_CLASS_CHARACTERS_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { comparableInstant, id, WRITTEN } from '../http/text.ts';
import { LAYER_SLUG_CHARACTERS_MAX } from './limits.ts';
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
    if (by === 'layer' && name!.length <= LAYER_SLUG_CHARACTERS_MAX) return { by, slug: name! };
    const message = 'must be tickets, faults, layer:<slug> or point:<class>';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe('`tickets`, `faults`, `layer:<slug>` or `point:<class>`.')
  .meta({ [WRITTEN]: { type: 'string', maxLength: COLOUR_CHARACTERS_MAX } });

const at = comparableInstant
  .optional()
  .describe('Default: now. Points show the last value of the day before.');

export const ColoursQuery = z.strictObject({
  ...PlanQuery.shape,
  colour: colour.meta(exampled('tickets')),
  at,
});
export const PictureQuery = z.strictObject({ colour: colour.optional(), at });

const kind = z.enum(['level', 'number', 'category']);
const unit = z.string().nullable();

export const ColoursBody = z
  .object({
    colour: z.string(),
    at: z.iso.datetime().nullable(),
    kind: kind.describe('`level`: `critical`, `high`, `medium`, `low`, or below them another.'),
    unit,
    scale: z.object({ min: z.number(), max: z.number() }).nullable().describe('Of the storey.'),
    categories: z
      .array(z.union([z.string(), z.boolean()]))
      .nullable()
      .describe(`By frequency, at most ${COLOUR_CATEGORIES_MAX}.`),
    spaces: z.array(
      z.object({
        spaceId: z.uuid(),
        value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
        count: z.int().optional().describe('Of tickets and faults.'),
        overdue: z.boolean().optional().describe('One of its tickets is.'),
      }),
    ),
  })
  .meta({ id: 'StoreyColours' });

export const ColouringsBody = z
  .object({
    items: z.array(
      z.object({
        colour: z.string().describe('For the query.'),
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
      elevation: z.number().nullable().describe('Metres above the zero of the building.'),
      height: z.number().nullable().describe('Metres to the next storey.'),
    }),
    north: z
      .number()
      .nullable()
      .describe('Degrees clockwise from +y; `null` where nothing says it.'),
    bounds: z.object({ min: position, max: position }).nullable(),
    outline: rings.nullable().describe('Of the storey.'),
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
          outline: rings.nullable().describe('`null` where only others of the storey have one.'),
          labelAt: position.nullable().describe('Where a name fits best.'),
        }),
      )
      .describe(`By code, at most ${PLAN_SPACES_MAX}.`),
    spacesTotal: z.int().describe('Of the storey.'),
    schematic: z.boolean().describe('No room has an outline: they are drawn by area alone.'),
  })
  .meta({ id: 'StoreyPlan' });
