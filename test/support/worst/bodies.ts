/** The worst that a JSON schema allows, each way in turn, and worse. */
import { randomUUID } from 'node:crypto';

export interface Schema {
  readonly [keyword: string]: unknown;
}

interface WorstBody {
  readonly name: string;
  /** What no schema makes a difference to: the text is read before any is asked. */
  readonly isFlood: boolean;
  /** Made when it is sent: all of them together are a thousand MiB. */
  readonly json: () => string;
}

export type Resolve = (schema: Schema) => Schema;

/** What is made as large as it may be; everything else is as small as it may be. */
interface Aim {
  /** Every text has as many characters as it may, all of them this one. */
  readonly letter?: string;
  /** The path of the list or record that is full; `*` for all of them. */
  readonly full?: string;
  readonly freeForm?: 'members' | 'levels' | 'items';
  /** Every text and number is something else. */
  readonly wrong?: boolean;
  /** Items that there is still room for: full lists in full lists are more than any body. */
  readonly room: { left: number };
}

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As many items as a body has room for, whatever a schema says. */
const ITEMS_MAX = 20_000;
/** Of all lists together; and so few that no route has too many values in all. */
const ITEMS_IN_ALL = { most: 60_000, few: 1_500 } as const;
const SAMPLE_ITEMS = 50;
const TEXT_BYTES_MAX = 700_000;

const made = (schema: Schema, resolve: Resolve, aim: Aim, path = '', at = 0): unknown => {
  const { type, format, ...rest } = resolve(schema);
  const either = [rest['anyOf'], rest['oneOf']].flat().filter(isObject).map(resolve);
  if (either.length > 0) {
    const list = either.find((one) => one['type'] === 'array');
    const text = aim.letter === undefined ? undefined : either.find((one) => one['maxLength']);
    const chosen = aim.full !== undefined && list ? list : (text ?? either[0]!);
    return made(chosen, resolve, aim, path, at);
  }
  const all = [rest['allOf']].flat().filter(isObject);
  if (all.length > 0) return made(all[0]!, resolve, aim, path, at);
  if (aim.wrong && !isObject(rest['properties']) && type !== 'array') return { wrong: true };
  if (rest['const'] !== undefined) return rest['const'];
  if (Array.isArray(rest['enum'])) return rest['enum'].at(-1);
  const types = [type].flat();
  if (types.includes('string')) return textOf({ format, ...rest }, aim, at);
  if (types.includes('integer') || types.includes('number')) {
    return Math.min(Number(rest['maximum'] ?? 1), 1_000_000_000);
  }
  if (types.includes('boolean')) return true;
  if (types.includes('array')) return listOf(rest, resolve, aim, path);
  if (types.includes('object')) return objectOf(rest, resolve, aim, path);
  return null;
};

const textOf = (schema: Schema, { letter }: Aim, at: number): string => {
  const { format, pattern, maxLength } = schema;
  if (format === 'uuid') return randomUUID();
  if (format === 'date-time') return '2026-03-02T12:00:00.000Z';
  if (format === 'date') return '2026-12-25';
  const longest = (of: string) =>
    of.repeat(
      Math.floor(Math.min(Number(maxLength ?? 1_000), TEXT_BYTES_MAX / Buffer.byteLength(of))),
    );
  if (typeof pattern !== 'string') return letter === undefined ? `a${at}` : longest(letter);
  const examples = schema['examples'];
  const example = schema['example'] ?? (Array.isArray(examples) ? examples[0] : undefined);
  const fits = (text: unknown): text is string =>
    typeof text === 'string' && new RegExp(pattern, 'u').test(text);
  const long = letter === undefined ? [] : [longest(letter), longest('a'), 'a'.repeat(64)];
  return [...long, `a${at}`, 'a', '09:00', 'a@example.com', example].find(fits) ?? 'a';
};

const listOf = (schema: Schema, resolve: Resolve, aim: Aim, path: string): unknown[] => {
  const prefix = schema['prefixItems'];
  if (Array.isArray(prefix)) {
    return prefix.map((item: Schema, at) => made(item, resolve, aim, `${path}[]`, at));
  }
  const isFull = aim.full === path || aim.full === '*';
  const most = Math.min(Number(schema['maxItems'] ?? ITEMS_MAX), ITEMS_MAX);
  const least = Number(schema['minItems'] ?? 1);
  const wanted = isFull ? most : Math.max(1, least);
  const count = Math.min(wanted, Math.max(aim.room.left, least));
  aim.room.left -= count;
  const items = isObject(schema['items']) ? schema['items'] : {};
  return Array.from({ length: count }, (_, at) => made(items, resolve, aim, `${path}[]`, at));
};

const objectOf = (schema: Schema, resolve: Resolve, aim: Aim, path: string): object => {
  const others = schema['additionalProperties'];
  const most = Number(schema['maxProperties'] ?? 1);
  if (isObject(others) && Object.keys(others).length === 0) return freeFormOf(aim, most);
  if (isObject(others)) {
    const isFull = aim.full === `${path}{}` || aim.full === '*';
    const names = resolve(isObject(schema['propertyNames']) ? schema['propertyNames'] : {});
    const listed = Array.isArray(names['enum']) ? (names['enum'] as string[]) : null;
    const members = listed ?? Array.from({ length: isFull ? most : 1 }, (_, at) => `a${at}`);
    return Object.fromEntries(
      members.map((name, at) => [name, made(others, resolve, aim, `${path}{}`, at)]),
    );
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      made(member as Schema, resolve, aim, `${path}.${name}`),
    ]),
  );
};

