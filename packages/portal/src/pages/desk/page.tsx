import type { JSX } from 'preact';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import type { Unsent } from '../../form-content.ts';
import { useForm, type FormState } from '../../form.ts';
import { useLoaded, useSubmission } from '../../loading.ts';
import { PageHead } from '../../ui/content.tsx';
import { Conflicts } from '../../ui/conflicts.tsx';
import { Button, DraftNotice } from '../../ui/controls.tsx';
import { fieldErrorsOf } from '../../ui/error-words.ts';
import { Show, Trouble } from '../../ui/notices.tsx';
import { DialogContext, newDialogScope } from '../../ui/unsaved.tsx';
import { differencesIn } from './differences.ts';
import { parsed, read, written, type Configuration } from './document.ts';
import { Editors } from './editors.tsx';
import { HalfTyped } from './half-typed.ts';
import { mergeConfigurations, sectionIn, withSection } from './sections.ts';

/** Attempts against concurrent changes before the failure is reported. */
const ATTEMPTS_MAX = 5;

interface Stored {
  readonly configuration: Configuration;
  /** `null` if no configuration was ever saved. */
  readonly etag: string | null;
}

type DocumentText = { readonly text: string };

const storedIn = (configuration: Configuration, response: Response): Stored => ({
  configuration,
  etag: response.headers.get('etag'),
});

const revisionIn = (etag: string | null): number | null =>
  etag === null ? null : Number(etag.replaceAll('"', ''));

/** The form on a newer document, with what was typed since the last command. */
const rebasedDocument = (last: Unsent<DocumentText>, theirs: Stored): Unsent<DocumentText> => {
  const mine = parsed(last.values.text);
  // Half a document cannot be merged: the next command is refused again, and is then merged.
  if (mine instanceof Error) return last;
  const { text, conflicts } = mergeConfigurations(read(last.base.text), mine, theirs.configuration);
  return {
    base: { text: written(theirs.configuration) },
    revision: revisionIn(theirs.etag),
    values: { text },
    conflicts,
  };
};

const SECTION_NAMES: Readonly<Record<string, string>> = {
  slaPolicies: 'Service levels',
  calendars: 'Business hours',
  routingRules: 'Routing rules',
  workflows: 'Workflows',
  requestTypes: 'Request types',
  directory: 'People',
  requesterAccess: 'Who may report a problem',
  timeZone: 'Time zone of reports',
  personalDataMonths: 'Months until personal data expires',
};

/** The routing and timing of tickets: an editor for each part, and the document itself. */
export const DeskPage = (): JSX.Element => {
  const { api } = usePortal();
  const stored = useLoaded(
    async (signal) => {
      const { data, response } = await api.GET('/api/service-desk/configuration', { signal });
      return storedIn(data, response);
    },
    [api],
  );
  return <Show of={stored}>{(stored) => <Desk of={stored} />}</Show>;
};

const Desk = ({ of: opened }: { readonly of: Stored }): JSX.Element => {
  const { api, say } = usePortal();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const document = { text: written(opened.configuration) };
  const form = useForm('desk/configuration', document, revisionIn(opened.etag));
  const [halfTyped, addHalfTyped] = useReducer((sum: number, count: number) => sum + count, 0);
  /** Has the half-typed fields as inputs. */
  const editors = useMemo(newDialogScope, []);
  const discard = () => {
    form.discard();
    for (const discardField of editors.inputs) discardField();
  };
  const { text } = form.values;
  const send = async (body: Configuration, revision: number | null): Promise<void> => {
    const header =
      revision === null ? { 'If-None-Match': '*' as const } : { 'If-Match': `"${revision}"` };
    const path = '/api/service-desk/configuration';
    const { data, response } = await api.PUT(path, { params: { header }, body });
    const { warnings, ...configuration } = data;
    form.sent({ text: written(configuration) }, revisionIn(response.headers.get('etag')));
    setWarnings(warnings);
    say('The configuration is saved. It applies to new tickets.');
  };
  const saving = useSubmission(async () => {
    say('');
    let { revision } = form;
    let [base, mine] = [read(form.base.text), read(text)];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(mine, revision);
      } catch (error) {
        const isStale = AtriumError.is(error, 'PRECONDITION_FAILED');
        if (!isStale || attempt === ATTEMPTS_MAX) throw error;
      }
      const { data, response } = await api.GET('/api/service-desk/configuration');
      const theirs = storedIn(data, response);
      const merged = mergeConfigurations(base, mine, theirs.configuration);
      revision = revisionIn(theirs.etag);
      [base, mine] = [theirs.configuration, read(merged.text)];
      if (merged.conflicts.length === 0) continue;
      form.rebase((last) => rebasedDocument(last, theirs));
      return;
    }
  });
  return (
    <>
      <PageHead
        title="Service desk"
        lead="Service levels, routing rules and the workflow of tickets."
      >
        {(form.isDirty || halfTyped > 0) && <Button onPress={discard}>Undo changes</Button>}
        <Button
          kind="primary"
          onPress={saving.submit}
          isBusy={saving.isBusy}
          isDisabled={(!form.isDirty && form.conflicts.length === 0) || halfTyped > 0}
        >
          Save
        </Button>
      </PageHead>
      <DraftNotice of={{ ...form, discard }} />
      {fieldErrorsOf(saving.error).length === 0 && <Trouble error={saving.error} />}
      <SectionConflicts of={form} />
      {warnings.length > 0 && (
        <ul class="notice">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <HalfTyped.Provider value={addHalfTyped}>
        <DialogContext.Provider value={editors}>
          <Editors text={text} onText={form.set('text')} refusal={saving.error} />
        </DialogContext.Provider>
      </HalfTyped.Provider>
    </>
  );
};

/**
 * Mine and theirs of each section that both have changed; renders nothing while the text is not
 * JSON.
 */
const SectionConflicts = ({
  of: { conflicts, values, set },
}: {
  readonly of: FormState<DocumentText>;
}): JSX.Element | null => {
  const document = parsed(values.text);
  if (document instanceof Error) return null;
  const sections = conflicts.map(({ name }) => [name, sectionIn(document, name)]);
  return (
    <Conflicts
      of={{
        conflicts,
        values: Object.fromEntries(sections) as Readonly<Record<string, string>>,
        setAll: (chosen) => {
          for (const [name, section = ''] of Object.entries(chosen))
            set('text')(withSection(values.text, name, section));
        },
      }}
      labels={SECTION_NAMES}
      shown={(value, { mine, theirs, merged }) =>
        differencesIn(
          String(value),
          [mine, theirs, merged].filter((each) => typeof each === 'string'),
        )
      }
    />
  );
};
