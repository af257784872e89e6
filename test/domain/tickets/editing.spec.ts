/** PATCH: changed fields, merged members, refusals. contract.md section 5, RFC 7396. */
import { describe, expect, it } from 'vitest';
import type { TicketChanges, TicketFact } from '../../../src/domain/tickets/events.ts';
import {
  mergePatch,
  sameJson,
  type Json,
  type JsonObject,
} from '../../../src/domain/tickets/free-form.ts';
import { ticketStates } from '../../../src/domain/tickets/graph.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import { draft, edit, historyOf, opened } from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const edited = (changes: TicketChanges): TicketFact<'TicketEdited'> => ({
  type: 'TicketEdited',
  changes,
});

describe('an edit', () => {
  const place = { storeyId: null, spaceId: null, elementId: null };

  it.each([
    [{ subject: 'Tap' }],
    [{ subject: null }],
    [{ description: 'Worse.' }],
    [{ priority: 'low' }],
    [{ category: 'water' }],
    [{ category: null }],
    [{ location: place }],
    [{ formData: { a: 1 } }],
    [{ metadata: { a: 1 } }],
  ] as [TicketChanges][])('of %j records that and nothing else', (changes) =>
    given(opened()).when(edit(changes)).records(edited(changes)),
  );

  it('records only differences to the current values', () =>
    given(opened())
      .when(
        edit({ subject: 'Sink', priority: 'high', description: 'Worse.', category: 'plumbing' }),
      )
      .records(edited({ description: 'Worse.' })));

  it('that changes nothing records nothing', () =>
    given(opened({ metadata: { source: 'cafm', ids: [1, { a: null }] } }))
      .when(
        edit({
          subject: draft.subject,
          description: draft.description,
          priority: draft.priority,
          category: draft.category,
          location: { storeyId: draft.storeyId, spaceId: null, elementId: null },
          formData: {},
          metadata: { ids: [1, { a: null }], source: 'cafm', gone: null },
        }),
      )
      .recordsNothing());

  it.each(['storeyId', 'spaceId', 'elementId'] as const)('sees a change of %s alone', (name) => {
    const id = '2b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
    const before = { storeyId: draft.storeyId, spaceId: null, elementId: null };
    given(opened())
      .when(edit({ location: { ...before, [name]: id } }))
      .records(edited({ location: { ...before, [name]: id } }));
  });

  it('compares with the result of earlier edits and relocations', () => {
    given(opened(), edited({ subject: 'Tap' }))
      .when(edit({ subject: 'Tap' }))
      .recordsNothing();
    given(opened(), edited({ location: place }))
      .when(edit({ location: place }))
      .recordsNothing();
    given(opened(), { type: 'TicketRelocated', ...place })
      .when(edit({ location: place }))
      .recordsNothing();
  });

  it.each(ticketStates)('is allowed of a ticket that is %s', (state) =>
    given(...historyOf(state))
      .when(edit({ metadata: { a: 1 } }))
      .records(edited({ metadata: { a: 1 } })),
  );
});

