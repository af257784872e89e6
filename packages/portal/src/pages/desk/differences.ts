/** The differences between versions of a section, in words. */
import { equal } from '../../merge.ts';
import { memberName } from './member-names.ts';
import { elementsOf } from './sections.ts';

/**
 * What one version of a section has where the versions differ, one line for each member:
 * `“P1”, resolution: 240`.
 *
 * @param text The version, as `sectionText` prints it.
 */
export const differencesIn = (text: string, versions: readonly string[]): string => {
  const others = versions.map(valueOf);
  return linesOf(valueOf(text), others, []).join('\n') || '(no difference)';
};

const valueOf = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

type Path = readonly string[];

const linesOf = (value: unknown, others: readonly unknown[], path: Path): readonly string[] => {
  if (others.every((other) => equal(other, value))) return [];
  const members = elementsOf(value);
  if (!members) return [line(path, words(value))];
  const otherMembers = others.map((other) => elementsOf(other) ?? {});
  const names = new Set([members, ...otherMembers].flatMap((each) => Object.keys(each)));
  const lines = [...names].flatMap((name) =>
    linesOf(
      members[name],
      otherMembers.map((each) => each[name]),
      [...path, name],
    ),
  );
  if (lines.length > 0) return lines;
  // The elements are the same: only their order differs.
  const order = Object.keys(members).map(pathWords).join(', ');
  return [line(path, order || words(value))];
};

const line = (path: Path, value: string): string =>
  path.length === 0 ? value : `${path.map(pathWords).join(', ')}: ${value}`;

/** The elements of lists have a prefix; the names of calendars are no members either. */
const pathWords = (name: string): string =>
  name.startsWith('=') ? `“${name.slice(1)}”` : memberName(name);

const words = (value: unknown): string => {
  if (value === undefined) return '(nothing)';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? '(none)' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};
