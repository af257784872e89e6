/** Three-way merges: of a record member by member, and of a text line by line. */

/** A text with more pairs of lines than this gets no proposal. */
const LINE_PAIRS_MAX = 4_000_000;

/** A member that another user has also changed since the form was opened. */
export interface Conflict {
  readonly name: string;
  readonly mine: string | boolean;
  readonly theirs: string | boolean;
  /** The merged text; `null` if the two cannot be merged. */
  readonly merged: string | null;
}

export interface Merged<Values> {
  /** Every member that only one side has changed, and the members that both have changed alike. */
  readonly values: Values;
  /** The members that both sides have changed differently; `values` has mine of them. */
  readonly conflicts: readonly (keyof Values)[];
}

/** @param base The common ancestor of both. */
export const mergeRecords = <Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
): Merged<Values> => {
  const values = { ...mine };
  const conflicts: (keyof Values)[] = [];
  for (const name of Object.keys({ ...base, ...theirs, ...mine }) as (keyof Values)[]) {
    if (equal(mine[name], base[name])) values[name] = theirs[name];
    else if (!equal(theirs[name], base[name]) && !equal(mine[name], theirs[name]))
      conflicts.push(name);
  }
  return { values, conflicts };
};

/**
 * Merges the order of three lists without duplicates: the order of the side that has moved
 * elements, with the additions of the other side after their neighbours.
 *
 * @returns `null` if both sides have moved elements differently.
 */
export const mergeOrder = (
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] | null => {
  const inBoth = (list: readonly string[], other: readonly string[]) =>
    list.filter((element) => other.includes(element));
  const isSameOrder = (left: readonly string[], right: readonly string[]) =>
    equal(inBoth(left, right), inBoth(right, left));
  const isMoved = !isSameOrder(mine, base);
  if (isMoved && !isSameOrder(theirs, base) && !isSameOrder(mine, theirs)) return null;
  const [leading, other] = isMoved ? [mine, theirs] : [theirs, mine];
  const order = [...leading];
  other.forEach((element, at) => {
    if (order.includes(element)) return;
    const neighbour = other[at - 1];
    order.splice(neighbour === undefined ? 0 : order.indexOf(neighbour) + 1, 0, element);
  });
  return order;
};

/**
 * Deep equality with members in any order: a document may be typed otherwise than the server prints
 * it.
 */
export const equal = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [leftMembers, rightMembers] = [Object.entries(left), Object.entries(right)];
  if (leftMembers.length !== rightMembers.length) return false;
  const values = new Map<string, unknown>(rightMembers);
  return leftMembers.every(([name, value]) => values.has(name) && equal(value, values.get(name)));
};

/**
 * Merges two texts line by line. Where both changed the same lines, the result has mine and then
 * theirs, so that no change is lost.
 *
 * @returns `null` for texts that are too long to compare.
 */
export const mergeTexts = (base: string, mine: string, theirs: string): string | null => {
  const [lines, ours, others] = [base, mine, theirs].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ];
  const longest = Math.max(ours.length, others.length);
  if (lines.length * longest > LINE_PAIRS_MAX) return null;
  const [inMine, inTheirs] = [matches(lines, ours), matches(lines, others)];
  const merged: string[] = [];
  let [at, my, their] = [0, 0, 0];
  for (let line = 0; line <= lines.length; line += 1) {
    const isLast = line === lines.length;
    const myNext = isLast ? ours.length : inMine[line];
    const theirNext = isLast ? others.length : inTheirs[line];
    if (myNext === undefined || theirNext === undefined) continue;
    const before = lines.slice(at, line).join('\n');
    const [ofMine, ofTheirs] = [ours.slice(my, myNext), others.slice(their, theirNext)];
    if (ofMine.join('\n') === before) merged.push(...ofTheirs);
    else if (ofTheirs.join('\n') === before || ofTheirs.join('\n') === ofMine.join('\n'))
      merged.push(...ofMine);
    else merged.push(...ofMine, ...ofTheirs);
    if (!isLast) merged.push(lines[line]!);
    [at, my, their] = [line + 1, myNext + 1, theirNext + 1];
  }
  return merged.join('\n');
};

/** For each line of `base` its index in `other`, along a longest common subsequence. */
const matches = (base: readonly string[], other: readonly string[]): (number | undefined)[] => {
  const width = other.length + 1;
  const lengths = new Uint32Array((base.length + 1) * width);
  for (let i = base.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        base[i] === other[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const found = Array.from<number | undefined>({ length: base.length });
  for (let [i, j] = [0, 0]; i < base.length && j < other.length;) {
    if (base[i] === other[j]) [found[i], i, j] = [j, i + 1, j + 1];
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return found;
};