const freeFormOf = ({ freeForm }: Aim, most: number): object => {
  if (freeForm === 'members') return members(most);
  if (freeForm === 'items') return { list: Array(most - 1).fill(1) };
  if (freeForm === 'levels') return nested(20);
  return {};
};

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]));

const nested = (levels: number): object =>
  levels === 1 ? { end: 1 } : { inner: nested(levels - 1) };

/** The paths of lists and records that can be filled. */
const fillable = (schema: Schema, resolve: Resolve, path = '', depth = 0): string[] => {
  const known = resolve(schema);
  if (depth > 12) return [];
  const inside = (part: unknown, at: string) =>
    isObject(part) ? fillable(part, resolve, at, depth + 1) : [];
  const either = [known['anyOf'], known['oneOf'], known['allOf']].flat().filter(isObject);
  const others = known['additionalProperties'];
  const isRecord = isObject(others) && Object.keys(others).length > 0;
  return [
    ...new Set([
      ...either.flatMap((one) => fillable(one, resolve, path, depth + 1)),
      ...(known['items'] === undefined ? [] : [path, ...inside(known['items'], `${path}[]`)]),
      ...(isRecord ? [`${path}{}`, ...inside(others, `${path}{}`)] : []),
      ...Object.entries(isObject(known['properties']) ? known['properties'] : {}).flatMap(
        ([name, member]) => inside(member, `${path}.${name}`),
      ),
    ]),
  ];
};

const hasFreeForm = (schema: Schema, resolve: Resolve, depth = 0): boolean => {
  const known = resolve(schema);
  const others = known['additionalProperties'];
  if (isObject(others) && Object.keys(others).length === 0) return true;
  const parts = Object.values(isObject(known['properties']) ? known['properties'] : {});
  return depth < 6 && parts.some((part) => isObject(part) && hasFreeForm(part, resolve, depth + 1));
};

const flood = (name: string, json: () => string): WorstBody => ({ name, isFlood: true, json });

/** A MiB of it, whatever the schema. */
const floods: readonly WorstBody[] = [
  flood('a MiB of numbers', () => `[${'1,'.repeat(500_000)}1]`),
  flood('a MiB of objects', () => `{"a":[${'{},'.repeat(330_000)}{}]}`),
  flood('a MiB of members', () => JSON.stringify(members(80_000))),
  flood('a MiB of brackets', () => '['.repeat(1_000_000)),
  flood('a MiB of levels', () => `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`),
  flood('a text of a MiB', () => JSON.stringify('x'.repeat(1_000_000))),
  flood('a name of a MiB', () => JSON.stringify({ ['x'.repeat(1_000_000)]: 1 })),
  flood('unknown members', () => JSON.stringify(members(4_000))),
];

/**
 * The most expensive bodies of a schema, as JSON.
 *
 * @param taken Replaces references by existing resources, so that the body is accepted.
 * @param bytesMax Size of a body; a list is as long as it permits.
 */
export const worstBodies = (
  schema: Schema,
  resolve: Resolve,
  taken: (body: unknown) => unknown,
  bytesMax: number,
): readonly WorstBody[] => {
  const body = (name: string, aim: Omit<Aim, 'room'>, items: number = ITEMS_IN_ALL.most) => {
    const madeOf = (left: number): string =>
      JSON.stringify(taken(made(schema, resolve, { ...aim, room: { left } })));
    const json = () => {
      // Estimates how many items fit by the size of a sample.
      const some = Buffer.byteLength(madeOf(SAMPLE_ITEMS)) / SAMPLE_ITEMS;
      for (let left = Math.min(items, Math.ceil(bytesMax / some)); ; left = left * 0.8) {
        const text = madeOf(Math.floor(left));
        if (Buffer.byteLength(text) <= bytesMax || left < 2) return text;
      }
    };
    return { name, isFlood: false, json };
  };
  const full = fillable(schema, resolve);
  const freeForms = hasFreeForm(schema, resolve) ? (['members', 'items', 'levels'] as const) : [];
  return [
    body('least', {}),
    ...['a', '漢', 'ﷺ'].map((letter) => body(`longest texts of ${letter}`, { letter })),
    ...freeForms.map((freeForm) => body(`free form full of ${freeForm}`, { freeForm })),
    ...full.map((path) => body(`full list ${path}`, { full: path })),
    ...(full.length === 0
      ? []
      : [
          body('lists full', { full: '*' }, ITEMS_IN_ALL.few),
          body('lists full of long texts', { full: '*', letter: '漢' }, ITEMS_IN_ALL.few),
          body('all lists full', { full: '*' }),
          body('all lists full of what is wrong', { full: '*', wrong: true }),
        ]),
    ...floods,
  ];
};
