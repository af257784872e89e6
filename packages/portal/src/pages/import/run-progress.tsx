/** The progress of an import or its dry run, and its state after a lost connection. */
import type { JSX } from 'preact';
import { Button } from '../../ui/controls.tsx';
import { bytesText } from '../../bytes.ts';
import type { RunState } from './run.ts';
import type { Progress } from './send.ts';

type At = Progress['at'];

const PHASES: Readonly<Record<At, string>> = {
  uploading: 'Uploading',
  sent: 'Waiting for the server',
  reading: 'Reading and checking the file',
  shapes: 'Reading shapes: rooms, walls, doors and windows',
  writing: 'Comparing with the building',
};

/** The possible effects of the lost attempt. */
const lostWords = (lostAt: At, isDryRun: boolean): string => {
  if (isDryRun) return 'The connection was lost. A check changes nothing.';
  // Browsers report upload progress with a delay.
  const when = lostAt === 'uploading' ? 'while the file was sent' : 'after the file was sent';
  return (
    `The connection was lost ${when}. Either everything was imported or nothing. The ` +
    'same import is repeated, and nothing is imported twice.'
  );
};

const phaseWords = (progress: Progress, isDryRun: boolean): string => {
  const nodes = 'nodes' in progress ? progress.nodes?.toLocaleString('en') : undefined;
  if (progress.at !== 'writing' || nodes === undefined) return PHASES[progress.at];
  return isDryRun ? `Comparing ${nodes} nodes` : `Writing ${nodes} nodes`;
};

export const RunProgress = ({
  run: { progress, lostAt, isWaiting },
  isDryRun,
  onCancel,
}: {
  readonly run: RunState;
  readonly isDryRun: boolean;
  readonly onCancel: () => void;
}): JSX.Element => {
  const isUploading = progress.at === 'uploading';
  const words = isWaiting
    ? 'The server does not respond. Retrying…'
    : phaseWords(progress, isDryRun);
  // Once the server has the whole file, also from an earlier attempt, the import may complete.
  const mayCancel = isDryRun || (isUploading && (lostAt === null || lostAt === 'uploading'));
  return (
    <div class="import-progress">
      {lostAt !== null && (
        <p class="notice" role="alert">
          {lostWords(lostAt, isDryRun)}
        </p>
      )}
      <p class="row nowrap">
        <span class="spinner" aria-hidden="true" />
        <span role="status">{isWaiting ? words : `${words}…`}</span>
        {progress.at === 'uploading' && !isWaiting && (
          <span class="faint">
            {bytesText(progress.sent)} of {bytesText(progress.total)}
          </span>
        )}
      </p>
      {progress.at === 'uploading' && !isWaiting ? (
        <progress max={progress.total} value={progress.sent} aria-label="Uploaded" />
      ) : (
        <progress aria-label={words} />
      )}
      <div class="row">
        {mayCancel ? (
          <Button onPress={onCancel}>Cancel</Button>
        ) : (
          <p class="hint">
            The file has been sent. The import finishes even if you leave this page.
          </p>
        )}
      </div>
    </div>
  );
};
