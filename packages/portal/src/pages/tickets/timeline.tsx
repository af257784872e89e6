import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { actorName, Badge } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import { stateName, type State } from './words.tsx';

type Entry = Schemas['TimelineEntry'];

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'none';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${name}: ${shown(one)}`);
  return members.join(', ');
};

const state = (value: unknown): string => stateName[value as State] ?? shown(value);

/** What happened, in few words; a note says it itself. */
const TITLES: Readonly<Record<Entry['kind'], (entry: Entry) => string>> = {
  note: ({ actor }) => `${actorName(actor)} wrote`,
  system: () => 'Atrium noted',
  state: ({ from, to }) =>
    from === undefined || from === null
      ? `Raised as ${state(to)}`
      : `${state(from)} → ${state(to)}`,
  assignment: ({ actor }) => `${actorName(actor)} assigned it`,
  fields: ({ actor }) => `${actorName(actor)} edited it`,
  work_order: () => 'Work order linked',
  sla: () => 'Service level',
};

const TONES: Readonly<Record<Entry['kind'], string>> = {
  note: 'accent',
  system: '',
  state: 'good',
  assignment: '',
  fields: '',
  work_order: '',
  sla: 'bad',
};

const HAS_VALUES: ReadonlySet<Entry['kind']> = new Set([
  'assignment',
  'fields',
  'work_order',
  'sla',
]);

const Values = ({ of: { from, to } }: { readonly of: Entry }): JSX.Element => (
  <p class="small faint">
    {from !== undefined && <code>{shown(from)}</code>}
    {from !== undefined && to !== undefined && ' → '}
    {to !== undefined && <code>{shown(to)}</code>}
  </p>
);

/** Newest first. */
export const TicketTimeline = ({ of }: { readonly of: readonly Entry[] }): JSX.Element => (
  <ol class="timeline">
    {of.toReversed().map((entry) => (
      <li key={entry.id} class={TONES[entry.kind]}>
        <div class="head">
          <strong>{TITLES[entry.kind](entry)}</strong>
          {entry.visibility && (
            <Badge tone={entry.visibility === 'public' ? 'good' : 'neutral'}>
              {entry.visibility}
            </Badge>
          )}
          <span class="faint small">
            <At at={entry.at} />
          </span>
        </div>
        {entry.body !== undefined && <p class="written">{entry.body}</p>}
        {HAS_VALUES.has(entry.kind) && <Values of={entry} />}
      </li>
    ))}
  </ol>
);
