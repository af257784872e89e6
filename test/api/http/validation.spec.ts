import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { precheck } from '../../../src/api/http/schema-precheck.ts';
import { SUBJECT_CHARACTERS_MAX } from '../../../src/api/tickets/limits.ts';
import { BODY_VALUES_MAX, ERRORS_NAMED_MAX, FREE_FORM_MEMBERS_MAX } from '../../../src/limits.ts';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';
const SIMULATE = '/api/service-desk/configuration/simulate';

const platform = testApi();
const agent = platform.as('agent@acme.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raise = (over: object) => agent.post(REQUESTS, { buildingId, description: 'x', ...over });
const members = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));
const nested = (levels: number): object =>
  levels === 1 ? { end: true } : { inner: nested(levels - 1) };

describe('a body of a route that has none', () => {
  const manager = platform.as('manager@acme.test');
  const path = '/api/v1/webhooks/wh_none/reset-failures';

  it.each([
    [{ hard: true }, { path: 'hard', message: 'is unknown' }],
    [[], { path: '', message: 'must be left out: this route has no body' }],
  ])('is refused, not ignored: %j', async (body, error) => {
    const answer = await manager.post(path, body);
    expect([answer.status, answer.body.errors]).toEqual([400, [error]]);
  });

  it.each([{}, undefined])('may be empty: %j', async (body) => {
    expect((await manager.post(path, body)).status).toBe(404);
  });
});

describe('an invalid body', () => {
  it("is refused by the unknown member's name, at any depth", async () => {
    expect((await raise({ colour: 'red' })).body.errors).toEqual([
      { path: 'colour', message: 'is unknown' },
    ]);
    const configuration = {
      slaPolicies: [],
      calendars: {},
      routingRules: [{ ruleId: 'a', name: 'a', match: { colour: 'red' } }],
      workflows: [],
    };
    const simulated = await agent.post(SIMULATE, {
      configuration,
      ticket: { buildingId, description: 'x' },
    });
    expect(simulated.body.errors).toEqual([
      { path: 'configuration.routingRules[0].match.colour', message: 'is unknown' },
    ]);
  });

  it('names a bounded number of paths', async () => {
    const { status, body } = await raise(members(BODY_VALUES_MAX / 2));
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(ERRORS_NAMED_MAX);
  });

  it('is one with more code points than `maxLength`, not more UTF-16 units', async () => {
    const subject = '😀'.repeat(SUBJECT_CHARACTERS_MAX);
    expect(await raise({ subject })).toMatchObject({ status: 201, body: { subject } });
    expect((await raise({ subject: `${subject}😀` })).body.errors).toEqual([
      { path: 'subject', message: `must not have more than ${SUBJECT_CHARACTERS_MAX} characters` },
    ]);
  });

  it('is answered with long names truncated', async () => {
    const { body } = await raise({ ['n'.repeat(100_000)]: 1 });
    expect(body.errors[0].path).toBe(`${'n'.repeat(100)}…`);
  });

  it.each([
    ['members', () => members(BODY_VALUES_MAX)],
    ['items', () => ({ metadata: { list: Array(BODY_VALUES_MAX).fill(1) } })],
    ['lists', () => ({ metadata: { list: Array.from({ length: BODY_VALUES_MAX }, () => []) } })],
  ])('has too many %s for any route of its kind', async (_, parts) => {
    const { status, body } = await raise(parts());
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: '', message: `must not have more than ${BODY_VALUES_MAX} members and items` },
    ]);
  });

  it('is not read further than a list that is too long', async () => {
    const transitions = { new: Array(20_000).fill('no state') };
    const configuration = {
      slaPolicies: [],
      calendars: {},
      routingRules: [],
      workflows: [{ requestType: 'a', transitions }],
    };
    const { body } = await agent.post(SIMULATE, {
      configuration,
      ticket: { buildingId, description: 'x' },
    });
    expect(body.errors).toEqual([
      {
        path: 'configuration.workflows[0].transitions.new',
        message: 'must not have more than 8 items',
      },
    ]);
  });

  it('is only counted where text holds commas and brackets', async () => {
    const metadata = { text: '[{,"'.repeat(2_000), list: ['\\', '"', '\\"'] };
    const { status, body } = await raise({ metadata });
    expect(status).toBe(201);
    expect(body.metadata).toEqual(metadata);
  });
});

describe.each(['metadata', 'formData'])('%s', (name) => {
  it('is bounded in members and levels', async () => {
    const half = FREE_FORM_MEMBERS_MAX / 2;
    expect((await raise({ [name]: members(FREE_FORM_MEMBERS_MAX) })).status).toBe(201);
    expect((await raise({ [name]: { ...members(half), list: Array(half).fill(1) } })).status).toBe(
      400,
    );
    expect((await raise({ [name]: nested(20) })).status).toBe(201);
    expect((await raise({ [name]: nested(21) })).body.errors[0].path).toBe(name);
  });

  it('grows by patches no further', async () => {
    const { body } = await raise({ [name]: members(FREE_FORM_MEMBERS_MAX) });
    const patched = await agent.patch(`${REQUESTS}/${body.id}`, { [name]: { more: 1 } });
    expect(patched).toMatchObject({ status: 400, body: { errors: [{ path: name }] } });
  });
});

describe('the schema pre-check', () => {
  const counts = (schema: object, value: unknown) => {
    const { oversized, wrong } = precheck(schema, value);
    return [oversized.length, wrong.length];
  };

  it('counts oversized strings, arrays and objects', () => {
    expect(counts({ type: 'string', maxLength: 2 }, 'abc')).toEqual([1, 0]);
    expect(counts({ type: 'array', maxItems: 2, items: { type: 'string' } }, [1, 2, 3])).toEqual([
      1, 0,
    ]);
    expect(counts({ type: 'object', maxProperties: 1 }, { a: 1, b: 2 })).toEqual([1, 0]);
  });

  it('measures a text like zod', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.nat({ max: 12 }),
        (sent, max) => {
          const oversized = z.string().max(max).safeParse(sent).success ? 0 : 1;
          expect(counts({ type: 'string', maxLength: max }, sent)).toEqual([oversized, 0]);
        },
      ),
    ));

  it('counts by the alternative that matches the value', () => {
    const either = {
      anyOf: [{ type: 'string' }, { type: 'array', maxItems: 1, items: { type: 'string' } }],
    };
    expect(counts(either, 'a')).toEqual([0, 0]);
    expect(counts(either, ['a'])).toEqual([0, 0]);
    expect(counts(either, ['a', 'b'])).toEqual([1, 0]);
    expect(counts(either, [1])).toEqual([0, 1]);
    expect(counts(either, 1)).toEqual([0, 1]);
  });

  it('stops at the error limit', () => {
    const list = { type: 'array', maxItems: 1_000, items: { enum: ['a'], type: 'string' } };
    expect(counts(list, Array(1_000).fill('b'))).toEqual([0, ERRORS_NAMED_MAX]);
  });

  it('resolves references to nested schemas', () => {
    const named = {
      $defs: { One: { type: 'string', maxLength: 1 } },
      type: 'object',
      properties: { one: { $ref: '#/$defs/One' } },
      additionalProperties: false,
    };
    expect(counts(named, { one: 'ab' })).toEqual([1, 0]);
    expect(counts(named, { two: 'a' })).toEqual([0, 1]);
  });
});
