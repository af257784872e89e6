import { describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { documentOf } from '../../../src/domain/buildings/document-check.ts';
import { countsOf, draftsOf } from '../../../src/domain/buildings/nodes.ts';
import { planImport } from '../../../src/domain/buildings/plan.ts';

describe('the demo building', () => {
  it('is a valid document whose codes and identifiers are unique', () => {
    expect(documentOf(demoBuilding())).toEqual(demoBuilding());
    const drafts = draftsOf(demoBuilding());
    const freshIds = drafts.map((_, index) => `${index}`);
    expect(planImport({ drafts, existing: [], replace: false, freshIds })).toMatchObject({
      create: { length: drafts.length },
    });
  });

  it('has three storeys, thirty rooms, equipment and points', () => {
    const counts = countsOf(draftsOf(demoBuilding()));
    expect(counts).toEqual({ storeys: 3, spaces: 30, elements: 12, points: 32 });
  });

  it('gives every node an external identifier of its own system', () => {
    const systems = new Set(draftsOf(demoBuilding()).map(({ sourceSystem }) => sourceSystem));
    expect([...systems]).toEqual(['demo']);
  });

  it('has a location for all equipment', () => {
    const elements = draftsOf(demoBuilding()).filter(({ kind }) => kind === 'element');
    expect(elements.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['AHU-1', 'AHU-2', 'LIFT-1', 'EM-0', 'EM-1', 'EM-2', 'CRAC-1']),
    );
  });
});
