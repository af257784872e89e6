/** What happened to a ticket, as sentences. contract.md section 5, `GET {id}/updates`. */
import type { Schemas } from '../../session/requests.ts';
import { actorName, plainText } from '../../ui/content.tsx';
import { clockTime } from '../../ui/times.tsx';
import { stateName, type State } from './words.tsx';

export type Entry = Schemas['TimelineEntry'];

/** The name of a user id; the id itself where it is unknown. */
export type NameOf = (userId: string) => string;

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);

const timeOf = (value: unknown): string =>
  typeof value === 'string' ? clockTime(Date.parse(value)) : 'no time';

const CLOCKS: Readonly<Record<string, string>> = {
  first_response: 'First response',
  resolution: 'Resolution',
  slaFirstResponseDueAt: 'First response',
  slaResolutionDueAt: 'Resolution',
};

const FIELDS: Readonly<Record<string, string>> = {
  storeyId: 'storey',
  spaceId: 'space',
  elementId: 'element',
  formData: 'form',
};

/** Members too long for a sentence: the entry shows them below it. */
const LONG: ReadonlySet<string> = new Set(['subject', 'description', 'formData', 'metadata']);
/** Members with ids that mean nothing to a person. */
const PLACES: ReadonlySet<string> = new Set(['storeyId', 'spaceId', 'elementId']);

const nothing = (value: unknown): boolean => value === null || value === undefined || value === '';

const fieldWords = (name: string, from: unknown, to: unknown): string => {
  const field = FIELDS[name] ?? name;
  if (LONG.has(name)) return `edited the ${field}`;
  if (PLACES.has(name)) return nothing(to) ? `cleared the ${field}` : `changed the ${field}`;
  if (nothing(to)) return `cleared the ${field}, which was ${textOf(from)}`;
  if (nothing(from)) return `set the ${field} to ${textOf(to)}`;
  return `changed the ${field} from ${textOf(from)} to ${textOf(to)}`;
};

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const assigned = ({ from, to }: Entry, nameOf: NameOf): string => {
  const [before, after] = [membersOf(from), membersOf(to)];
  const words = Object.entries(after).map(([name, value]) => {
    const isTeam = name === 'assignedTeamId';
    const of = (id: unknown) => (isTeam ? `team ${textOf(id)}` : nameOf(textOf(id)));
    return nothing(value) ? `took it from ${of(before[name])}` : `assigned it to ${of(value)}`;
  });
  return listed(words);
};

const clock = ({ to }: Entry): string => {
  const { clock, dueAt, breached, warned, ...moved } = membersOf(to);
  const name = CLOCKS[textOf(clock)] ?? textOf(clock);
  if (breached === true) return `${name} is overdue since ${timeOf(dueAt)}`;
  if (warned === true) return `${name} is due soon, at ${timeOf(dueAt)}`;
  const due = Object.entries(moved).map(
    ([name, at]) => `${(CLOCKS[name] ?? name).toLowerCase()} is due at ${timeOf(at)}`,
  );
  return `The clocks resumed after waiting: ${listed(due)}`;
};

/** The API's placeholder for the name of an erased person's file. */
const ERASED_FILE = 'erased';

/** The name of a file in a timeline. */
export const fileName = (name: string): string => (name === ERASED_FILE ? '(name erased)' : name);

const who = (entry: Entry): string =>
  entry.ruleId === undefined ? actorName(entry.actor) : `Routing rule ${entry.ruleId}`;

const SENTENCES: Readonly<Record<Entry['kind'], (entry: Entry, nameOf: NameOf) => string>> = {
  note: (entry) => `${who(entry)} wrote`,
  system: (entry) => (entry.ruleId === undefined ? 'Atrium noted' : `${who(entry)} noted`),
  state: (entry) =>
    `${who(entry)} moved it from ${stateName[entry.from as State]} to ` +
    stateName[entry.to as State],
  assignment: (entry, nameOf) => `${who(entry)} ${assigned(entry, nameOf)}`,
  fields: (entry) => {
    const [before, after] = [membersOf(entry.from), membersOf(entry.to)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const words = names.map((name) => fieldWords(name, before[name], after[name]));
    return `${who(entry)} ${listed(words)}`;
  },
  work_order: ({ to }) => `Work order ${textOf(membersOf(to)['workOrderId'])} was linked`,
  sla: clock,
  attachment: (entry) => {
    const name = fileName(textOf(membersOf(entry.to ?? entry.from)['name']));
    const isAdded = !nothing(entry.to);
    return `${who(entry)} ${isAdded ? 'attached' : 'removed the attachment'} ${name}`;
  },
  rating: (entry) => {
    const { score, comment } = membersOf(entry.to);
    const words = nothing(comment) ? '' : `: ${textOf(comment)}`;
    return `${who(entry)} rated it ${textOf(score)} of 5${words}`;
  },
  erasure: () => 'Personal data of a person was erased',
};

/** Whether an SLA clock is at risk or breached. */
export const isBad = ({ kind, to }: Entry): boolean => kind === 'sla' && 'clock' in membersOf(to);

export const sentenceOf = (entry: Entry, nameOf: NameOf): string =>
  SENTENCES[entry.kind](entry, nameOf);

/** The long texts that an entry replaced: name, before, after. */
export const textsOf = ({
  kind,
  from,
  to,
}: Entry): readonly (readonly [string, string, string])[] => {
  if (kind !== 'fields') return [];
  const [before, after] = [membersOf(from), membersOf(to)];
  return [...LONG]
    .filter((name) => name in before || name in after)
    .map((name) => [
      FIELDS[name] ?? name,
      plainText(textOf(before[name])),
      plainText(textOf(after[name])),
    ]);
};
