/** The configuration as a document that is written and read: the text and the form are of one. */
import type { Schemas } from '../../session/requests.ts';

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

/** @throws {SyntaxError} where it is no JSON; what else is wrong the server says. */
export const read = (text: string): Configuration => {
  const document = JSON.parse(text) as Partial<Configuration>;
  return { slaPolicies: [], calendars: {}, routingRules: [], workflows: [], ...document };
};

/** What {@link read} gives, or what it throws. */
export const parsed = (text: string): Configuration | Error => {
  try {
    return read(text);
  } catch (error) {
    return error as Error;
  }
};

/** The list with one of it changed; `null` takes it out. */
export const changed = <Item>(list: readonly Item[], at: number, item: Item | null): Item[] =>
  item === null ? list.toSpliced(at, 1) : list.with(at, item);

/** The list with one of it at another place. */
export const moved = <Item>(list: readonly Item[], from: number, to: number): Item[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);

/** A member that is left blank is not there. */
export const withMember = <Of extends object, Name extends keyof Of>(
  object: Of,
  name: Name,
  value: Of[Name] | undefined,
): Of => {
  const { [name]: _, ...others } = object;
  return (value === undefined ? others : { ...others, [name]: value }) as Of;
};
