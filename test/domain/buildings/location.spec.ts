import { describe, expect, it } from 'vitest';
import {
  locationAfterImport,
  locationWithin,
  type LocationNode,
  type RequestedLocation,
} from '../../../src/domain/buildings/location.ts';

/** Storeys g and h; room r on g; element e in r, loose on g. */
const nodes = new Map<string, LocationNode>([
  ['g', { kind: 'storey', storeyId: 'g', spaceId: null }],
  ['h', { kind: 'storey', storeyId: 'h', spaceId: null }],
  ['r', { kind: 'space', storeyId: 'g', spaceId: 'r' }],
  ['q', { kind: 'space', storeyId: 'h', spaceId: 'q' }],
  ['e', { kind: 'element', storeyId: 'g', spaceId: 'r' }],
  ['loose', { kind: 'element', storeyId: 'g', spaceId: null }],
]);

const at = (storeyId: string | null, spaceId: string | null, elementId: string | null) => ({
  buildingId: 'b',
  storeyId,
  spaceId,
  elementId,
});
const placed = (wanted: Omit<RequestedLocation, 'buildingId'>) =>
  locationWithin({ buildingId: 'b', ...wanted }, nodes);

describe('the location of a ticket', () => {
  it.each([
    [{}, at(null, null, null)],
    [{ storeyId: null, spaceId: null, elementId: null }, at(null, null, null)],
    [{ storeyId: 'g' }, at('g', null, null)],
    [{ spaceId: 'r' }, at('g', 'r', null)],
    [{ spaceId: 'r', storeyId: 'g' }, at('g', 'r', null)],
    [{ elementId: 'e' }, at('g', 'r', 'e')],
    [{ elementId: 'e', spaceId: 'r', storeyId: 'g' }, at('g', 'r', 'e')],
    [{ elementId: 'loose' }, at('g', null, 'loose')],
    [{ elementId: 'loose', storeyId: 'g' }, at('g', null, 'loose')],
  ])('%j: the finest decides, the coarser follow', (wanted, place) =>
    expect(placed(wanted)).toEqual(place),
  );

  it.each([
    [{ spaceId: 'r', storeyId: 'h' }, ['storeyId']],
    [{ elementId: 'e', storeyId: 'h' }, ['storeyId']],
    [{ elementId: 'e', spaceId: 'q' }, ['spaceId']],
    [{ elementId: 'e', spaceId: 'q', storeyId: 'h' }, ['storeyId', 'spaceId']],
    [{ elementId: 'loose', spaceId: 'r' }, ['spaceId']],
  ])('%j is a contradiction', (wanted, paths) =>
    expect(placed(wanted)).toMatchObject({
      refused: 'LOCATION_CONTRADICTION',
      extra: { errors: paths.map((path) => ({ path })) },
    }),
  );

  it.each([
    [{ spaceId: 'x' }, ['spaceId']],
    [{ spaceId: 'g' }, ['spaceId']],
    [{ storeyId: 'r' }, ['storeyId']],
    [{ elementId: 'r' }, ['elementId']],
    [{ storeyId: 'x', spaceId: 'r', elementId: 'y' }, ['storeyId', 'elementId']],
    [{ spaceId: 'x', storeyId: 'h', elementId: 'e' }, ['spaceId']],
  ])('%j refers to nothing', (wanted, paths) =>
    expect(placed(wanted)).toMatchObject({
      refused: 'REFERENCE_NOT_FOUND',
      extra: { errors: paths.map((path) => ({ path })) },
    }),
  );
});

it('a reference that is not found is named with its kind', () => {
  expect(placed({ storeyId: 'x', elementId: 'y' })).toMatchObject({
    extra: {
      errors: [
        { path: 'storeyId', message: 'is not the id of a storey' },
        { path: 'elementId', message: 'is not the id of an element' },
      ],
    },
  });
});

describe('a location after an import', () => {
  const heirs = (...pairs: (readonly [former: string, id: string])[]) =>
    new Map(pairs.map(([former, id]) => [former, { id, ...nodes.get(id)! }]));

  it('is that of the finest that still exists', () => {
    const former = at('g0', 'r0', 'e0');
    expect(locationAfterImport(former, heirs(['g0', 'g'], ['r0', 'r'], ['e0', 'e']))).toEqual(
      at('g', 'r', 'e'),
    );
    expect(locationAfterImport(former, heirs(['g0', 'g'], ['r0', 'r']))).toEqual(
      at('g', 'r', null),
    );
    expect(locationAfterImport(former, heirs(['g0', 'g']))).toEqual(at('g', null, null));
    expect(locationAfterImport(former, heirs())).toEqual(at(null, null, null));
  });

  it('follows moved nodes', () =>
    expect(locationAfterImport(at('g0', 'r0', null), heirs(['g0', 'g'], ['r0', 'q']))).toEqual(
      at('h', 'q', null),
    ));

  it('does not follow into another kind', () =>
    expect(locationAfterImport(at(null, 'r0', null), heirs(['r0', 'e']))).toEqual(
      at(null, null, null),
    ));
});
