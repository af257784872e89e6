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
      .describe('The system that gave the `externalIds`; codes are of all nodes.'),
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
    unmatched: z.array(z.string()).describe('Each key once.'),
  })
  .meta({ id: 'ResolvedKeys' });

export const LayerParams = BuildingParams.extend({
  layerSlug: pathName(
    z
      .string()
      .max(LAYER_SLUG_CHARACTERS_MAX)
      .regex(/^[a-z0-9-]+$/, 'must have only lower-case letters, digits and -')
      .describe('Lower-case letters, digits and `-`.')
      .meta(exampled('comfort')),
  ),
});

const layerValue = z.union([
  z.number(),
  z.string().max(LAYER_VALUE_CHARACTERS_MAX),
  z.boolean(),
  z.null(),
]);

const layerEntry = z
  .strictObject({ key: identifier, value: layerValue })
  .meta({ id: 'LayerEntry' });

export const LayerUploadBody = z
  .strictObject({
    keyBy: z
      .enum(['externalId', 'id'])
      .default('externalId')
      .describe('What a key is tried as first; the other identifier is accepted too.'),
    sourceSystem: text(SOURCE_SYSTEM_CHARACTERS_MAX)
      .optional()
      .describe('Only externalIds that this system gave.'),
    values: z.array(layerEntry).max(LAYER_VALUES_MAX).describe('The last value for a room counts.'),
  })
  .meta({
    id: 'LayerUpload',
    ...exampled({ keyBy: 'id', values: [{ key: demo.spaceId, value: 21.5 }] }),
  });

export const UploadedBody = z
  .object({
    written: z.int().describe('Rooms.'),
    unmatched: z.array(z.string()).describe('Keys that found no room, each once.'),
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
          .describe('With `AMBIGUOUS_KEYS`: those that name several rooms, each once.'),
      })
      .optional()
      .describe('If there were keys and none found a room, or a key names several rooms.'),
  })
  .meta({ id: 'LayerUploaded' });

const LayerRowBody = z
  .object({
    slug: z.string(),
    values: z.int().describe('Rooms that have a value in it.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'DataLayer' });

const ValueRowBody = z
  .object({
    spaceId: z.uuid(),
    externalId: z.string().nullable(),
    value: layerValue,
    updatedAt: z.iso.datetime().describe('When the value became another one.'),
  })
  .meta({ id: 'LayerValue' });

export const LayerListBody = pageOf(LayerRowBody, 'DataLayerPage');
export const ValueListBody = pageOf(ValueRowBody, 'LayerValuePage');
