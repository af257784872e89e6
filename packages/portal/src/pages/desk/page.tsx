import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { Card, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { TextArea } from '../../ui/fields.tsx';
import { Show, Trouble } from '../../ui/notices.tsx';
import { read, written, type Configuration } from './document.ts';
import { ConfigurationForm } from './form.tsx';
import { Simulation } from './simulate.tsx';

const ROWS = 32;

/** How tickets are routed and timed: as a form and as the document itself, side by side. */
export const DeskPage = (): JSX.Element => {
  const { api, say } = usePortal();
  const [text, setText] = useState('');
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const stored = useLoaded(
    async (signal) => {
      const { data, response } = await api.GET('/api/service-desk/configuration', { signal });
      return { configuration: data!, etag: response.headers.get('etag') };
    },
    [api],
  );
  /** What was loaded, or saved, last: only this is replaced, and nothing that was typed since. */
  const taken = useRef('');
  useEffect(() => {
    if (!stored.data) return;
    const [before, now] = [taken.current, written(stored.data.configuration)];
    taken.current = now;
    setText((shown) => (shown === before ? now : shown));
  }, [stored.data]);
  const saving = useSubmission(async () => {
    const etag = stored.data?.etag;
    const { data } = await api.PUT('/api/service-desk/configuration', {
      params: { header: etag ? { 'If-Match': etag } : {} },
      body: read(text),
    });
    taken.current = text;
    setWarnings(data!.warnings);
    say('The configuration is saved. It counts from the next ticket on.');
    stored.reload();
  });
  const isChanged = stored.data !== undefined && text !== written(stored.data.configuration);
  return (
    <>
      <PageHead
        title="Service desk"
        lead="Which times are promised, who is assigned by which rule, and where a ticket may go."
      >
        {isChanged && (
          <Button onPress={() => setText(written(stored.data!.configuration))}>Undo changes</Button>
        )}
        <Button
          kind="primary"
          onPress={saving.submit}
          isBusy={saving.isBusy}
          isDisabled={!isChanged}
        >
          Save
        </Button>
      </PageHead>
      <Trouble error={saving.error} />
      <Show of={stored}>
        {() => (
          <>
            {warnings.length > 0 && (
              <ul class="notice">
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            )}
            <Both text={text} onText={setText} />
          </>
        )}
      </Show>
    </>
  );
};

const parsed = (text: string): Configuration | Error => {
  try {
    return read(text);
  } catch (error) {
    return error as Error;
  }
};

const Both = ({
  text,
  onText,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
}): JSX.Element | null => {
  if (text === '') return null;
  const document = parsed(text);
  return (
    <div class="side-by-side">
      <div>
        {document instanceof Error ? (
          <Trouble error={document} />
        ) : (
          <>
            <ConfigurationForm of={document} onChange={(next) => onText(written(next))} />
            <Simulation of={document} />
          </>
        )}
      </div>
      <Card title="Document">
        <TextArea
          label="The configuration as JSON"
          isLabelHidden
          isCode
          rows={ROWS}
          value={text}
          onValue={onText}
        />
      </Card>
    </div>
  );
};
