import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { isSelf } from '../../session/me.ts';
import { Written } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import type { State } from '../tickets/words.tsx';
import type { Report } from './one.tsx';
import { movedWords } from './words.ts';

type Entry = Report['entries'][number];

/** The history of the ticket, newest first; the last entry is the report itself. */
export const Happened = ({
  of,
  ticket,
}: {
  readonly of: Report['entries'];
  readonly ticket: Report['ticket'];
}): JSX.Element => {
  const { me } = usePortal();
  const isOwn = (entry: Entry) => isSelf(me, entry.actor);
  return (
    <ol class="timeline">
      {of.toReversed().map((entry) => {
        const words = sentenceOf(entry, isOwn(entry));
        return (
          words !== null && (
            <li key={entry.id} class={entry.kind === 'note' ? 'accent' : 'good'}>
              <div class="head">
                <strong>{words}</strong>
                <span class="faint small">
                  <At at={entry.at} />
                </span>
              </div>
              {entry.body !== undefined && <Written text={entry.body} />}
            </li>
          )
        );
      })}
      <li key="reported" class="good">
        <div class="head">
          <strong>{movedWords('new', true)}</strong>
          <span class="faint small">
            <At at={ticket.createdAt} />
          </span>
        </div>
        <Written text={ticket.description} />
      </li>
    </ol>
  );
};

/** `null`: the entry does not concern the reporter. */
const sentenceOf = (entry: Entry, isOwn: boolean): string | null => {
  if (entry.kind === 'note') return isOwn ? 'You wrote' : 'The service desk wrote';
  if (entry.kind === 'state') return movedWords(entry.to as State, isOwn);
  if (entry.kind === 'attachment' && entry.to !== null && entry.to !== undefined)
    return isOwn ? 'You added a photo' : 'The service desk added a file';
  return null;
};
