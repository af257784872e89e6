/** Imports a building from a file: the dry run, the import, then what was left out and why. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { rolesFor } from '../../role-names.ts';
import { to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Card, PageHead } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { useUnsaved, type UnsavedQuestion as Question } from '../../ui/unsaved.tsx';
import { BuildingChoice, ModeChoice, ModelName } from './choices.tsx';
import { CountTable, Remarks } from './count-table.tsx';
import { countRows, isNothing, type Preview } from './counts.ts';
import { FileField } from './file-field.tsx';
import { ImportTrouble } from './import-trouble.tsx';
import { ImportReport } from './report.tsx';
import { RunProgress } from './run-progress.tsx';
import { StoreyMatches } from './storey-matches.tsx';
import { useImport, type Importing } from './use-import.ts';

const any = new Intl.ListFormat('en', { type: 'disjunction' });

export const ImportPage = (): JSX.Element => {
  const { may } = usePortal();
  const [, first] = useRoute().path;
  const buildingId = first === 'import' ? null : first!;
  if (!may('platform.buildings:write'))
    return (
      <>
        <PageHead title="Import a building" above={[to(['buildings']), 'Buildings']} />
        <Empty title="Your role cannot import buildings">
          <p>
            It needs the role {any.format(rolesFor['platform.buildings:write'])}, which an
            administrator can give you.
          </p>
        </Empty>
      </>
    );
  return buildingId === null ? <NewBuilding /> : <IntoBuilding id={buildingId} />;
};

const NewBuilding = (): JSX.Element => (
  <>
    <PageHead
      title="Import a building"
      above={[to(['buildings']), 'Buildings']}
      lead="Its storeys, rooms, equipment and points come from a file. It becomes a new building."
    />
    <Import into={null} />
  </>
);

const IntoBuilding = ({ id }: { readonly id: string }): JSX.Element => {
  const { api } = usePortal();
  const building = useLoaded(
    async (signal) => {
      const params = { path: { buildingId: id } };
      return (await api.GET('/api/v1/buildings/{buildingId}', { params, signal })).data;
    },
    [api, id],
  );
  return (
    <Show of={building}>
      {({ name, models }) => (
        <>
          <PageHead
            title={`Import into ${name}`}
            above={[to(['buildings', id]), name]}
            lead="A file adds to this building or replaces it."
          />
          <Import into={{ id, models }} />
        </>
      )}
    </Show>
  );
};

/** @param into `null`: a new building. */
const Import = ({
  into,
}: {
  readonly into: Pick<Schemas['Building'], 'id' | 'models'> | null;
}): JSX.Element => {
  const buildingId = into?.id ?? null;
  const importing = useImport(buildingId);
  const { step, chosen, choices, error } = importing;
  const isRunning = step.name === 'checking' || step.name === 'importing';
  const isReplaced = buildingId !== null && choices.mode === 'replace';
  useUnsaved(isRunning, importing.cancel, questionOf(importing));
  if (step.name === 'done')
    return (
      <Section title="Imported">
        <ImportReport of={step.report} isReplaced={isReplaced} onRestart={importing.restart} />
      </Section>
    );
  return (
    <>
      <Card>
        <div class="stack">
          <FileField chosen={chosen} isDisabled={isRunning} onFiles={importing.choose} />
          {into !== null && (
            <>
              <ModelName of={importing} models={into.models} isDisabled={isRunning} />
              <ModeChoice of={importing} isDisabled={isRunning} />
            </>
          )}
          <ImportTrouble error={error} />
          <BuildingChoice of={importing} isDisabled={isRunning} />
          {step.name === 'choosing' && (
            <div class="form-end import-check">
              <p class="hint">
                The check uploads the file without changing anything. The import uploads it again.
              </p>
              <Button kind="primary" isDisabled={chosen === null} onPress={importing.check}>
                Check the file
              </Button>
            </div>
          )}
        </div>
      </Card>
      {step.name === 'checking' && (
        <Section title="Checking the file">
          <Card>
            <RunProgress run={step.run} isDryRun onCancel={importing.cancel} />
          </Card>
        </Section>
      )}
      {step.name === 'importing' && (
        <Section title="Importing">
          <Card>
            <RunProgress run={step.run} isDryRun={false} onCancel={importing.cancel} />
          </Card>
        </Section>
      )}
      {step.name === 'checked' && (
        <Section title="What the import would do">
          <Checked
            of={importing}
            preview={step.preview}
            buildingId={buildingId}
            isReplaced={isReplaced}
          />
        </Section>
      )}
    </>
  );
};

const questionOf = ({ step }: Importing): Question =>
  step.name === 'importing' && step.run.progress.at !== 'uploading'
    ? {
        title: 'Leave during the import?',
        detail: 'The file has been sent, and the import continues without this page.',
        leave: 'Leave',
        stay: 'Stay',
      }
    : {
        title: 'Stop the upload?',
        detail: 'An incomplete upload is not imported.',
        leave: 'Stop and leave',
        stay: 'Stay',
      };

/** Takes the focus, because the pressed button is gone and this is its result. */
const Section = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [title]);
  return (
    <section class="import-step">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
};

const Checked = ({
  of: importing,
  preview,
  buildingId,
  isReplaced,
}: {
  readonly of: Importing;
  readonly preview: Preview;
  readonly buildingId: string | null;
  readonly isReplaced: boolean;
}): JSX.Element => {
  const isNew = buildingId === null;
  const { model } = importing.choices;
  const rows = countRows(preview, isReplaced);
  const isRemoving = rows.some(({ removed }) => removed > 0);
  const nothing = isNew
    ? 'The building in the file has no storeys.'
    : 'The building already has everything in the file: nothing would change.';
  const whole = model === '' ? 'Replace the building' : `Replace the model ${model}`;
  return (
    <Card>
      <div class="stack">
        {isNothing(rows) ? (
          <p>{nothing}</p>
        ) : (
          <CountTable of={preview} isReplaced={isReplaced} caption="What the import would do" />
        )}
        {!isNew && model !== '' && (
          <StoreyMatches of={importing} matches={preview.storeys} buildingId={buildingId} />
        )}
        <Remarks of={preview} isDone={false} />
        <div class="form-end">
          <Button kind={isRemoving ? 'danger' : 'primary'} onPress={importing.go}>
            {isNew ? 'Import as a new building' : isReplaced ? whole : 'Import'}
          </Button>
        </div>
      </div>
    </Card>
  );
};
