import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { Button, Confirm, Dialog } from '../../ui/controls.tsx';
import { Empty, Show, Trouble } from '../../ui/notices.tsx';
import { At } from '../../ui/times.tsx';

interface ParkedItem {
  readonly stream: string;
  readonly error: string | null;
  readonly parkedAt: string;
  readonly skipped: number;
}

type Act = (kind: 'retry' | 'skip', stream: string) => Promise<void>;

/** Streams that are parked because an event could not be handled, until an operator decides. */
export const Parked = ({
  title,
  load,
  act,
  onClose,
}: {
  readonly title: string;
  readonly load: (signal: AbortSignal) => Promise<readonly ParkedItem[]>;
  readonly act: Act;
  readonly onClose: () => void;
}): JSX.Element => {
  const parked = useLoaded(load, [title]);
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <Show of={parked}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="Nothing is parked" />
          ) : (
            <ul class="stack">
              {items.map((item) => (
                <Item key={item.stream} of={item} act={act} onDone={parked.reload} />
              ))}
            </ul>
          )
        }
      </Show>
    </Dialog>
  );
};

const Item = ({
  of: { stream, error, parkedAt, skipped },
  act,
  onDone,
}: {
  readonly of: ParkedItem;
  readonly act: Act;
  readonly onDone: () => void;
}): JSX.Element => {
  const { may, say } = usePortal();
  const [isSkipAsked, setSkipAsked] = useState(false);
  const retrying = useSubmission(async () => {
    await act('retry', stream);
    say(`${stream} will be retried.`);
    onDone();
  });
  const skipping = useSubmission(async () => {
    await act('skip', stream);
    setSkipAsked(false);
    say(`${stream} is skipped.`);
    onDone();
  });
  return (
    <li class="card">
      <p>
        <code>{stream}</code>
      </p>
      <p class="small">{error}</p>
      <p class="faint small">
        parked <At at={parkedAt} />, {skipped} later events not processed
      </p>
      <Trouble error={retrying.error} />
      {may('platform.operations:write') && (
        <div class="row">
          <Button onPress={retrying.submit} isBusy={retrying.isBusy}>
            Retry
          </Button>
          <Button onPress={() => setSkipAsked(true)}>Skip</Button>
        </div>
      )}
      {isSkipAsked && (
        <Confirm
          title="Skip this stream?"
          words={`The event at which ${stream} is parked is left out for good.`}
          submitLabel="Skip it"
          of={skipping}
          onClose={() => setSkipAsked(false)}
        />
      )}
    </li>
  );
};
