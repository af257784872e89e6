/** Things by what people call them. */
import { CommandFailed } from '../failures.ts';

export interface Kind<Item> {
  readonly one: string;
  readonly many: string;
  /** The command that lists them. */
  readonly list: string;
  /** What an item may be called by. */
  names(item: Item): readonly (string | null)[];
  /** Tells items of the same name apart. */
  label(item: Item): string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isId = (word: string): boolean => UUID.test(word);

/**
 * The item of this name.
 *
 * @throws {@link CommandFailed} if there is none, or if several have it: they are listed.
 */
export const oneNamed = <Item>(word: string, items: readonly Item[], kind: Kind<Item>): Item => {
  const named = items.filter((item) => kind.names(item).includes(word));
  const [found, ...others] = named;
  if (!found) throw new CommandFailed(`there is no ${kind.one} ${word}; ${kind.list} lists them`);
  if (others.length === 0) return found;
  const labels = named.map((item) => kind.label(item)).join(', ');
  throw new CommandFailed(`${named.length} ${kind.many} are called ${word}: ${labels}`);
};
