/** Schemas of the sandbox routes. interface.md «Sandbox», contract.md section 4. */
import { z } from 'zod';
import { isTimeZone } from '../../engine/time/time-zone.ts';
import {
  buildingTypes,
  completed,
  equipmentDensities,
  faultKinds,
  occupancyProfiles,
} from '../../domain/sandboxes/parameters.ts';
import { SNAPSHOT_ID } from '../../domain/sandboxes/snapshots/ids.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import {
  SANDBOX_AREA_SQM_DEFAULT,
  SANDBOX_AREA_SQM_MAX,
  SANDBOX_AREA_SQM_MIN,
  SANDBOX_NAME_CHARACTERS_MAX,
  SANDBOX_SPACES_LEAST_DEFAULT,
  SANDBOX_SPACES_MAX,
  SANDBOX_SPACES_MOST_DEFAULT,
  SANDBOX_STOREYS_DEFAULT,
  SANDBOX_STOREYS_MAX,
  SANDBOX_TELEMETRY_DAYS_DEFAULT,
  SANDBOX_TELEMETRY_DAYS_MAX,
  SANDBOX_TIME_ZONE_CHARACTERS_MAX,
  SANDBOX_TTL_DAYS_DEFAULT,
} from './limits.ts';
import { SANDBOX_TTL_DAYS_MAX } from '../../domain/sandboxes/limits.ts';
import { exampled } from '../http/examples.ts';
import { spokenText } from '../http/text.ts';
import { ActorBody } from '../http/actor.ts';

const ID = /^sbx_[0-9a-z]{16}$/;

/** An id of another form cannot exist: a 404, like any other unknown id. */
export const SandboxParams = z.object({ id: z.string().regex(ID) });

const spaces = z.int().min(1).max(SANDBOX_SPACES_MAX);

/** The sandbox refuses more than the contract's 30 days, and names the latest possible end. */
const days = z.int().min(1).max(10_000);

export const CreateSandboxBody = z
  .strictObject({
    name: spokenText(SANDBOX_NAME_CHARACTERS_MAX).describe(
      'Display name; the address is derived from it.',
    ),
    buildingType: z.enum(buildingTypes).default('office'),
    storeys: z.int().min(1).max(SANDBOX_STOREYS_MAX).default(SANDBOX_STOREYS_DEFAULT),
    areaSqm: z
      .number()
      .min(SANDBOX_AREA_SQM_MIN)
      .max(SANDBOX_AREA_SQM_MAX)
      .default(SANDBOX_AREA_SQM_DEFAULT)
      .describe('Gross area of all storeys together.'),
    ttlDays: days
      .default(SANDBOX_TTL_DAYS_DEFAULT)
      .describe(`At most ${SANDBOX_TTL_DAYS_MAX}; more is refused with \`TTL_TOO_LONG\`.`),
    seedTelemetryDays: z
      .int()
      .min(0)
      .max(SANDBOX_TELEMETRY_DAYS_MAX)
      .default(SANDBOX_TELEMETRY_DAYS_DEFAULT),
    spacesMin: spaces.default(SANDBOX_SPACES_LEAST_DEFAULT).describe('Minimum per storey.'),
    spacesMax: spaces.default(SANDBOX_SPACES_MOST_DEFAULT).describe('Maximum per storey.'),
    equipmentDensity: z.enum(equipmentDensities).default('realistic'),
    occupancyProfile: z.enum(occupancyProfiles).default('office-hours'),
    seed: spokenText(SANDBOX_NAME_CHARACTERS_MAX)
      .optional()
      .describe(
        'The same seed and parameters produce the same building, externalIds, codes and ' +
          'curves. Default: random.',
      ),
    liveTelemetry: z
      .boolean()
      .default(true)
      .describe('Whether the points produce new values every minute while the sandbox is awake.'),
    timeZone: z
      .string()
      .max(SANDBOX_TIME_ZONE_CHARACTERS_MAX)
      .refine(isTimeZone, 'is not a known time zone')
      .default('UTC')
      .describe(
        'IANA name, such as `Europe/Berlin`, or an offset, such as `+05:00`. Simulated people ' +
          'and equipment follow its local time.',
      ),
    faultKinds: z
      .array(z.enum(faultKinds))
      .max(faultKinds.length)
      .refine((kinds) => new Set(kinds).size === kinds.length, 'must not repeat a kind')
      .default([...faultKinds])
      .describe(
        'The deliberate faults: dampers stuck open, room temperatures that drift, carbon dioxide ' +
          'sensors that are silent, fans that run at night. `[]`: none.',
      ),
    fromSnapshot: z
      .string()
      .regex(SNAPSHOT_ID)
      .optional()
      .describe(
        'The snapshot to copy the content from. Only `name` and `ttlDays` can be combined ' +
          'with it.',
      ),
  })
  .refine(({ spacesMin, spacesMax }) => spacesMin <= spacesMax, {
    path: ['spacesMin'],
    message: `must not be more than spacesMax; it is ${SANDBOX_SPACES_LEAST_DEFAULT} by default`,
  })
  .meta({
    id: 'NewSandbox',
    ...exampled({ name: 'Trial', buildingType: 'office', storeys: 2, areaSqm: 1_000, ttlDays: 7 }),
  });

