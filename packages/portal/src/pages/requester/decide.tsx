/** The decisions of a ticket's reporter: to cancel it, to confirm the repair or to reject it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useForm } from '../../form.ts';
import { useSubmission, type Submission } from '../../loading.ts';
import { Button, Confirm, Dialog, Form } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import type { State } from '../tickets/words.tsx';
import type { Report } from './one.tsx';

type Decision = Extract<State, 'cancelled' | 'closed' | 'reopened'>;

export const Decide = ({
  of: { ticket, allowed },
  onDone,
}: {
  readonly of: Pick<Report, 'ticket' | 'allowed'>;
  readonly onDone: () => void;
}): JSX.Element | null => {
  const [asked, setAsked] = useState<Decision | null>(null);
  const close = () => setAsked(null);
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
        <Button kind="quiet" onPress={() => setAsked('cancelled')}>
          Cancel this report
        </Button>
        {asked === 'cancelled' && (
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
          <Button icon="close" onPress={() => setAsked('reopened')}>
            No, still broken
          </Button>
        )}
      </div>
      <Trouble error={closing.error} />
      {asked === 'reopened' && <StillBroken id={id} onClose={close} onDone={done} />}
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
  onClose,
  onDone,
}: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element => {
  const { api } = usePortal();
  const form = useForm(`report/${id}/still-broken`, { note: '' });
  const reopening = useSubmission(async () => {
    await api.POST('/api/service-desk/requests/{id}/transition', {
      params: { path: { id }, header: { 'Idempotency-Key': form.commandId } },
      body: { state: 'reopened', note: form.values.note },
    });
    form.sent();
    onDone();
  });
  return (
    <Dialog title="Still broken" onClose={onClose}>
      <Form of={reopening} draft={form} submitLabel="Send" onCancel={onClose}>
        <TextArea
          label="What is still broken?"
          isLabelHidden
          value={form.values.note}
          onValue={form.set('note')}
          rows={4}
          maxLength={20_000}
          isRequired
        />
      </Form>
    </Dialog>
  );
};
