import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { download } from '../../download.ts';
import { useSubmission } from '../../loading.ts';
import { Button } from '../../ui/controls.tsx';
import { Trouble } from '../../ui/notices.tsx';

/** Downloads all data of a person, on their request or before it is erased. */
export const ExportPerson = ({
  of,
  isDisabled,
}: {
  /** The query of the export: `userId` or `email`. */
  readonly of: Readonly<Record<string, string>>;
  readonly isDisabled: boolean;
}): JSX.Element => {
  const { api } = usePortal();
  const path = `/api/v1/subjects/export?${new URLSearchParams(of).toString()}`;
  const exporting = useSubmission(() => download(api, path, 'application/x-ndjson', 'person'));
  return (
    <>
      <div class="row">
        <Button
          icon="download"
          onPress={exporting.submit}
          isBusy={exporting.isBusy}
          isDisabled={isDisabled}
        >
          Export
        </Button>
        <span class="small faint">All data of this person, as one file (NDJSON).</span>
      </div>
      <Trouble error={exporting.error} />
    </>
  );
};
