import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { documentOf } from '../../../src/domain/buildings/document-check.ts';
import { floorLayout } from '../../../src/domain/buildings/floor-layout.ts';
import { boundsOf, outlineArea, outlineOf } from '../../../src/domain/buildings/outline.ts';
import { buildingDocument } from '../../../src/domain/sandboxes/generator/building.ts';
import { parameters } from '../../support/domain/sandboxes.ts';

const anyRooms = fc.array(
  fc.record({
    areaSqm: fc.integer({ min: 20, max: 20_000 }).map((tenths) => tenths / 10),
    isCorridor: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
  }),
  { minLength: 1, maxLength: 80 },
);

describe('a generated floor plan', () => {
  it('gives each room its area, beside the others and within the walls', () => {
    fc.assert(
      fc.property(anyRooms, (rooms) => {
        fc.pre(rooms.some(({ isCorridor }) => !isCorridor));
        const layout = floorLayout(rooms)!;
        const boxes = layout.outlines.map((outline, at) => {
          expect(outlineOf(outline)).toEqual(outline);
          const { min, max } = boundsOf([outline!])!;
          // Each side is rounded by half a millimetre at most.
          const rounding = 0.001 * (max[0] - min[0] + (max[1] - min[1])) + 1e-6;
          expect(Math.abs(outlineArea(outline!) - rooms[at]!.areaSqm)).toBeLessThan(rounding);
          return { min, max };
        });
        const whole = boundsOf([layout.outline])!;
        for (const [at, { min, max }] of boxes.entries()) {
          expect(min[0] > whole.min[0] && min[1] > whole.min[1]).toBe(true);
          expect(max[0] < whole.max[0] && max[1] < whole.max[1]).toBe(true);
          const overlaps = boxes
            .slice(at + 1)
            .some(
              (other) =>
                min[0] < other.max[0] - 0.001 &&
                other.min[0] < max[0] - 0.001 &&
                min[1] < other.max[1] - 0.001 &&
                other.min[1] < max[1] - 0.001,
            );
          expect(overlaps).toBe(false);
        }
      }),
    );
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(anyRooms, (rooms) => {
        expect(floorLayout(rooms)).toEqual(floorLayout(structuredClone(rooms)));
      }),
    );
  });

  it('omits rooms without area, and does not exist for corridors only', () => {
    const layout = floorLayout([
      { areaSqm: 20, isCorridor: false },
      { areaSqm: 0, isCorridor: false },
    ]);
    expect(layout!.outlines[1]).toBeUndefined();
    expect(floorLayout([{ areaSqm: 20, isCorridor: true }])).toBeNull();
    expect(floorLayout([])).toBeNull();
  });

  it.each(['office', 'mall'] as const)('draws every room of a sandbox: %s', (buildingType) => {
    const document = buildingDocument({ ...parameters, buildingType, areaSqm: 9_000 });
    expect(documentOf(structuredClone(document))).toEqual(document);
    for (const { spaces, drawing, height, elevation, level } of document.building.storeys!) {
      expect(elevation).toBe(level * height!);
      expect(drawing!.doors.length).toBeGreaterThan(spaces!.length / 2);
      for (const { outline, areaSqm } of spaces!)
        expect(Math.abs(outlineArea(outline!) - areaSqm!)).toBeLessThan(0.05 + areaSqm! / 1000);
    }
  });

  it('draws every room of the demo', () => {
    const rooms = demoBuilding().building.storeys!.flatMap(({ spaces }) => spaces!);
    expect(rooms.filter(({ outline }) => typeof outlineOf(outline) === 'string')).toEqual([]);
  });
});
