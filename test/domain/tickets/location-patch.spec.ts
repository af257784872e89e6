import { expect, it } from 'vitest';
import { locationAfter } from '../../../src/domain/tickets/location-patch.ts';

const here = { storeyId: 'st', spaceId: 'sp', elementId: 'el' };

it('says nothing where nothing is said', () => expect(locationAfter({}, here)).toBeNull());

it('has the finest location given resolved, and coarser ones checked beside it', () => {
  expect(locationAfter({ spaceId: 'x' }, here)).toEqual({ requested: { spaceId: 'x' } });
  expect(locationAfter({ storeyId: 'y', spaceId: 'x' }, here)).toEqual({
    requested: { storeyId: 'y', spaceId: 'x' },
  });
});

it('clears locations finer than the finest one given', () =>
  expect(locationAfter({ storeyId: 'y', elementId: null }, here)).toEqual({
    requested: { storeyId: 'y' },
  }));

it.each([
  [{ elementId: null }, { storeyId: 'st', spaceId: 'sp', elementId: null }],
  [{ spaceId: null }, { storeyId: 'st', spaceId: null, elementId: null }],
  [{ storeyId: null }, { storeyId: null, spaceId: null, elementId: null }],
  [
    { spaceId: null, elementId: null },
    { storeyId: 'st', spaceId: null, elementId: null },
  ],
])('clears a location and the finer ones: %j', (patch, location) =>
  expect(locationAfter(patch, here)).toEqual({ location }),
);

it('refuses to clear an ancestor of a finer location given', () =>
  expect(locationAfter({ storeyId: null, spaceId: 'x' }, here)).toMatchObject({
    refused: 'LOCATION_CONTRADICTION',
  }));