export const ExtendBody = z
  .strictObject({ days })
  .meta({ id: 'SandboxExtension', ...exampled({ days: 7 }) });

const instant = z.iso.datetime();

export const SandboxBody = z
  .object({
    sandboxId: z.string().regex(ID),
    name: z.string(),
    slug: z.string(),
    status: z.enum(['provisioning', 'ready', 'failed']),
    apiUrl: z.url().describe('Reachable once the sandbox is `ready`.'),
    expiresAt: instant,
    expiresSoon: z.boolean().describe('Whether the sandbox expires within a day.'),
    extensionsRemaining: z.int(),
    buildingId: z.uuid().nullable().describe('Filled in when `ready`.'),
    failureReason: z.string().nullable().describe('Present when `failed`.'),
    createdAt: instant,
    createdBy: ActorBody,
    parameters: z.object({
      buildingType: z.enum(buildingTypes),
      storeys: z.int(),
      areaSqm: z.number(),
      seedTelemetryDays: z.int(),
      spacesMin: z.int(),
      spacesMax: z.int(),
      equipmentDensity: z.enum(equipmentDensities),
      occupancyProfile: z.enum(occupancyProfiles),
      seed: z.string(),
      liveTelemetry: z.boolean(),
      timeZone: z.string(),
      faultKinds: z.array(z.enum(faultKinds)),
    }),
    estimatedBytes: z
      .int()
      .describe(
        'Estimated size of the database once the sandbox is ready, computed from the ' +
          'parameters or the snapshot.',
      ),
    fromSnapshot: z
      .string()
      .nullable()
      .describe('The snapshot that the sandbox was created from. It may have been deleted since.'),
    progress: z.object({
      phase: z
        .string()
        .describe('`queued`, `database`, `building`, `telemetry`, `stack`, `health`, `ready`.'),
      percent: z.int().min(0).max(100),
      ahead: z
        .int()
        .min(0)
        .optional()
        .describe('While `queued`: the number of sandboxes ahead in the queue.'),
    }),
  })
  .meta({ id: 'Sandbox' });

export const SandboxListBody = z
  .object({ items: z.array(SandboxBody) })
  .meta({ id: 'SandboxList' });

/**
 * @param apiUrlOf The address of a sandbox by its slug.
 * @param ahead Number of sandboxes before a queued one.
 */
export const sandboxBody = (
  view: SandboxView,
  apiUrlOf: (slug: string) => string,
  ahead: number | null,
): z.infer<typeof SandboxBody> => ({
  sandboxId: view.sandboxId,
  name: view.name,
  slug: view.slug,
  status: view.status,
  apiUrl: apiUrlOf(view.slug),
  expiresAt: view.expiresAt,
  expiresSoon: view.expiresSoon,
  extensionsRemaining: view.extensionsRemaining,
  buildingId: view.buildingId,
  failureReason: view.failureReason,
  createdAt: view.createdAt,
  createdBy: view.createdBy,
  parameters: completed(view.parameters),
  estimatedBytes: view.estimatedBytes,
  fromSnapshot: view.branch?.snapshotId ?? null,
  progress: { ...view.progress, ...(ahead === null ? {} : { ahead }) },
});
