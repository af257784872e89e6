/** Errors of a refused configuration, shown at their fields. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { fieldErrorsOf } from '../../ui/error-words.ts';
import { plainMessage } from '../../ui/plain-messages.ts';
import type { Configuration } from './document.ts';
import { MEMBERS } from './member-names.ts';

export interface DeskError {
  /** The path as the server reports it: `routingRules[2].note`. */
  readonly path: string;
  readonly message: string;
}

/** The prefix of paths in a simulation, whose body has the configuration as a member. */
const SIMULATED = 'configuration.';

const partsOf = (path: string): readonly string[] => path.split(/[.[\]]+/).filter(Boolean);

/** Splits a path that names a calendar, whose name may contain dots and brackets. */
const membersOf = (path: string, { calendars }: Configuration): readonly string[] => {
  const name = Object.keys(calendars)
    .filter(
      (calendar) => path === `calendars.${calendar}` || path.startsWith(`calendars.${calendar}.`),
    )
    .toSorted((a, b) => b.length - a.length)[0];
  if (name === undefined) return partsOf(path);
  return ['calendars', name, ...partsOf(path.slice(`calendars.${name}`.length))];
};

const valueAt = (configuration: Configuration, path: string): string | undefined => {
  let value: unknown = configuration;
  for (const member of membersOf(path, configuration))
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[member];
  return JSON.stringify(value);
};

/** The errors that still apply: those of values unchanged since the refusal. */
export const errorsIn = (
  error: unknown,
  sent: Configuration,
  now: Configuration,
): readonly DeskError[] =>
  fieldErrorsOf(error)
    .map(({ path, message }) => ({
      path: path.startsWith(SIMULATED) ? path.slice(SIMULATED.length) : path,
      message: plainMessage(message),
    }))
    .filter(({ path }) => valueAt(sent, path) === valueAt(now, path));

export const DeskErrors = createContext<readonly DeskError[]>([]);

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);

/** @returns the first error at, or below, a member of this path. */
export const useErrorsAt = (place: string): ((member: string) => string | undefined) => {
  const errors = useContext(DeskErrors);
  return (member) => errors.find(({ path }) => isWithin(path, `${place}${member}`))?.message;
};

/** Labels of the members that are a single field. */
const WHOLE: Readonly<Record<string, string>> = {
  timeZone: 'Time zone of reports',
  personalDataMonths: 'Months until personal data expires',
  requesterAccess: 'Who may report a problem',
};

/** Entries without a name are numbered. */
const NOUNS: Readonly<Record<string, string>> = {
  users: 'Person',
  teams: 'Team',
  slaPolicies: 'Service level',
  routingRules: 'Rule',
  workflows: 'Workflow',
  requestTypes: 'Request type',
};

type Members = Readonly<Record<string, unknown>>;

/** `Person 1`; an entry without a number is named after its editor. */
const numbered = (list: string, item: string): string =>
  NOUNS[list] === undefined ? (WHOLE[list] ?? 'An entry') : `${NOUNS[list]} ${Number(item) + 1}`;

/** The editor that has the field, and the label of the field. */
export const placeOf = (
  path: string,
  configuration: Configuration,
): { readonly part: string; readonly item: string; readonly words: string } => {
  const [part = '', ...below] = membersOf(path, configuration);
  // The directory has two lists.
  const [list = '', item = '', ...members] = part === 'directory' ? below : [part, ...below];
  const lists: Members = { ...configuration, ...configuration.directory };
  const entry = (lists[list] as Readonly<Record<string, Members>> | undefined)?.[item];
  const name = list === 'calendars' ? item : (entry?.['name'] ?? entry?.['requestType']);
  const member = members
    .map((segment) => MEMBERS[segment])
    .findLast((words) => words !== undefined);
  const words =
    typeof name === 'string' && name.trim() !== ''
      ? [`“${name}”`, member].filter(Boolean).join(', ')
      : [numbered(list, item), member].filter(Boolean).join(': ');
  return { part, item, words: item === '' ? (WHOLE[part] ?? 'The configuration') : words };
};
