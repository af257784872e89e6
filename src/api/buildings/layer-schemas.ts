/** Requests and responses about identifiers and data layers. contract.md section 6. */
import { z } from 'zod';
import { LAYER_SLUG_CHARACTERS_MAX, LAYER_VALUE_CHARACTERS_MAX } from './limits.ts';
import {
  EXTERNAL_ID_CHARACTERS_MAX,
  LAYER_VALUES_MAX,
  SOURCE_SYSTEM_CHARACTERS_MAX,
} from '../../domain/buildings/limits.ts';
import { RESOLVE_KEYS_MAX } from '../../limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { pathName } from '../http/path-names.ts';
import { text } from '../http/text.ts';
import { BuildingParams, pageOf } from './schemas.ts';

const identifier = text(EXTERNAL_ID_CHARACTERS_MAX);
const identifiers = z.array(identifier).max(RESOLVE_KEYS_MAX).default([]);

export const ResolveQuestion = z
  .strictObject({
    sourceSystem: text(SOURCE_SYSTEM_CHARACTERS_MAX)
      .optional()
      .describe('The system that assigned the `externalIds`; codes are of all nodes.'),
    externalIds: identifiers,
    codes: identifiers,
  })
  .refine(
    ({ externalIds, codes }) => externalIds.length + codes.length <= RESOLVE_KEYS_MAX,
    `at most ${RESOLVE_KEYS_MAX} keys in all`,
  )
  .meta({ id: 'ResolveQuestion', ...exampled({ codes: ['01-001'] }) });

export const ResolvedBody = z
  .object({
    resolved: z.array(
      z
        .object({
          key: z.string(),
          by: z.enum(['externalId', 'code']).describe('Which of the two the key is.'),
          kind: z.enum(['storey', 'space', 'element', 'point']),
          id: z.uuid(),
        })
        .meta({ id: 'ResolvedNode' }),
    ),
    unmatched: z.array(z.string()).describe('Keys that match no node, each listed once.'),
  })
  .meta({ id: 'ResolvedKeys' });

export const layerSlug = z
  .string()
  .max(LAYER_SLUG_CHARACTERS_MAX)
  .regex(/^[a-z0-9-]+$/, 'must have only lower-case letters, digits and -');

export const LayerParams = BuildingParams.extend({
  layerSlug: pathName(
    layerSlug.describe('Lower-case letters, digits and `-`.').meta(exampled('comfort')),
  ),
});

const layerValue = z.union([
  z.number(),
  z.string().max(LAYER_VALUE_CHARACTERS_MAX),
  z.boolean(),
  z.null(),
]);

const layerEntry = z
  .strictObject({
    key: identifier,
    value: layerValue.describe('A number is stored as the nearest double (IEEE 754).'),
  })
  .meta({ id: 'LayerEntry' });

export const LayerUploadBody = z
  .strictObject({
    keyBy: z
      .enum(['externalId', 'id'])
      .default('externalId')
      .describe(
        'The identifier that a key is looked up by first. If no room has it, the other ' +
          'identifier is tried.',
      ),
    sourceSystem: text(SOURCE_SYSTEM_CHARACTERS_MAX)
      .optional()
      .describe('Match only externalIds that this system assigned.'),
    values: z
      .array(layerEntry)
      .max(LAYER_VALUES_MAX)
      .describe('If a room occurs more than once, its last value is stored.'),
  })
  .meta({
    id: 'LayerUpload',
    ...exampled({ keyBy: 'id', values: [{ key: demo.spaceId, value: 21.5 }] }),
  });

export const UploadedBody = z
  .object({
    written: z.int().describe('Rooms.'),
    unmatched: z.array(z.string()).describe('Keys that match no room, each listed once.'),
    diagnostics: z
      .object({
        reason: z.enum([
          'BUILDING_HAS_NO_SPACES',
          'BUILDING_HAS_NO_EXTERNAL_IDS',
          'IDENTIFIERS_NOT_IN_BUILDING',
          'AMBIGUOUS_KEYS',
        ]),
        keys: z
          .array(z.string())
          .optional()
          .describe('With `AMBIGUOUS_KEYS`: the keys that match several rooms, each listed once.'),
      })
      .optional()
      .describe('Present if no key matches a room, or if a key matches several rooms.'),
  })
  .meta({ id: 'LayerUploaded' });

const LayerRowBody = z
  .object({
    slug: z.string(),
    values: z.int().describe('Number of rooms that have a value in the layer.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'DataLayer' });

const ValueRowBody = z
  .object({
    spaceId: z.uuid(),
    externalId: z.string().nullable(),
    value: layerValue,
    updatedAt: z.iso.datetime().describe('When the value last changed.'),
  })
  .meta({ id: 'LayerValue' });

export const LayerListBody = pageOf(LayerRowBody, 'DataLayerPage');
export const ValueListBody = pageOf(ValueRowBody, 'LayerValuePage');
