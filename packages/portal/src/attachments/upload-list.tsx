import type { JSX } from 'preact';
import { bytesText } from '../bytes.ts';
import { Button } from '../ui/controls.tsx';
import type { FileUpload, Uploads } from './use-uploads.ts';

/** Uploads in progress, and files that could not be attached. */
export const UploadList = ({ of: uploads }: { readonly of: Uploads }): JSX.Element => (
  <>
    <p class="visually-hidden" role="status">
      {uploads.underWay > 0 && `Files being sent: ${uploads.underWay}`}
    </p>
    {uploads.items.length > 0 && (
      <ul class="attachments uploads" aria-label="Attaching">
        {uploads.items.map((upload) => (
          <Row key={upload.id} of={upload} uploads={uploads} />
        ))}
      </ul>
    )}
  </>
);

const Row = ({
  of: { id, file, phase, sent, words },
  uploads,
}: {
  readonly of: FileUpload;
  readonly uploads: Uploads;
}): JSX.Element => {
  const isOver = phase === 'failed' || phase === 'refused';
  return (
    <li class={isOver ? 'bad' : undefined}>
      <div class="attachment-words">
        <span>{file.name}</span>
        {isOver ? (
          <span class="small" role="alert">
            Not attached: {words}
          </span>
        ) : (
          <>
            <span class="faint small">
              {sent === null ? 'The server does not respond. Retrying…' : stateOf(phase, sent)}
              {' · '}
              {bytesText(file.size)}
            </span>
            <progress
              aria-label={`Sent of ${file.name}`}
              {...(phase === 'sending' && sent !== null && { value: sent, max: 1 })}
            />
          </>
        )}
      </div>
      {phase === 'failed' && (
        <Button label={`Send ${file.name} again`} icon="reload" onPress={() => uploads.retry(id)} />
      )}
      <Button
        kind="quiet"
        icon="close"
        label={isOver ? `Dismiss ${file.name}` : `Cancel ${file.name}`}
        onPress={() => uploads.cancel(id)}
      />
    </li>
  );
};

const stateOf = (phase: FileUpload['phase'], sent: number): string => {
  if (phase === 'waiting') return 'Waiting';
  return sent === 1 ? 'Storing' : `${Math.floor(sent * 100)} %`;
};
