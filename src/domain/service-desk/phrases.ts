/**
 * Finds many phrases in one text in a single pass, however many there are and however often they
 * nearly occur: the automaton of Aho and Corasick («Efficient string matching», 1975).
 */

/** The indexes of the phrases that occur in the text as whole words. */
export type PhraseFinder = (text: string) => ReadonlySet<number>;

/**
 * A finder of all `phrases`. It compares code units: the caller normalises both sides. The empty
 * phrase never matches.
 */
export const phraseFinder = (phrases: readonly string[]): PhraseFinder => {
  const nodes = trieOf(phrases);
  linkSuffixes(nodes);
  return (text) => {
    const found = new Set<number>();
    const joined = joints(text);
    let node = nodes[ROOT]!;
    for (let at = 0; at < text.length; at += 1) {
      node = next(nodes, node, text.charCodeAt(at));
      const ending = node.phrases.length > 0 ? node : nodes[node.shorter]!;
      if (ending.phrases.length === 0 || joined(at + 1)) continue;
      for (let end = ending; end.phrases.length > 0; end = nodes[end.shorter]!) {
        if (found.has(end.phrases[0]!) || joined(at + 1 - end.depth)) continue;
        for (const phrase of end.phrases) found.add(phrase);
      }
    }
    return found;
  };
};

/** A prefix of a phrase. Nodes are referred to by their index. */
interface Node {
  readonly depth: number;
  /** By the next unit of text. */
  readonly children: Map<number, number>;
  /** The phrases that end here. */
  readonly phrases: number[];
  /** The longest proper suffix of this prefix that is a prefix too. */
  suffix: number;
  /** The longest proper suffix that is a phrase; the root if there is none. */
  shorter: number;
}

const ROOT = 0;

const nodeAt = (depth: number): Node => ({
  depth,
  children: new Map(),
  phrases: [],
  suffix: ROOT,
  shorter: ROOT,
});

const trieOf = (phrases: readonly string[]): Node[] => {
  const nodes = [nodeAt(0)];
  for (const [index, phrase] of phrases.entries()) {
    if (phrase === '') continue;
    let node = nodes[ROOT]!;
    for (let at = 0; at < phrase.length; at += 1) {
      const unit = phrase.charCodeAt(at);
      let child = node.children.get(unit);
      if (child === undefined) {
        child = nodes.push(nodeAt(at + 1)) - 1;
        node.children.set(unit, child);
      }
      node = nodes[child]!;
    }
    node.phrases.push(index);
  }
  return nodes;
};

/** Breadth first: the suffix of a node is shorter, so it has been linked before. */
const linkSuffixes = (nodes: Node[]): void => {
  const queue = [...nodes[ROOT]!.children.values()];
  for (let head = 0; head < queue.length; head += 1) {
    const node = nodes[queue[head]!]!;
    const suffix = nodes[node.suffix]!;
    node.shorter = suffix.phrases.length > 0 ? node.suffix : suffix.shorter;
    for (const [unit, index] of node.children) {
      const child = nodes[index]!;
      child.suffix = childOf(nodes, node.suffix, unit);
      queue.push(index);
    }
  }
};

/** The longest prefix that the text up to and including `unit` ends with. */
const childOf = (nodes: readonly Node[], from: number, unit: number): number => {
  for (let at = from; ; at = nodes[at]!.suffix) {
    const child = nodes[at]!.children.get(unit);
    if (child !== undefined) return child;
    if (at === ROOT) return ROOT;
  }
};

const next = (nodes: readonly Node[], node: Node, unit: number): Node => {
  const child = node.children.get(unit);
  return nodes[child ?? (node.depth === 0 ? ROOT : childOf(nodes, node.suffix, unit))]!;
};

/** Whether the characters on both sides of a position belong to one word. */
const joints = (text: string): ((at: number) => boolean) => {
  const memo = new Map<number, boolean>();
  const joins = (character: number | undefined): boolean => {
    if (character === undefined) return false;
    let is = memo.get(character);
    if (is === undefined) {
      const written = String.fromCodePoint(character);
      is = letter.test(written) && !unspaced.test(written);
      memo.set(character, is);
    }
    return is;
  };
  return (at) => joins(characterBefore(text, at)) && joins(text.codePointAt(at));
};

const characterBefore = (text: string, at: number): number | undefined => {
  const whole = text.codePointAt(at - 2);
  return whole !== undefined && whole > 0xffff ? whole : text.codePointAt(at - 1);
};

const letter = /[\p{L}\p{N}\p{M}]/u;
/** Scripts without spaces have no visible word boundaries. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
