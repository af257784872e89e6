/** The parameters of a sandbox: interface.md «Sandbox», create input and shaping options. */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';

export const buildingTypes = ['mall', 'office'] as const;
export const equipmentDensities = ['sparse', 'realistic', 'dense'] as const;
export const occupancyProfiles = ['24x7', 'office-hours', 'peak-evenings'] as const;

export const faultKinds = [
  'stuck-damper',
  'drifting-sensor',
  'silent-sensor',
  'night-fan',
] as const;

/** A deliberate fault. `generator/curves.ts` defines which values it affects. */
export type FaultKind = (typeof faultKinds)[number];

/** Stored with every member, either as given or with its default at that time. */
export const sandboxParameters = z.strictObject({
  buildingType: z.enum(buildingTypes),
  storeys: z.int().min(1),
  /** Gross area of all storeys. */
  areaSqm: z.number().positive(),
  seedTelemetryDays: z.int().min(0),
  /** Bounds of each storey, not of the building. */
  spacesMin: z.int().min(1),
  spacesMax: z.int().min(1),
  equipmentDensity: z.enum(equipmentDensities),
  occupancyProfile: z.enum(occupancyProfiles),
  /** The same seed and parameters give the same building. */
  seed: text,
  /** Points keep producing values while the sandbox is active. */
  liveTelemetry: z.boolean(),
  /** IANA name or offset; people and equipment follow its wall clock. Older sandboxes: UTC. */
  timeZone: z.exactOptional(text),
  /** The kinds of deliberate faults. Older sandboxes have none: all. */
  faultKinds: z.exactOptional(z.array(z.enum(faultKinds))),
});

export type SandboxParameters = Readonly<z.infer<typeof sandboxParameters>>;

/** With defaults for members that older sandboxes did not store. */
export const completed = (parameters: SandboxParameters): Required<SandboxParameters> => ({
  timeZone: 'UTC',
  faultKinds: [...faultKinds],
  ...parameters,
});
