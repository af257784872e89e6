/** Consistent and inconsistent sets of request types. contract.md section 5. */
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../../src/domain/service-desk/configuration.ts';
import { problemsOf } from '../../../src/domain/service-desk/problems.ts';
import type { FormField, RequestType } from '../../../src/domain/service-desk/request-types.ts';
import { configured } from '../../support/domain/service-desk.ts';

const options = ['tap', 'pipe'].map((value) => ({ value, label: value }));
const source: FormField = { key: 'source', label: 'From where?', kind: 'choice', options };
const text = (parts: Partial<FormField> = {}): FormField => ({
  key: 'note',
  label: 'Note',
  kind: 'text',
  ...parts,
});

const typeOf = (fields: readonly FormField[]): RequestType => ({
  requestType: 'leak',
  name: 'Leak',
  fields: [...fields],
});
const places = (...fields: readonly FormField[]) =>
  problemsOf(configured({ requestTypes: [typeOf(fields)] })).map(({ path }) => path);
const field = (index: number, member: string) => `requestTypes[0].fields[${index}].${member}`;
const isTaken = (requestTypes: unknown) =>
  configurationSchema.safeParse({ ...configured({}), requestTypes }).success;

describe('request types', () => {
  it('without contradictions have no problems', () =>
    expect(
      places(
        source,
        text({ showIf: { key: 'source', equals: ['tap', 'pipe'] }, min: 1, max: 10 }),
        { key: 'litres', label: 'Litres', kind: 'number', min: -1, max: 1.5 },
        { key: 'rooms', label: 'Rooms', kind: 'choices', options, min: 1, max: 2 },
        { key: 'wet', label: 'Wet?', kind: 'flag', showIf: { key: 'litres', equals: 1 } },
        text({ showIf: { key: 'wet', equals: true }, key: 'how' }),
      ),
    ).toEqual([]));

  it('have a slug and keys once each', () => {
    const requestTypes = [typeOf([text(), text()]), typeOf([])];
    expect(problemsOf(configured({ requestTypes })).map(({ path }) => path)).toEqual([
      'requestTypes[1].requestType',
      field(1, 'key'),
    ]);
  });

  it('depend on earlier fields only, so that there are no cycles', () => {
    const waits = (key: string, on: string) => text({ key, showIf: { key: on, equals: 'x' } });
    expect(places(waits('a', 'b'), waits('b', 'a'))).toEqual([field(0, 'showIf.key')]);
    expect(places(waits('a', 'a'))).toEqual([field(0, 'showIf.key')]);
    expect(places(waits('a', 'constructor'))).toEqual([field(0, 'showIf.key')]);
  });

  it.each([
    [source, 'sink'],
    [source, true],
    [{ key: 'source', label: 'n', kind: 'number' } as const, '1'],
    [{ key: 'source', label: 'n', kind: 'flag' } as const, 'true'],
    [text({ key: 'source' }), 1],
  ])('depend on possible answers of the field: %j is not %j', (asked, equals) => {
    const shown = (condition: FormField['showIf']) => places(asked, text({ showIf: condition! }));
    expect(shown({ key: 'source', equals })).toEqual([field(1, 'showIf.equals')]);
    expect(shown({ key: 'source', equals: [equals] })).toEqual([field(1, 'showIf.equals[0]')]);
  });

  it('have unique options for choices, and none for other kinds', () => {
    expect(places({ key: 'a', label: 'a', kind: 'choice' })).toEqual([field(0, 'options')]);
    expect(places({ key: 'a', label: 'a', kind: 'choices' })).toEqual([field(0, 'options')]);
    expect(places(text({ options }))).toEqual([field(0, 'options')]);
    expect(places({ ...source, options: [...options, options[0]!] })).toEqual([
      field(0, 'options[2].value'),
    ]);
  });

  it('have bounds only for counts and measures, with min up to max', () => {
    expect(places(text({ min: 3, max: 2 }))).toEqual([field(0, 'min')]);
    expect(places(text({ min: 2, max: 2 }))).toEqual([]);
    expect(places(text({ min: -1 }))).toEqual([field(0, 'min')]);
    expect(places(text({ max: 1.5 }))).toEqual([field(0, 'max')]);
    expect(places(text({ max: 4_001 }))).toEqual([field(0, 'max')]);
    expect(places({ key: 'a', label: 'a', kind: 'choices', options, max: 3 })).toEqual([
      field(0, 'max'),
    ]);
    expect(places({ ...source, min: 1, max: 1 })).toEqual([field(0, 'min'), field(0, 'max')]);
  });

  it('are at most 50, with at most 40 fields', () => {
    const many = (length: number, of: (index: number) => unknown) =>
      Array.from({ length }, (_, i) => of(i));
    const types = (length: number) =>
      many(length, (i) => ({ ...typeOf([]), requestType: `t${i}` }));
    const fields = (length: number) => [
      { ...typeOf([]), fields: many(length, (i) => text({ key: `f${i}` })) },
    ];
    expect([isTaken(types(50)), isTaken(types(51))]).toEqual([true, false]);
    expect([isTaken(fields(40)), isTaken(fields(41))]).toEqual([true, false]);
  });

  it.each(['__proto__', 'a.b', '1a', '', 'a b', 'a'.repeat(65)])('refuse the key %j', (key) =>
    expect(isTaken([typeOf([text({ key })])])).toBe(false),
  );

  it("refuse a comma in an option's value, at which filters split", () =>
    expect(isTaken([typeOf([{ ...source, options: [{ value: 'a,b', label: 'a' }] }])])).toBe(
      false,
    ));
});
