/** `formData` under the form of its request type. contract.md section 5. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { problemsOf } from '../../../src/domain/service-desk/problems.ts';
import type { FormField } from '../../../src/domain/service-desk/request-types.ts';
import { answersBy, spacesNamedIn, type TicketForm } from '../../../src/domain/tickets/form.ts';
import type { JsonObject } from '../../../src/domain/tickets/free-form.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { answersTo, forms, spaceIds, wrongAnswers } from '../../support/domain/forms.ts';
import { configured } from '../../support/domain/service-desk.ts';
import { specify } from '../../support/domain/specify.ts';
import { draft, edit, opened } from '../../support/domain/tickets.ts';

const formOf = (fields: readonly FormField[]): TicketForm => ({
  requestType: { requestType: 'leak', name: 'Leak', fields: [...fields] },
  spaceIds: new Set(spaceIds),
});
const judged = (fields: readonly FormField[], data: JsonObject, before?: JsonObject) => {
  const outcome = answersBy(formOf(fields), data, before);
  return isRefusal(outcome)
    ? (outcome.extra!['errors'] as { path: string }[]).map(({ path }) => path)
    : outcome.formData;
};

const options = ['tap', 'pipe'].map((value) => ({ value, label: value }));
const leak: readonly FormField[] = [
  { key: 'source', label: 'Source', kind: 'choice', options, required: true },
  {
    key: 'depth',
    label: 'Depth',
    kind: 'number',
    required: true,
    showIf: { key: 'source', equals: 'pipe' },
  },
  { key: 'why', label: 'Why', kind: 'text', showIf: { key: 'depth', equals: 3 } },
  { key: 'room', label: 'Room', kind: 'space' },
];

describe('any form', () => {
  const filled = forms.chain((fields) => answersTo(fields).map((data) => ({ fields, data })));

  it('that is drawn fits together', () =>
    fc.assert(
      fc.property(forms, (fields) => {
        const { requestType } = formOf(fields);
        expect(problemsOf(configured({ requestTypes: [requestType] }))).toEqual([]);
      }),
    ));

  it('accepts valid answers unchanged', () =>
    fc.assert(
      fc.property(filled, ({ fields, data }) => {
        expect(judged(fields, data)).toEqual(data);
      }),
    ));

  it('refuses each wrong answer at its place, and nothing else', () =>
    fc.assert(
      fc.property(filled, fc.nat(), fc.nat(), ({ fields, data }, which, how) => {
        const answered = fields.filter(({ key }) => Object.hasOwn(data, key));
        fc.pre(answered.length > 0);
        const { key, kind } = answered[which % answered.length]!;
        const wrong = wrongAnswers[kind][how % wrongAnswers[kind].length]!;
        expect(judged(fields, { ...data, [key]: wrong })).toEqual([`formData.${key}`]);
      }),
    ));

  it('refuses a required answer that is missing, and nothing else', () =>
    fc.assert(
      fc.property(filled, fc.nat(), ({ fields, data }, which) => {
        const asked = fields.filter(({ key, required }) => required && Object.hasOwn(data, key));
        fc.pre(asked.length > 0);
        const { key } = asked[which % asked.length]!;
        const { [key]: _, ...others } = data;
        expect(judged(fields, others)).toEqual([`formData.${key}`]);
      }),
    ));

  it('refuses unknown keys', () =>
    fc.assert(
      fc.property(filled, ({ fields, data }) => {
        expect(judged(fields, { ...data, other: 1 })).toEqual(['formData.other']);
      }),
    ));

  const keysOrText = fc.oneof(fc.string(), fc.constantFrom('field0', 'field1', 'field2'));

  it('has an outcome for any object', () =>
    fc.assert(
      fc.property(forms, fc.dictionary(keysOrText, fc.jsonValue()), (fields, data) => {
        expect(() => judged(fields, data as JsonObject)).not.toThrow();
        expect(() => judged(fields, data as JsonObject, data as JsonObject)).not.toThrow();
      }),
    ));
});

describe('a form', () => {
  it('asks for an answer only where it is shown', () => {
    expect(judged(leak, {})).toEqual(['formData.source']);
    expect(judged(leak, { source: 'tap' })).toEqual({ source: 'tap' });
    expect(judged(leak, { source: 'pipe' })).toEqual(['formData.depth']);
    expect(judged(leak, { source: 'tap', depth: 3 })).toEqual(['formData.depth']);
    expect(judged(leak, { source: 'pipe', depth: 2, why: 'x' })).toEqual(['formData.why']);
  });

  it('measures text in code points', () => {
    const fields: FormField[] = [{ key: 'why', label: 'Why', kind: 'text', min: 2, max: 3 }];
    expect(judged(fields, { why: '😀😀😀' })).toEqual({ why: '😀😀😀' });
    expect(judged(fields, { why: '😀' })).toEqual(['formData.why']);
    expect(judged(fields, { why: '😀😀😀😀' })).toEqual(['formData.why']);
  });

  it('takes an empty list of choices for no answer', () => {
    const choices: FormField = { key: 'where', label: 'Where', kind: 'choices', options, min: 0 };
    expect(judged([choices], { where: [] })).toEqual({});
    expect(judged([choices], { where: [] }, { where: ['tap'] })).toEqual({});
    expect(judged([{ ...choices, required: true }], { where: [] })).toEqual(['formData.where']);
  });

  it("accepts space ids in any case, only of the ticket's building, and trims people", () => {
    const space = spaceIds[0]!;
    const fields: FormField[] = [leak[3]!, { key: 'who', label: 'Who', kind: 'person' }];
    expect(judged(fields, { room: space.toUpperCase(), who: ' ana ' })).toEqual({
      room: space,
      who: 'ana',
    });
    expect(spacesNamedIn({ fields }, { room: space.toUpperCase(), who: 'ana' })).toEqual([space]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('has no field %s', (key) =>
    expect(judged(leak, JSON.parse(`{ "source": "tap", "${key}": 1 }`))).toEqual([
      `formData.${key}`,
    ]),
  );
});

describe('a ticket of a request type with a form', () => {
  const given = specify(ticketDecider);
  const form = formOf(leak);
  const stored = { source: 'pipe', depth: 3, why: 'x' };
  const patched = (formData: JsonObject | null, before: JsonObject = stored) =>
    given(opened({ formData: before })).when({ ...edit({ formData }), form });

  it('is opened with answers that fit, and with no others', () => {
    const open = (formData: JsonObject) =>
      given().when({ type: 'OpenTicket', draft: { ...draft, formData }, form });
    open(stored).records(opened({ formData: stored }));
    open({ source: 'sink' }).refuses('VALIDATION_FAILED', {
      errors: [{ path: 'formData.source', message: 'must be one of tap, pipe' }],
    });
  });

  it('is validated after the merge of a patch', () => {
    patched({ depth: 4, why: null }).records({
      type: 'TicketEdited',
      changes: { formData: { source: 'pipe', depth: 4 } },
    });
    patched({ depth: null }).refuses('VALIDATION_FAILED');
    patched(null).refuses('VALIDATION_FAILED', {
      errors: [{ path: 'formData.source', message: 'is required' }],
    });
  });

  it('loses the answers that a patch hides', () =>
    patched({ source: 'tap' }).records({
      type: 'TicketEdited',
      changes: { formData: { source: 'tap' } },
    }));

  it('keeps answers to an earlier form, and accepts no new ones', () => {
    const old = { source: 'tap', colour: 'red', room: 'gone' };
    patched({ source: 'pipe', depth: 1 }, old).records({
      type: 'TicketEdited',
      changes: { formData: { ...old, source: 'pipe', depth: 1 } },
    });
    patched({ colour: 'blue' }, old).refuses('VALIDATION_FAILED');
    patched({ room: 'elsewhere' }, old).refuses('VALIDATION_FAILED');
  });

  it('is not judged by a form that came later, until its answers change', () => {
    const old = opened({ formData: { colour: 'red' } });
    given(old)
      .when({ ...edit({ priority: 'low', formData: { colour: 'red' } }), form })
      .records({ type: 'TicketEdited', changes: { priority: 'low' } });
    given(old)
      .when({ ...edit({ formData: { colour: null } }), form })
      .refuses('VALIDATION_FAILED');
  });
});
