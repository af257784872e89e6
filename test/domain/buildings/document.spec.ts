import { describe, expect, it } from 'vitest';
import { documentOf } from '../../../src/domain/buildings/document-check.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { ERRORS_NAMED_MAX } from '../../../src/limits.ts';
import {
  buildingOf,
  element,
  smallBuilding,
  space,
  storey,
} from '../../support/domain/building-documents.ts';

/** The places that a document is refused for; none where it is one. */
const placesOf = (parsed: unknown): readonly string[] => {
  const outcome = documentOf(parsed);
  if (!isRefusal(outcome)) return [];
  const { errors } = outcome.extra as { readonly errors: readonly { readonly path: string }[] };
  return errors.map(({ path }) => path);
};

describe('a document of a building', () => {
  it('is accepted unchanged', () => {
    const document = smallBuilding();
    expect(documentOf(document)).toBe(document);
  });

  it('is refused for each unknown member, at any depth', () => {
    const unknown = { colour: 'red' };
    const { site, building } = buildingOf([
      {
        ...storey('0', {
          spaces: [{ ...space('1', { elements: [{ ...element('2'), ...unknown }] }), ...unknown }],
        }),
        ...unknown,
      },
    ]);
    const document = {
      site: { ...site, ...unknown },
      building: { ...building, ...unknown },
      ...unknown,
    };
    expect(placesOf(document).toSorted()).toEqual([
      'building.colour',
      'building.storeys[0].colour',
      'building.storeys[0].spaces[0].colour',
      'building.storeys[0].spaces[0].elements[0].colour',
      'colour',
      'site.colour',
    ]);
  });

  it('is refused for errors in nested nodes too, when their parents are invalid', () => {
    const document = buildingOf([
      { ...storey('0'), level: '1', spaces: [{ a: 1, b: 2 }] } as never,
    ]);
    expect(placesOf(document)).toEqual(
      expect.arrayContaining([
        'building.storeys[0].level',
        'building.storeys[0].spaces[0].a',
        'building.storeys[0].spaces[0].b',
      ]),
    );
  });

  it('is validated up to a limit of errors', () => {
    let looks = 0;
    const last = {
      get code() {
        looks += 1;
        return '';
      },
    };
    const bad = Array.from({ length: ERRORS_NAMED_MAX + 5 }, (_, n) => ({
      ...storey(`${n}`),
      colour: 'red',
    }));
    expect(placesOf(buildingOf([...bad, last as never]))).toHaveLength(ERRORS_NAMED_MAX);
    expect(looks).toBe(0);
  });

  it.each([
    ['without a building', { site: smallBuilding().site }, ['building']],
    ['whose building is none', { ...smallBuilding(), building: null }, ['building']],
    ['whose building is a list', { ...smallBuilding(), building: [] }, ['building']],
    [
      'whose storeys are no list',
      { ...smallBuilding(), building: { storeys: {} } },
      ['building.storeys'],
    ],
    ['that is none', null, ['']],
  ])('is refused %s', (_, parsed, places) => {
    expect(placesOf(parsed)).toEqual(expect.arrayContaining(places));
  });
});
