import type { JSX } from 'preact';
import { addressOf, type Attachment } from '../../attachments/files.ts';
import { actorName, Badge, Written } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import { fileName, isBad, sentenceOf, textsOf, type Entry, type NameOf } from './sentences.ts';
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
  erasure: '',
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

/** The files of a note: downloads, and the names of removed ones. */
const NoteFiles = ({
  of: { attachments: came = [] },
  ticketId,
  attachments,
}: {
  readonly of: Entry;
  readonly ticketId: string;
  readonly attachments: readonly Attachment[];
}): JSX.Element | null => {
  if (came.length === 0) return null;
  const there = new Set(attachments.map(({ attachmentId }) => attachmentId));
  return (
    <ul class="note-files small" aria-label="Files of this note">
      {came.map(({ attachmentId, name }) => (
        <li key={attachmentId}>
          {there.has(attachmentId) ? (
            <a href={addressOf(ticketId, attachmentId)} download={name}>
              {name}
            </a>
          ) : (
            <span class="faint">{fileName(name)}, removed</span>
          )}
        </li>
      ))}
    </ul>
  );
};

/** Newest first; the last entry names who raised the ticket. */
export const TicketTimeline = ({
  of,
  ticket: { id, createdAt, createdBy, channel, faultId },
  attachments,
  nameOf,
}: {
  readonly of: readonly Entry[];
  readonly ticket: Ticket;
  /** The current attachments of the ticket. */
  readonly attachments: readonly Attachment[];
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
        {entry.body !== undefined && <Written text={entry.body} />}
        <NoteFiles of={entry} ticketId={id} attachments={attachments} />
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
