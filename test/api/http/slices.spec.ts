import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PrintedItems, serializeInSlices } from '../../../src/api/http/slices.ts';

const Page = z.object({ items: z.array(z.object({ name: z.string() })), total: z.int() });

const answered = async (payload: object, schema: z.ZodType = Page) => {
  const app = fastify();
  app.setSerializerCompiler(serializerCompiler);
  serializeInSlices(app);
  app.get('/', { schema: { response: { 200: schema } } }, async () => payload);
  const { statusCode, headers, body } = await app.inject('/');
  await app.close();
  return { status: statusCode, type: headers['content-type'], body };
};

describe('a page', () => {
  it.each([0, 1, 3_000])('of %i items is the JSON that it would be as a whole', async (count) => {
    const items = Array.from({ length: count }, (_, at) => ({ name: `漢 "${at}"` }));
    const page = { items, total: count };
    expect(await answered(page)).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(page),
    });
  });

  it('may have only items', async () => {
    const Items = Page.omit({ total: true });
    expect((await answered({ items: [{ name: 'a' }] }, Items)).body).toBe(
      '{"items":[{"name":"a"}]}',
    );
  });

  it.each([0, 1, 3, 30_000])('of %i printed items has them as they are', async (count) => {
    const items = Array.from({ length: count }, (_, at) => ({ name: `漢 "${at}"` }));
    const printed = new PrintedItems(items.map((item) => JSON.stringify(item)));
    expect(await answered({ total: count, secret: 1, items: printed })).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ items, total: count }),
    });
  });

  it('contains the members of its schema, and fails for an invalid item', async () => {
    const items = [{ name: 'a', secret: 'b' }];
    expect((await answered({ items, total: 1 })).body).toBe('{"items":[{"name":"a"}],"total":1}');
    expect((await answered({ items: [{ name: 1 }], total: 1 })).status).toBe(500);
  });
});

it('other answers are serialised as before', async () => {
  const Plain = z.object({ name: z.string() });
  expect((await answered({ name: 'a' }, Plain)).body).toBe('{"name":"a"}');
});
