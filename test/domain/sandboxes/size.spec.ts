/** The estimated size of a sandbox: contract.md section 4. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftsOf } from '../../../src/domain/buildings/nodes.ts';
import { buildingDocument, contentsOf } from '../../../src/domain/sandboxes/generator/building.ts';
import {
  buildingTypes,
  equipmentDensities,
  occupancyProfiles,
  type SandboxParameters,
} from '../../../src/domain/sandboxes/parameters.ts';
import { estimatedBytesOf, refusedSize } from '../../../src/domain/sandboxes/size.ts';
import {
  SANDBOX_AREA_SQM_MAX,
  SANDBOX_AREA_SQM_MIN,
  SANDBOX_SPACES_MAX,
  SANDBOX_STOREYS_MAX,
  SANDBOX_TELEMETRY_DAYS_MAX,
} from '../../../src/api/sandboxes/limits.ts';
import {
  SANDBOX_BYTES_MAX_DEFAULT,
  SANDBOX_HOST_BYTES_MAX_DEFAULT,
} from '../../../src/domain/sandboxes/limits.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

const defaults = {
  bytesMax: SANDBOX_BYTES_MAX_DEFAULT,
  hostBytesMax: SANDBOX_HOST_BYTES_MAX_DEFAULT,
};

/** The interface's own parameters; the shaping options have their defaults. */
const unshaped: fc.Arbitrary<SandboxParameters> = fc
  .record({
    buildingType: fc.constantFrom(...buildingTypes),
    storeys: fc.integer({ min: 1, max: SANDBOX_STOREYS_MAX }),
    areaSqm: fc.integer({ min: SANDBOX_AREA_SQM_MIN, max: SANDBOX_AREA_SQM_MAX }),
    seedTelemetryDays: fc.integer({ min: 0, max: SANDBOX_TELEMETRY_DAYS_MAX }),
  })
  .map((given) => ({ ...parameters, ...given }));

const shaped: fc.Arbitrary<SandboxParameters> = fc
  .record({
    given: unshaped,
    spacesMin: fc.integer({ min: 1, max: 20 }),
    more: fc.integer({ min: 0, max: 20 }),
    equipmentDensity: fc.constantFrom(...equipmentDensities),
    occupancyProfile: fc.constantFrom(...occupancyProfiles),
  })
  .map(({ given, more, ...shape }) => ({
    ...given,
    ...shape,
    storeys: Math.min(given.storeys, 8),
    spacesMax: shape.spacesMin + more,
  }));

describe('the estimated size of a sandbox', () => {
  it('counts the nodes and points that are generated', () =>
    fc.assert(
      fc.property(shaped, (given) => {
        const drafts = draftsOf(buildingDocument(given));
        const points = drafts.filter(({ kind }) => kind === 'point').length;
        expect(contentsOf(given)).toEqual({ nodes: drafts.length, points });
      }),
      { numRuns: 40 },
    ));

  it('is accepted by default for every size with the default shaping', () => {
    const largest = {
      ...parameters,
      storeys: SANDBOX_STOREYS_MAX,
      areaSqm: SANDBOX_AREA_SQM_MAX,
      seedTelemetryDays: SANDBOX_TELEMETRY_DAYS_MAX,
    };
    for (const buildingType of buildingTypes)
      expect(refusedSize(estimatedBytesOf({ ...largest, buildingType }), defaults)).toBeNull();
    fc.assert(
      fc.property(unshaped, (given) => {
        expect(refusedSize(estimatedBytesOf(given), defaults)).toBeNull();
      }),
    );
  });

  it('refuses the largest that the shaping options allow, with both figures', () => {
    const estimatedBytes = estimatedBytesOf({
      ...parameters,
      storeys: SANDBOX_STOREYS_MAX,
      spacesMin: SANDBOX_SPACES_MAX,
      spacesMax: SANDBOX_SPACES_MAX,
      seedTelemetryDays: SANDBOX_TELEMETRY_DAYS_MAX,
      equipmentDensity: 'dense',
    });
    expect(refusedSize(estimatedBytes, defaults)).toMatchObject({
      refused: 'SANDBOX_TOO_LARGE',
      extra: { estimatedBytes, maxBytes: SANDBOX_BYTES_MAX_DEFAULT },
    });
  });

  it('is bounded by the total of all sandboxes', () => {
    const bounds = { bytesMax: 100, hostBytesMax: 50 };
    expect(refusedSize(50, bounds)).toBeNull();
    expect(refusedSize(51, bounds)).toMatchObject({ extra: { maxBytes: 50 } });
  });

  it('grows with storeys, days and spaces', () => {
    const small = estimatedBytesOf(parameters);
    for (const more of [{ storeys: 9 }, { seedTelemetryDays: 8 }, { spacesMin: 30 }])
      expect(estimatedBytesOf({ ...parameters, ...more })).toBeGreaterThan(small);
  });
});
