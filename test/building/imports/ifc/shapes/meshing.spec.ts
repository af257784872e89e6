import { describe, expect, it } from 'vitest';
import { MESH_MAX_MS, MESHES_MAX } from '../../../../../src/building/imports/limits.ts';
import { regionsByMesh } from '../../../../../src/building/imports/ifc/shapes/meshing.ts';
import { areaOf } from '../../../../../src/building/imports/ifc/shapes/regions.ts';
import {
  ifcBuilding,
  set,
  type IfcLines,
  type IfcShape,
} from '../../../../support/domain/ifc-files.ts';
import {
  bodyAt,
  curveProfile,
  extrusion,
  placement,
  rectangle,
} from '../../../../support/domain/ifc-shapes.ts';

type ShapeGiven = (file: IfcLines) => IfcShape;

const box: ShapeGiven = (file) =>
  bodyAt(file, placement(file, '$'), [extrusion(file, rectangle(file, 4, 3))]);

/** The instance after the next `ahead` ones. */
const coming = (file: IfcLines, ahead: number) => `#${file.lines.length + 1 + ahead}`;

/** A boolean result of itself, in which the library does not come to an end. */
const endless: ShapeGiven = (file) => {
  const place = placement(file, '$');
  const own = coming(file, 0);
  return bodyAt(file, place, [file.add('IFCBOOLEANRESULT', '.DIFFERENCE.', own, own)]);
};

/** A curve within itself, on which the library runs out of its stack. */
const crashing: ShapeGiven = (file) => {
  const segment = file.add('IFCCOMPOSITECURVESEGMENT', '.CONTINUOUS.', '.T.', coming(file, 1));
  const curve = file.add('IFCCOMPOSITECURVE', set(segment), '.F.');
  return bodyAt(file, placement(file, '$'), [extrusion(file, curveProfile(file, curve))]);
};

/** Areas of the rooms by mesh, in their order; `null` of one without a region. */
const areasOf = async (shapes: readonly ShapeGiven[], withinMs = 60_000) => {
  const spaces = shapes.map((shape, at) => ({ id: `R${at}`, name: `${at}`, shape }));
  const file = ifcBuilding({ storeys: [{ id: 'S', name: 'Ground', elevation: 0, spaces }] });
  const ids = [...file.matchAll(/#(\d+)=IFCSPACE\(/g)].map(([, id]) => Number(id));
  const { regions, left } = await regionsByMesh(
    Buffer.from(file),
    ids,
    performance.now() + withinMs,
  );
  const areas = ids.map((id) => {
    const region = regions.get(id);
    return region ? Math.round(areaOf(region) * 100) / 100 : null;
  });
  return { areas, left };
};

describe('meshes of products', () => {
  it('cover the area of their solids', async () => {
    expect(await areasOf([box, box])).toEqual({ areas: [12, 12], left: 0 });
  });

  it('continue after one that crashes the library', async () => {
    expect(await areasOf([box, crashing, box])).toEqual({ areas: [12, null, 12], left: 0 });
  });

  it('continue after one on which the library hangs', { timeout: 60_000 }, async () => {
    const startMs = performance.now();
    expect(await areasOf([box, endless, box])).toEqual({ areas: [12, null, 12], left: 0 });
    expect(performance.now() - startMs).toBeGreaterThan(MESH_MAX_MS);
  });

  it('end at their deadline, and count the remaining products', async () => {
    expect(await areasOf([box, box, box], 0)).toEqual({ areas: [null, null, null], left: 3 });
  });

  it('are made of a bounded number of products, and the others are counted', async () => {
    const spaces = [{ id: 'R', name: '1', shape: box }];
    const text = ifcBuilding({ storeys: [{ id: 'S', name: 'Ground', elevation: 0, spaces }] });
    const room = Number(/#(\d+)=IFCSPACE\(/.exec(text)![1]);
    // Of no product there is nothing to mesh.
    const none = Array.from({ length: MESHES_MAX }, (_, at) => 1_000_000 + at);
    const made = (products: readonly number[]) =>
      regionsByMesh(Buffer.from(text), products, performance.now() + 60_000);
    const within = await made([...none.slice(1), room]);
    expect([areaOf(within.regions.get(room)!), within.left]).toEqual([expect.closeTo(12), 0]);
    const beyond = await made([...none, room]);
    expect([beyond.regions.has(room), beyond.left]).toEqual([false, 1]);
  });

  it('stop after too many that crash', async () => {
    const shapes = [...Array.from({ length: 6 }, () => crashing), box];
    expect(await areasOf(shapes)).toEqual({ areas: shapes.map(() => null), left: 2 });
  });
});