describe.each(['formData', 'metadata'] as const)('%s', (name) => {
  const holding = (object: JsonObject) => given(opened({ [name]: object }));

  it('is merged, so that two integrations do not overwrite each other', () =>
    holding({ mine: 1, ours: { a: 1, b: 2 } })
      .when(edit({ [name]: { yours: 2, ours: { b: 3 } } }))
      .records(edited({ [name]: { mine: 1, ours: { a: 1, b: 3 }, yours: 2 } })));

  it('loses a member with null, and all with null itself', () => {
    holding({ a: 1, b: 2 })
      .when(edit({ [name]: { a: null } }))
      .records(edited({ [name]: { b: 2 } }));
    holding({ a: 1, b: 2 })
      .when(edit({ [name]: null }))
      .records(edited({ [name]: {} }));
    holding({})
      .when(edit({ [name]: null }))
      .recordsNothing();
  });

  it('may have 16 KiB when merged, and not a byte more', () => {
    const half = 'x'.repeat(8 * 1024);
    const rest = (bytes: number) => 'y'.repeat(bytes - half.length - '{"a":"","b":""}'.length);
    holding({ a: half })
      .when(edit({ [name]: { b: rest(16 * 1024) } }))
      .records(edited({ [name]: { a: half, b: rest(16 * 1024) } }));
    const { outcome, refuses } = holding({ a: half }).when(
      edit({ [name]: { b: rest(16 * 1024 + 1) } }),
    );
    refuses('VALIDATION_FAILED');
    expect(outcome).toMatchObject({ extra: { errors: [{ path: name }] } });
  });

  it('is measured in bytes of UTF-8', () =>
    holding({})
      .when(edit({ [name]: { a: 'ü'.repeat(8 * 1024) } }))
      .refuses('VALIDATION_FAILED'));

  it('may shrink by a patch that is larger than itself', () => {
    const wide = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`k${i}`, null]));
    expect(JSON.stringify(wide).length).toBeGreaterThan(16 * 1024);
    holding({ k7: 1, a: 1 })
      .when(edit({ [name]: wide }))
      .records(edited({ [name]: { a: 1 } }));
  });

  it('is refused where it could not be given back as it came', () => {
    let deep: Json = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const wrong = [{ deep }, { number: JSON.parse('1e999') as number }];
    for (const object of wrong) {
      holding({})
        .when(edit({ [name]: object }))
        .refuses('VALIDATION_FAILED');
      given()
        .when({ type: 'OpenTicket', draft: { ...draft, [name]: object } })
        .refuses('VALIDATION_FAILED');
    }
  });

  it('may be 20 levels deep', () => {
    const nested = (levels: number): JsonObject => (levels === 1 ? {} : { a: nested(levels - 1) });
    given()
      .when({ type: 'OpenTicket', draft: { ...draft, [name]: nested(20) } })
      .records(opened({ [name]: nested(20) }));
    given()
      .when({ type: 'OpenTicket', draft: { ...draft, [name]: nested(21) } })
      .refuses('VALIDATION_FAILED');
  });
});

describe('a merge patch', () => {
  /** RFC 7396, appendix A; the rows whose target and patch are objects. */
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
  ])('%s with %s is %s', (target, patch, result) =>
    expect(mergePatch(objectOf(target), objectOf(patch))).toStrictEqual(JSON.parse(result)),
  );

  it.each(['__proto__', 'constructor', 'toString'])(
    'treats %s as a member like any other',
    (name) => {
      const result = mergePatch({}, objectOf(`{"${name}":{"polluted":true}}`));
      expect(Object.entries(result)).toStrictEqual([[name, { polluted: true }]]);
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
      expect('polluted' in {}).toBe(false);
      expect(mergePatch(result, objectOf(`{"${name}":null}`))).toStrictEqual({});
      expect(sameJson({}, result)).toBe(false);
      expect(sameJson(objectOf('{"a":1}'), objectOf(`{"${name}":1}`))).toBe(false);
    },
  );

  it('does not mutate its arguments', () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(mergePatch(target, { a: { b: 2 } })).toStrictEqual({ a: { b: 2 } });
    expect(target).toStrictEqual({ a: { b: 1 } });
  });
});

describe('equality of JSON', () => {
  it.each([
    ['{"a":1,"b":{"c":[1,2]}}', '{"b":{"c":[1,2]},"a":1}', true],
    ['{"a":[1,2]}', '{"a":[2,1]}', false],
    ['{"a":[1]}', '{"a":[1,2]}', false],
    ['{"a":{"0":1}}', '{"a":[1]}', false],
    ['{"a":null}', '{}', false],
    ['{"a":null}', '{"b":null}', false],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"a":0}', '{"a":-0}', true],
    ['{"a":[]}', '{"a":{}}', false],
    ['{"a":null}', '{"a":{}}', false],
    ['{"__proto__":{}}', '{"a":1}', false],
  ])('of %s and %s is %s', (a, b, same) => {
    expect(sameJson(objectOf(a), objectOf(b))).toBe(same);
    expect(sameJson(objectOf(b), objectOf(a))).toBe(same);
  });
});

const objectOf = (text: string) => JSON.parse(text) as JsonObject;
