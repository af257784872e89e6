/** Schemas of plans. contract.md section 6 «Outlines». */
import { z } from 'zod';
import { PLAN_SPACES_MAX } from '../../building/plans/limits.ts';
import { outline } from '../../domain/buildings/document.ts';
import { exampled } from '../http/examples.ts';

const position = z.tuple([z.number(), z.number()]).readonly();
const rings = z.array(z.array(position).readonly()).readonly();

export const PlanQuery = z.strictObject({
  storeyId: z
    .uuid()
    .transform((value) => value.toLowerCase())
    .optional()
    .describe('Internal id. Default: the ground floor, else the lowest storey above it.'),
});

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
