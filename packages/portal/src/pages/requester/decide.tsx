/** The decisions of a ticket's reporter: to cancel it, to confirm the repair or to reject it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isPassing } from '../../../../sdk/src/problems.ts';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission, type Submission } from '../../loading.ts';
import { Button, Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import type { State } from '../tickets/words.tsx';
import type { Report } from './one.tsx';

type Decision = Extract<State, 'cancelled' | 'closed'>;

interface Parts {
  readonly of: Pick<Report, 'ticket' | 'allowed'>;
  readonly onDone: () => void;
}

export const Decide = ({ of, onDone }: Parts): JSX.Element => {
  const [isStillBroken, setStillBroken] = useState(false);
  const { ticket, allowed } = of;
  const close = () => setStillBroken(false);
  const done = () => {
    close();
    onDone();
  };
  return (
    <>
      <Decisions
        key={ticket.state}
        of={of}
        onDone={onDone}
        onStillBroken={() => setStillBroken(true)}
      />
      {/* Not in the part that begins anew with each state: its text stays. */}
      {isStillBroken && (
        <StillBroken
          id={ticket.id}
          isAllowed={allowed.includes('reopened')}
          onClose={close}
          onDone={done}
        />
      )}
    </>
  );
};

const Decisions = ({
  of: { ticket, allowed },
  onDone,
  onStillBroken,
}: Parts & { readonly onStillBroken: () => void }): JSX.Element => {
  const [isCancelAsked, setCancelAsked] = useState(false);
  const close = () => setCancelAsked(false);
  const done = () => {
    close();
    onDone();
  };
  const { id } = ticket;
  const cancelling = useDecision(id, 'cancelled', done);
  const closing = useDecision(id, 'closed', done);
  if (allowed.includes('cancelled'))
    return (
      <>
        <Button kind="quiet" onPress={() => setCancelAsked(true)}>
          Cancel this report
        </Button>
        {isCancelAsked && (
          <Confirm
            title="Cancel this report?"
            words="The service desk will not work on it."
            submitLabel="Cancel the report"
            of={cancelling}
            onClose={close}
          />
        )}
      </>
    );
  return (
    <>
      <div class="decide">
        {allowed.includes('closed') && (
          <Button kind="primary" icon="check" isBusy={closing.isBusy} onPress={closing.submit}>
            Yes, fixed
          </Button>
        )}
        {allowed.includes('reopened') && (
          <Button icon="close" onPress={onStillBroken}>
            No, still broken
          </Button>
        )}
      </div>
      <Trouble error={closing.error} />
    </>
  );
};

const useDecision = (id: string, state: Decision, onDone: () => void): Submission => {
  const { api } = usePortal();
  // A retry after a missing answer is the same command.
  const [key] = useState(() => crypto.randomUUID());
  return useSubmission(async () => {
    await api.POST('/api/service-desk/requests/{id}/transition', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { state },
    });
    onDone();
  });
};

const StillBroken = ({
  id,
  isAllowed,
  onClose,
  onDone,
}: {
  readonly id: string;
  /** False: the ticket was closed or reopened meanwhile. */
  readonly isAllowed: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const form = useForm(`report/${id}/still-broken`, { note: '' });
  const { note } = form.values;
  const reopening = useSubmission(async () => {
    if (isNote)
      await api.POST('/api/service-desk/requests/{id}/updates', {
        params: { path: { id }, header: { 'Idempotency-Key': `${form.commandId}.note` } },
        body: { body: note, visibility: 'public' },
      });
    else
      await api.POST('/api/service-desk/requests/{id}/transition', {
        params: { path: { id }, header: { 'Idempotency-Key': form.commandId } },
        body: { state: 'reopened', note },
      });
    form.sent();
    onDone();
  });
  // After a lost answer it may be this form that has reopened the ticket: it is repeated.
  const isRepeat = reopening.error !== undefined && isPassing(reopening.error);
  const isNote = !isAllowed && !isRepeat;
  return (
    <Dialog title="Still broken" onClose={onClose}>
      <Form
        of={reopening}
        draft={form}
        submitLabel={isNote ? 'Send as a note' : 'Send'}
        onCancel={onClose}
      >
        {isNote && (
          <p role="status">
            The status of this report has changed meanwhile. Your text can be sent as a note.
          </p>
        )}
        <TextArea
          label="What is still broken?"
          isLabelHidden
          value={note}
          onValue={form.set('note')}
          rows={4}
          maxLength={20_000}
          isRequired
        />
      </Form>
    </Dialog>
  );
};
