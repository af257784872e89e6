/**
 * Long lists are serialised item by item with yields in between: a page of the longest tickets
 * would block the event loop for a third of a second. contract.md section 1.
 */
import type { FastifyInstance, preSerializationAsyncHookHandler, RouteOptions } from 'fastify';
import { z } from 'zod';
import { forEachInSlices } from '../../engine/concurrency/slices.ts';

/** Items of a page that are serialized already: they are not checked against the schema again. */
export class PrintedItems {
  /** Each the JSON of an item, or of several, separated by commas. */
  readonly texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }
}

/** For every route that answers 200 with `items`. @param giveWay As of {@link forEachInSlices}. */
export const serializeInSlices = (app: FastifyInstance, giveWay?: () => Promise<unknown>): void => {
  app.addHook('onRoute', (route) => {
    const page = pageIn(route);
    if (page === null) return;
    route.preSerialization = [route.preSerialization ?? [], slicing(page, giveWay)].flat();
  });
};

interface PageSchema {
  readonly item: z.core.$ZodType;
  /** The schema of all members except the items. */
  readonly rest: z.core.$ZodType;
}

const pageIn = ({ schema }: RouteOptions): PageSchema | null => {
  const answer = (schema?.response as Readonly<Record<string, unknown>> | undefined)?.['200'];
  if (!(answer instanceof z.ZodObject)) return null;
  const { items, ...rest } = answer.shape as Readonly<Record<string, z.core.$ZodType>>;
  return items instanceof z.ZodArray ? { item: items.element, rest: z.object(rest) } : null;
};

const slicing =
  (
    { item, rest }: PageSchema,
    giveWay?: () => Promise<unknown>,
  ): preSerializationAsyncHookHandler =>
  async (_request, reply, payload) => {
    if (reply.statusCode !== 200 || !isPage(payload)) return payload;
    const { items, ...others } = payload;
    const members = jsonOf(rest, others).slice(1);
    const [head, tail] = ['{"items":[', members === '}' ? ']}' : `],${members}`];
    reply.serializer((made: string | Buffer) => made as never);
    // A single text is sent with its headers, in one write.
    if (items instanceof PrintedItems && charactersIn(items.texts) <= TEXT_CHARACTERS_MAX)
      return `${head}${items.texts.join(',')}${tail}`;
    const texts = items instanceof PrintedItems ? items.texts : printed(item, items);
    const parts: Buffer[] = [];
    const add = (text: string) =>
      parts.push(Buffer.from(`${parts.length === 0 ? '' : ','}${text}`));
    await forEachInSlices(texts, add, giveWay);
    return Buffer.concat([Buffer.from(head), ...parts, Buffer.from(tail)]);
  };

/** Serialized within a few milliseconds, whatever its characters are. */
const TEXT_CHARACTERS_MAX = 256 * 1024;

const charactersIn = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

function* printed(item: z.core.$ZodType, items: readonly unknown[]): Generator<string> {
  for (const one of items) yield jsonOf(item, one);
}

const jsonOf = (schema: z.core.$ZodType, value: unknown): string => {
  const encoded = z.safeEncode(schema, value);
  if (!encoded.success) throw new Error('an answer does not fit its schema', encoded.error);
  return JSON.stringify(encoded.data);
};

const isPage = (
  payload: unknown,
): payload is { readonly items: readonly unknown[] | PrintedItems } =>
  typeof payload === 'object' &&
  payload !== null &&
  'items' in payload &&
  (Array.isArray(payload.items) || payload.items instanceof PrintedItems);
