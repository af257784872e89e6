/** The bulk actions on the selected tickets, and their outcome. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useSubmission } from '../../loading.ts';
import { to } from '../../router.ts';
import { Button, Dialog, Form } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { reasonOf } from './bulk-request.ts';
import { BULK_MAX, type BulkJob } from './bulk.ts';
import type { Member } from './pickers.tsx';
import type { Ticket } from './words.tsx';

export const SelectionBar = ({
  selected,
  total,
  isCapped,
  onAll,
  onPick,
  onCategory,
  onNote,
  onClear,
}: {
  readonly selected: readonly Ticket[];
  /** The number of search results. */
  readonly total: number;
  readonly isCapped: boolean;
  readonly onAll: () => Promise<void>;
  readonly onPick: (member: Member, anchor: HTMLElement) => void;
  readonly onCategory: () => void;
  readonly onNote: () => void;
  readonly onClear: () => void;
}): JSX.Element => {
  const selecting = useSubmission(onAll);
  const totalText = isCapped
    ? `more than ${total.toLocaleString('en')}`
    : total.toLocaleString('en');
  const most = BULK_MAX.toLocaleString('en');
  const pick = (member: Member) => (event: MouseEvent) =>
    onPick(member, event.currentTarget as HTMLElement);
  return (
    <section class="bulk" aria-label="Selected tickets">
      <p role="status">
        <strong>{selected.length.toLocaleString('en')}</strong> selected
      </p>
      {total > selected.length && selected.length < BULK_MAX && (
        <Button kind="quiet" isBusy={selecting.isBusy} onPress={selecting.submit}>
          {total > BULK_MAX ? `First ${most} of ${totalText}` : `All ${totalText} of this search`}
        </Button>
      )}
      <div class="row">
        {(['assignee', 'state', 'priority'] as const).map((member) => (
          <button key={member} type="button" class="button" onClick={pick(member)}>
            {NAMES[member]}
          </button>
        ))}
        <Button onPress={onCategory}>Category</Button>
        <Button onPress={onNote}>Note</Button>
        <Button kind="quiet" onPress={onClear}>
          Clear selection
        </Button>
      </div>
      <Trouble error={selecting.error} />
    </section>
  );
};

const NAMES: Readonly<Record<Member, string>> = {
  assignee: 'Assign',
  state: 'State',
  priority: 'Priority',
};

export const JobPanel = ({
  of: job,
  onAgain,
  onUndo,
  onClose,
}: {
  readonly of: BulkJob;
  readonly onAgain: () => void;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}): JSX.Element => {
  const { words, total, done, refused, isRunning, error, undoable } = job;
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return (
    <section class="bulk" aria-label="Progress">
      <p role="status">
        <strong>{words}:</strong> {count}
        {refused.length > 0 && `, ${refused.length.toLocaleString('en')} refused`}
      </p>
      {isRunning && <progress max={total} value={done + refused.length} aria-label={words} />}
      <Trouble error={error} {...(!isRunning && { again: onAgain })} />
      {refused.length > 0 && (
        <details>
          <summary>Refused tickets</summary>
          <ul class="refused">
            {refused.map(({ ticket, code }) => (
              <li key={ticket.id}>
                <a href={to(['tickets', ticket.id])}>{ticket.number}</a>: {reasonOf(code)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {!isRunning && (
        <div class="row">
          {undoable > 0 && (
            <Button onPress={onUndo}>
              {undoable === done ? 'Undo' : `Undo ${undoable.toLocaleString('en')}`}
            </Button>
          )}
          <Button kind="quiet" onPress={onClose}>
            Close
          </Button>
        </div>
      )}
    </section>
  );
};

export const CategoryForAll = ({
  count,
  onCategory,
  onClose,
}: {
  readonly count: number;
  readonly onCategory: (category: string | null) => void;
  readonly onClose: () => void;
}): JSX.Element => {
  const [category, setCategory] = useState('');
  const setting = useSubmission(async () => {
    onCategory(category.trim() === '' ? null : category);
    onClose();
  });
  return (
    <Dialog title={`Category of ${count.toLocaleString('en')} tickets`} onClose={onClose}>
      <Form of={setting} submitLabel="Set category" onCancel={onClose}>
        <TextField
          label="Category"
          value={category}
          onValue={setCategory}
          maxLength={200}
          hint="Blank: none."
        />
      </Form>
    </Dialog>
  );
};
