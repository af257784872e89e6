/** The portal's forms agree with the server's validation of forms. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  answerWords,
  formDataOf,
  formPatchOf,
  shownFields,
  typedOf,
  unansweredKeys,
  type RequestType,
} from '../packages/portal/src/pages/tickets/answers.ts';
import { unitsAllowed } from '../packages/portal/src/ui/units-allowed.ts';
import type { FormField } from '../src/domain/service-desk/request-types.ts';
import { answersBy } from '../src/domain/tickets/form.ts';
import { answersTo, forms, spaceIds } from './support/domain/forms.ts';

const typeOf = (fields: readonly FormField[]) =>
  ({ requestType: 'leak', name: 'Leak', fields: [...fields] }) satisfies RequestType;

const filled = forms.chain((fields) => answersTo(fields).map((data) => ({ fields, data })));

it('the input of any form is accepted by the server', () =>
  fc.assert(
    fc.property(filled, ({ fields, data }) => {
      const type = typeOf(fields);
      const sent = formDataOf(type, typedOf(type, data));
      expect(sent).toEqual(data);
      expect(answersBy({ requestType: type, spaceIds: new Set(spaceIds) }, sent as never)).toEqual({
        formData: data,
      });
    }),
  ));

it('a required field is unanswered while it is shown and blank', () => {
  const type = typeOf([
    { key: 'wet', label: 'Wet?', kind: 'flag' },
    {
      key: 'where',
      label: 'Where?',
      kind: 'text',
      required: true,
      showIf: { key: 'wet', equals: true },
    },
  ]);
  expect(unansweredKeys(type, { where: ' ' })).toEqual([]);
  expect(unansweredKeys(type, { wet: 'yes', where: ' ' })).toEqual(['where']);
  expect(unansweredKeys(type, { wet: 'yes', where: 'Here' })).toEqual([]);
});

it('a field is shown while its condition holds', () => {
  const options = [
    { value: 'tap', label: 'A tap' },
    { value: 'pipe', label: 'A pipe' },
  ];
  const type = typeOf([
    { key: 'source', label: 'Source', kind: 'choices', options },
    { key: 'deep', label: 'Deep?', kind: 'flag', showIf: { key: 'source', equals: 'pipe' } },
    { key: 'constructor', label: 'Why', kind: 'text', showIf: { key: 'deep', equals: true } },
  ]);
  const keys = (typed: Record<string, string>) => shownFields(type, typed).map(({ key }) => key);
  expect(keys({})).toEqual(['source']);
  expect(keys({ source: 'tap,pipe', deep: 'yes' })).toEqual(['source', 'deep', 'constructor']);
  expect(keys({ source: 'tap', deep: 'yes' })).toEqual(['source']);
  expect(formDataOf(type, { source: 'tap', deep: 'yes' })).toEqual({ source: ['tap'] });
  expect(formDataOf(type, { source: 'pipe', deep: 'no' })).toEqual({
    source: ['pipe'],
    deep: false,
  });
  // The server drops hidden answers; a blanked one is cleared.
  const changed = new Set(['source', 'deep', 'constructor']);
  expect(formPatchOf(type, { source: 'pipe', deep: '' }, changed)).toEqual({
    source: ['pipe'],
    deep: null,
  });
  const names = { people: new Map([['u', 'Ana']]), rooms: new Map() };
  expect(answerWords(type.fields[0]!, ['tap', 'gone'], names)).toBe('A tap, gone');
  expect(answerWords({ kind: 'person' }, 'u', names)).toBe('Ana');
});

it('a field takes any text that is no longer than the server accepts, and no other', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '漏', '😀'), maxLength: 12 });
  fc.assert(
    fc.property(texts, texts, fc.nat({ max: 12 }), (text, added, max) => {
      const grown = text + added;
      const isAccepted = Array.from(grown).length <= max;
      expect(isAccepted && grown.length > unitsAllowed(text, max)).toBe(false);
      expect(grown.length <= unitsAllowed(grown, max)).toBe(isAccepted);
    }),
  );
});
