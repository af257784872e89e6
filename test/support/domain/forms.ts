/** Forms of request types drawn at random, with answers that fit them. */
import * as fc from 'fast-check';
import type { FieldKind, FormField } from '../../../src/domain/service-desk/request-types.ts';
import { fieldKinds, isShown } from '../../../src/domain/service-desk/request-types.ts';
import type { Json, JsonObject } from '../../../src/domain/tickets/free-form.ts';

export const spaceIds = [
  '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c01',
  '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c02',
];
const options = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));

const shapes: Readonly<Record<FieldKind, fc.Arbitrary<Partial<FormField>>>> = {
  text: fc.record({ min: fc.integer({ min: 0, max: 2 }), max: fc.integer({ min: 2, max: 9 }) }),
  number: fc.record({
    min: fc.integer({ min: -9, max: 0 }),
    max: fc.integer({ min: 0, max: 9 }),
  }),
  choice: fc.constant({ options }),
  choices: fc.record({ options: fc.constant(options), max: fc.integer({ min: 1, max: 3 }) }),
  date: fc.constant({}),
  flag: fc.constant({}),
  person: fc.constant({}),
  space: fc.constant({}),
};

const answers: Readonly<Record<FieldKind, (field: FormField) => fc.Arbitrary<Json>>> = {
  text: ({ min = 1, max = 9 }) =>
    fc
      .stringMatching(/^[a-z]+$/, { size: 'small' })
      .map((text) => text.padEnd(Math.max(min, 1), 'x').slice(0, max)),
  number: ({ min = 0, max = 0 }) => fc.integer({ min, max }),
  choice: () => fc.constantFrom('a', 'b', 'c'),
  choices: ({ max = 3 }) => fc.subarray(['a', 'b', 'c'], { minLength: 1, maxLength: max }),
  date: () => fc.constantFrom('2024-02-29', '2026-02-28', '2026-12-31'),
  flag: () => fc.boolean(),
  person: () => fc.constantFrom('ana', 'ben@acme.test'),
  space: () => fc.constantFrom(...spaceIds),
};

/** A field that depends, or not, on one of the earlier fields by an answer that it can have. */
const fieldAfter = (index: number, earlier: readonly FormField[]): fc.Arbitrary<FormField> =>
  fc
    .constantFrom(...fieldKinds)
    .chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        shape: shapes[kind],
        required: fc.boolean(),
        showIf: earlier.length === 0 ? fc.constant(null) : fc.option(conditionOn(earlier)),
      }),
    )
    .map(({ kind, shape, required, showIf }) => ({
      key: `field${index}`,
      label: `Field ${index}`,
      kind,
      required,
      ...shape,
      ...(showIf === null ? {} : { showIf }),
    }));

const conditionOn = (earlier: readonly FormField[]) =>
  fc.constantFrom(...earlier).chain((field) =>
    answers[field.kind](field).map((answer) => ({
      key: field.key,
      equals: (Array.isArray(answer) ? answer[0] : answer) as string | number | boolean,
    })),
  );

export const forms: fc.Arbitrary<readonly FormField[]> = fc
  .integer({ min: 1, max: 8 })
  .chain((length) =>
    Array.from({ length }).reduce<fc.Arbitrary<readonly FormField[]>>(
      (before, _, index) =>
        before.chain((earlier) => fieldAfter(index, earlier).map((field) => [...earlier, field])),
      fc.constant([]),
    ),
  );

/** Answers to each field that is shown and required, and to some of the others. */
export const answersTo = (fields: readonly FormField[]): fc.Arbitrary<JsonObject> =>
  fields
    .reduce<fc.Arbitrary<ReadonlyMap<string, Json>>>(
      (before, field) =>
        before.chain((given) =>
          isShown(field, given)
            ? fc
                .option(answers[field.kind](field), {
                  freq: field.required ? Number.MAX_SAFE_INTEGER : 2,
                })
                .map((answer) =>
                  answer === null && !field.required
                    ? given
                    : new Map([...given, [field.key, answer]]),
                )
            : fc.constant(given),
        ),
      fc.constant(new Map()),
    )
    .map((given) => Object.fromEntries(given));

/** Answers that every field of the kind rejects. */
export const wrongAnswers: Readonly<Record<FieldKind, readonly Json[]>> = {
  text: [1, '', ' ', 'x'.repeat(5_000), null],
  number: ['1', 1e9, -1e9, null],
  choice: ['d', 1, ['a'], null],
  choices: ['a', '', ['a', 'a'], ['d'], [1], null],
  date: ['2026-02-29', '2026-13-01', '2026-1-1', '28.02.2026', '2026-02-28T00:00:00Z', 0],
  flag: ['true', 1, null],
  person: ['', ' ', 7, 'x'.repeat(201)],
  space: ['0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c09', 'lobby', 3],
};
