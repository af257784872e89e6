/** Items that wait in the outbox, and those that the server has refused. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useOutbox } from '../../outbox/use-outbox.ts';
import type { OutboxItem } from '../../outbox/outbox.ts';
import { Button } from '../../ui/controls.tsx';
import { clockTime } from '../../ui/times.tsx';
import { changeAddress, isChangeable } from './change-item.ts';

/**
 * @param ticketId Items of this ticket only; absent: all.
 * @param onSent Called when the server has accepted another item.
 */
export const Unsent = ({
  ticketId,
  onSent,
}: {
  readonly ticketId?: string;
  readonly onSent: () => void;
}): JSX.Element | null => {
  const { items } = useOutbox();
  const shown = items.filter((item) => ticketId === undefined || ticketOf(item) === ticketId);
  // Every acknowledgement reduces this number.
  const steps = shown.reduce(
    (sum, { photos, ticketId: created }) => sum + photos.length + (created === null ? 1 : 0),
    0,
  );
  const before = useRef(steps);
  useEffect(() => {
    if (steps < before.current) onSent();
    before.current = steps;
  }, [steps, onSent]);
  if (shown.length === 0) return null;
  return (
    <ul class="unsent" aria-label="Not sent yet">
      {shown.map((item) => (
        <Item key={item.id} of={item} />
      ))}
    </ul>
  );
};

const ticketOf = ({ ticketId, command }: OutboxItem): string | null =>
  command.kind === 'note' ? command.ticketId : ticketId;

const Item = ({ of: item }: { readonly of: OutboxItem }): JSX.Element => {
  const { outbox } = useOutbox();
  const { id, at, command, photos, sent, refusal, isKept } = item;
  const text = command.kind === 'report' ? command.body.description : command.body;
  return (
    <li>
      <p role="status">
        <strong>{wordsOf(item)}</strong>
      </p>
      {sent !== null && item.ticketId !== null && (
        <progress value={sent} max={1} aria-label="Photo" />
      )}
      {item.ticketId === null && <p class="written">{text}</p>}
      <p class="faint small">
        {clockTime(at)}
        {photos.length > 0 &&
          `, with ${photos.length === 1 ? 'a photo' : `${photos.length} photos`}`}
        {!isKept && '. Leave this page open: this browser cannot save it.'}
      </p>
      {refusal !== null && <p class="field-error">{refusal}</p>}
      {sent === null && (
        <div class="row">
          {isChangeable(item) && (
            <a class="button" href={changeAddress(item)}>
              Change it
            </a>
          )}
          <Button onPress={() => (refusal === null ? outbox.wake() : outbox.again(id))}>
            Send it now
          </Button>
          <Button kind="quiet" onPress={() => outbox.discard(id)}>
            Discard
          </Button>
        </div>
      )}
    </li>
  );
};

const wordsOf = ({ command, ticketId, sent, refusal }: OutboxItem): string => {
  const what = ticketId !== null ? 'The photo' : command.kind === 'report' ? 'Report' : 'Answer';
  if (refusal !== null) return `${what}: not accepted`;
  return sent === null ? `${what}: waiting to be sent` : `${what}: being sent`;
};
