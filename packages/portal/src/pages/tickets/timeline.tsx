import type { JSX } from 'preact';
import { actorName, Badge } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import { isBad, sentenceOf, textsOf, type Entry, type NameOf } from './sentences.ts';
import type { Ticket } from './words.tsx';

const TONES: Readonly<Record<Entry['kind'], string>> = {
  note: 'accent',
  system: '',
  state: 'good',
  assignment: '',
  fields: '',
  work_order: '',
  sla: '',
  attachment: '',
  rating: 'accent',
};

const Replaced = ({ of }: { readonly of: Entry }): JSX.Element | null => {
  const texts = textsOf(of);
  if (texts.length === 0) return null;
  return (
    <details>
      <summary class="small">What it was</summary>
      {texts.map(([name, before, after]) => (
        <dl key={name} class="replaced small">
          <dt>{name}, before</dt>
          <dd class="written">{before}</dd>
          <dt>after</dt>
          <dd class="written">{after}</dd>
        </dl>
      ))}
    </details>
  );
};

/** Newest first; the last one says who raised the ticket. */
export const TicketTimeline = ({
  of,
  ticket: { createdAt, createdBy, channel, faultId },
  nameOf,
}: {
  readonly of: readonly Entry[];
  readonly ticket: Ticket;
  readonly nameOf: NameOf;
}): JSX.Element => (
  <ol class="timeline">
    {of.toReversed().map((entry) => (
      <li key={entry.id} class={isBad(entry) ? 'bad' : TONES[entry.kind]}>
        <div class="head">
          <strong>{sentenceOf(entry, nameOf)}</strong>
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
        <Replaced of={entry} />
      </li>
    ))}
    <li key="raised" class="good">
      <div class="head">
        <strong>
          {actorName(createdBy)} raised it {faultId === null ? `by ${channel}` : 'for a fault'}
        </strong>
        <span class="faint small">
          <At at={createdAt} />
        </span>
      </div>
    </li>
  </ol>
);
