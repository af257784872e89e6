import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { growingMap, type GrowingMap } from '../../src/domain/growing-map.ts';

const entry = fc.tuple(fc.integer({ min: 0, max: 40 }).map(String), fc.nat());

it('answers as a copied map does, in each of its versions', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 100 }), (entries) => {
      const versions: [GrowingMap<number>, ReadonlyMap<string, number>][] = [
        [growingMap(), new Map()],
      ];
      for (const [key, value] of entries) {
        const [grown, copied] = versions.at(-1)!;
        versions.push([grown.with(key, value), new Map(copied).set(key, value)]);
      }
      for (const [grown, copied] of versions) {
        expect([...grown.values()]).toEqual([...copied.values()]);
        for (const [key] of entries)
          expect([grown.has(key), grown.get(key)]).toEqual([copied.has(key), copied.get(key)]);
      }
    }),
  );
});
