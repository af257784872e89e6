/** File input by drag and drop, mouse or keyboard. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { hasFiles, useNoStrayDrops } from '../../attachments/file-drop.tsx';
import { Icon } from '../../ui/icons.tsx';
import { bytesText } from '../../bytes.ts';
import { FILE_BYTES_MAX, type ChosenFile, type Format } from './file.ts';

const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  ifc: 'IFC file',
  json: 'JSON document',
};

export const FileField = ({
  chosen,
  isDisabled,
  onFiles,
}: {
  readonly chosen: ChosenFile | null;
  readonly isDisabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element => {
  const id = useId();
  const [isOver, setOver] = useState(false);
  useNoStrayDrops();
  return (
    <div
      class={`drop${isOver && !isDisabled ? ' over' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!isDisabled) onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <Icon name="upload" />
      <div class="drop-words">
        {chosen ? (
          <p role="status">
            <strong>{chosen.file.name}</strong>
            <span class="faint">
              {' '}
              {FORMAT_WORDS[chosen.format]}, {bytesText(chosen.file.size)}
            </span>
          </p>
        ) : (
          <p>Drop an IFC or JSON file here, or</p>
        )}
        <label class="button drop-choose">
          <input
            type="file"
            class="visually-hidden"
            accept=".ifc,.stp,.step,.json,application/json,model/step,application/x-step"
            aria-describedby={`${id}-hint`}
            disabled={isDisabled}
            onChange={({ currentTarget: input }) => {
              onFiles([...(input.files ?? [])]);
              // Reset, so that the same file can be chosen again.
              input.value = '';
            }}
          />
          {chosen ? 'Choose another file' : 'Choose a file'}
        </label>
        <p class="hint" id={`${id}-hint`}>
          IFC2x3, IFC4 or IFC4x3 as STEP, or a JSON document; at most {bytesText(FILE_BYTES_MAX)}.
        </p>
      </div>
    </div>
  );
};
