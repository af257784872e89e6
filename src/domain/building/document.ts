/**
 * A building as a file describes it: the JSON of contract.md section 6, checked for its shape.
 * Whether its codes and identifiers are free is decided in `plan.ts`.
 */
import { z } from 'zod';
import {
  AREA_SQM_MAX,
  CODE_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  ERRORS_NAMED_MAX,
  IMPORT_NODES_MAX,
  LEVEL_MAX,
  NODE_NAME_CHARACTERS_MAX,
  POINT_CLASS_CHARACTERS_MAX,
  SLUG_CHARACTERS_MAX,
  SOURCE_SYSTEM_CHARACTERS_MAX,
  UNIT_CHARACTERS_MAX,
} from '../../limits.ts';
import { refuse, type Refusal } from '../decider.ts';

/** Text that can be stored and given back as it came, and that somebody can see. */
const text = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => /\S/u.test(value), 'must not be blank')
    .refine((value) => !value.includes('\0'), 'must not contain U+0000')
    .refine((value) => value.isWellFormed(), 'must not contain lone surrogates');

export const slug = z
  .string()
  .max(SLUG_CHARACTERS_MAX)
  .regex(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/, 'must be lower-case letters, digits, - and _')
  .describe('Lower-case letters and digits in groups joined by `-` or `_`.');

const code = text(CODE_CHARACTERS_MAX).describe(
  'The label people know it by. Unique among the nodes of its kind in the building.',
);
const name = text(NODE_NAME_CHARACTERS_MAX);

const identity = {
  externalId: text(EXTERNAL_ID_CHARACTERS_MAX)
    .nullish()
    .describe('Identifier in the system it comes from. Needs `sourceSystem`.'),
  sourceSystem: text(SOURCE_SYSTEM_CHARACTERS_MAX)
    .nullish()
    .describe('The system that gave the `externalId`, such as `ifc`. Needs `externalId`.'),
};

/** Half an identity identifies nothing. */
const whole = <Shape extends z.ZodType<Identified>>(node: Shape) =>
  node.superRefine(({ externalId, sourceSystem }, context) => {
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
}

const pointDocument = whole(
  z.strictObject({
    code,
    name,
    pointClass: text(POINT_CLASS_CHARACTERS_MAX).describe('What it measures, as a Brick class.'),
    valueType: z.enum(['number', 'boolean']),
    unit: text(UNIT_CHARACTERS_MAX).nullish(),
    ...identity,
  }),
);

const elementDocument = whole(
  z.strictObject({
    code,
    name,
    elementTypeSlug: slug,
    ...identity,
    points: z.array(pointDocument).max(IMPORT_NODES_MAX).optional(),
  }),
);

const spaceDocument = whole(
  z.strictObject({
    code,
    name,
    spaceTypeSlug: slug,
    areaSqm: z.number().min(0).max(AREA_SQM_MAX).nullish().describe('Square metres.'),
    isLeasable: z.boolean().nullish().describe('Default false.'),
    ...identity,
    elements: z.array(elementDocument).max(IMPORT_NODES_MAX).optional(),
  }),
);

const storeyDocument = whole(
  z.strictObject({
    code,
    name,
    level: z.number().min(-LEVEL_MAX).max(LEVEL_MAX).describe('0 is the ground floor.'),
    ...identity,
    spaces: z.array(spaceDocument).max(IMPORT_NODES_MAX).optional(),
    elements: z
      .array(elementDocument)
      .max(IMPORT_NODES_MAX)
      .optional()
      .describe('What stands in no room of its own.'),
  }),
);

export const importDocument = z.strictObject({
  site: z
    .strictObject({ code, name })
    .describe('Where it stands. A site of the same code in the organisation is the same site.'),
  building: whole(
    z.strictObject({
      code,
      name,
      ...identity,
      storeys: z.array(storeyDocument).max(IMPORT_NODES_MAX).optional(),
    }),
  ),
});

export type ImportDocument = z.infer<typeof importDocument>;
export type StoreyDocument = z.infer<typeof storeyDocument>;
export type SpaceDocument = z.infer<typeof spaceDocument>;
export type ElementDocument = z.infer<typeof elementDocument>;
export type PointDocument = z.infer<typeof pointDocument>;

/**
 * Whatever was parsed, as a document, or a `VALIDATION_FAILED` that names at most
 * {@link ERRORS_NAMED_MAX} places.
 */
export const documentOf = (parsed: unknown): ImportDocument | Refusal => {
  const checked = importDocument.safeParse(parsed);
  if (checked.success) return checked.data;
  const errors = checked.error.issues.slice(0, ERRORS_NAMED_MAX).map((issue) => ({
    path: pathOf(issue.path),
    message: issue.message,
  }));
  const first = errors.map(({ path, message }) => `${path}: ${message}`).slice(0, 3);
  return refuse('VALIDATION_FAILED', first.join('; '), { errors });
};

/** `building.storeys[0].spaces[2]`, as problems name places. */
const pathOf = (steps: readonly PropertyKey[]): string =>
  steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
