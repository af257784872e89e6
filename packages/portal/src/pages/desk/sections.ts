/** A conflict between two configurations, by section: service levels, calendars, rules, …. */
import { mergeOrder, mergeRecords, type Conflict } from '../../merge.ts';
import { read, withMember, written, type Configuration } from './document.ts';

type Sections = Readonly<Record<string, unknown>>;

/** The members that identify an element of a list, by order of preference. */
const KEYS = ['ruleId', 'name', 'requestType', 'userId', 'teamId'] as const;

const INDENT = 2;

/** The text of a section; blank: the document has none. */
export const sectionText = (section: unknown): string =>
  section === undefined ? '' : JSON.stringify(section, null, INDENT);

/**
 * Merges three documents by section.
 *
 * @returns the document with the proposals, and the sections in conflict.
 */
export const mergeConfigurations = (
  base: Configuration,
  mine: Configuration,
  theirs: Configuration,
): { readonly text: string; readonly conflicts: readonly Conflict[] } => {
  const merged = mergeRecords<Sections>({ ...base }, { ...mine }, { ...theirs });
  const [before, my, their]: readonly Sections[] = [{ ...base }, { ...mine }, { ...theirs }];
  const proposals = merged.conflicts.map((name) => {
    const proposal = mergeSection(before![name], my![name], their![name]);
    return [name, proposal === undefined ? my![name] : proposal, proposal] as const;
  });
  const document = {
    ...merged.values,
    ...Object.fromEntries(proposals.map(([name, value]) => [name, value])),
  };
  return {
    text: JSON.stringify(document, null, INDENT),
    conflicts: proposals.map(([name, , proposal]) => ({
      name,
      mine: sectionText(my![name]),
      theirs: sectionText(their![name]),
      merged: proposal === undefined ? null : sectionText(proposal),
    })),
  };
};

/** Both changes of one section merged; `undefined` if they conflict. */
const mergeSection = (base: unknown, mine: unknown, theirs: unknown): unknown => {
  const [before, my, their] = [base ?? emptyOf(mine), mine, theirs].map(elementsOf);
  if (!before || !my || !their) return undefined;
  const { values, conflicts } = mergeRecords(before, my, their);
  const isOpen = conflicts.some((name) => {
    const inner = mergeSection(before[name], my[name], their[name]);
    if (inner !== undefined) values[name] = inner;
    return inner === undefined;
  });
  if (isOpen) return undefined;
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  if (!Array.isArray(mine)) return Object.fromEntries(kept);
  const order = mergeOrder(Object.keys(before), Object.keys(my), Object.keys(their));
  return order?.map((key) => values[key]).filter((value) => value !== undefined);
};

const emptyOf = (other: unknown): unknown => (Array.isArray(other) ? [] : {});

/** Members by name, or the elements of a list by their identifying member. */
export const elementsOf = (section: unknown): Record<string, unknown> | null => {
  if (typeof section !== 'object' || section === null) return null;
  if (!Array.isArray(section)) return { ...section };
  const entries = section.map((element: unknown) => [keyOf(element), element] as const);
  const isKeyed = entries.every(([key]) => key !== null);
  const isUnique = new Set(entries.map(([key]) => key)).size === entries.length;
  // With a prefix: an object orders an integer key such as `7` before all others.
  const members = entries.map(([key, element]) => [`=${key}`, element] as const);
  return isKeyed && isUnique ? Object.fromEntries(members) : null;
};

const keyOf = (element: unknown): string | null => {
  if (typeof element !== 'object' || element === null) return null;
  const members = new Map<string, unknown>(Object.entries(element));
  const key = KEYS.map((name) => members.get(name)).find((value) => typeof value === 'string');
  return typeof key === 'string' ? key : null;
};

/** The text of the document with one section replaced, or removed if it is blank. */
export const withSection = (text: string, name: string, section: string): string => {
  const content = section === '' ? undefined : (JSON.parse(section) as unknown);
  return written(withMember<Sections, string>({ ...read(text) }, name, content) as Configuration);
};

/** The section of the document as text. */
export const sectionIn = (document: Configuration, name: string): string =>
  sectionText({ ...document }[name as keyof Configuration]);
