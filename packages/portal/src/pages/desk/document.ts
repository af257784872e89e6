/** Reads and writes the configuration as a document, which the text and the forms share. */
import type { Schemas } from '../../session/me.ts';

export type Configuration = Schemas['ServiceDeskConfiguration'];
export type Policy = Configuration['slaPolicies'][number];
export type Rule = Configuration['routingRules'][number];
export type Match = NonNullable<Policy['match']>;
export type Calendar = Configuration['calendars'][string];
export type Workflow = Configuration['workflows'][number];

/** An editor of a part of the configuration. */
export interface EditorParts {
  readonly of: Configuration;
  readonly onChange: (next: Configuration) => void;
}

const INDENT = 2;

export const written = (configuration: Configuration): string =>
  JSON.stringify(configuration, null, INDENT);

/** @throws with the place of the mistake if it is not JSON; the server validates the rest. */
export const read = (text: string): Configuration => {
  const document = parsedJson(text) as Partial<Configuration>;
  return { slaPolicies: [], calendars: {}, routingRules: [], workflows: [], ...document };
};

/** A `SyntaxError` would be taken for an answer of a proxy. */
const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`, { cause: error });
  }
};

/** The result of {@link read}, or its error. */
export const parsed = (text: string): Configuration | Error => {
  try {
    return read(text);
  } catch (error) {
    return error as Error;
  }
};

/** The list with one item replaced; `null` removes it. */
export const changed = <Item>(list: readonly Item[], at: number, item: Item | null): Item[] =>
  item === null ? list.toSpliced(at, 1) : list.with(at, item);

/** The list with one item moved. */
export const moved = <Item>(list: readonly Item[], from: number, to: number): Item[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);

/** Sets a member; a blank value removes it. */
export const withMember = <Of extends object, Name extends keyof Of>(
  object: Of,
  name: Name,
  value: Of[Name] | undefined,
): Of => {
  const { [name]: _, ...others } = object;
  return (value === undefined ? others : { ...others, [name]: value }) as Of;
};
