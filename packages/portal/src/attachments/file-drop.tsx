/** Takes files in: dropped onto a region, pasted anywhere on the page, or picked. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

/** A file that is dropped beside a region would replace the page. */
export const useNoStrayDrops = (): void => {
  useEffect(() => {
    const keep = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    addEventListener('dragover', keep);
    addEventListener('drop', keep);
    return () => {
      removeEventListener('dragover', keep);
      removeEventListener('drop', keep);
    };
  }, []);
};

/** Of a paste; none where it is text that was copied together with its picture. */
const pasted = ({ clipboardData }: ClipboardEvent): readonly File[] =>
  clipboardData === null || clipboardData.types.includes('text/plain')
    ? []
    : [...clipboardData.files];

/**
 * Files that are pasted somewhere else than into a region of its own.
 *
 * @param onFiles `null`: none are taken.
 */
export const usePaste = (onFiles: ((files: readonly File[]) => void) | null): void => {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = pasted(event);
      if (event.defaultPrevented || files.length === 0 || latest.current === null) return;
      // What is behind a dialog is not meant.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      latest.current(files);
    };
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
};

/** A region that files are dropped onto and pasted into. */
export const FileDrop = ({
  onFiles,
  children,
}: {
  /** `null`: none are taken. */
  readonly onFiles: ((files: readonly File[]) => void) | null;
  readonly children: ComponentChildren;
}): JSX.Element => {
  useNoStrayDrops();
  const [isOver, setOver] = useState(false);
  if (onFiles === null) return <div>{children}</div>;
  return (
    <div
      class={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        const { currentTarget: region, relatedTarget: to } = event;
        if (!(to instanceof Node && region.contains(to))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
      onPaste={(event) => {
        const files = pasted(event);
        if (files.length === 0) return;
        event.preventDefault();
        onFiles(files);
      }}
    >
      {children}
      {isOver && (
        <p class="file-drop-words" aria-hidden="true">
          Drop to attach
        </p>
      )}
    </div>
  );
};

export const FilePick = ({
  label,
  hint,
  onFiles,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element => {
  const id = useId();
  return (
    <>
      <label class="button plain drop-choose">
        <input
          type="file"
          multiple
          class="visually-hidden"
          {...(hint !== undefined && { 'aria-describedby': id })}
          onChange={({ currentTarget: input }) => {
            onFiles([...(input.files ?? [])]);
            // The same file may be chosen again.
            input.value = '';
          }}
        />
        {label}
      </label>
      {hint !== undefined && (
        <span class="hint" id={id}>
          {hint}
        </span>
      )}
    </>
  );
};
