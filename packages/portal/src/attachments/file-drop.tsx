/**
 * File input by drag and drop onto a region, by paste anywhere on the page, or by a file picker.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

export const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

/** Keeps a file that is dropped outside a region from replacing the page. */
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

/** The files of a paste; none for text that was copied together with a picture of it. */
const pasted = ({ clipboardData }: ClipboardEvent): readonly File[] =>
  clipboardData === null || clipboardData.types.includes('text/plain')
    ? []
    : [...clipboardData.files];

/**
 * Receives files that are pasted outside a region of their own.
 *
 * @param onFiles `null`: no files are accepted.
 */
export const usePaste = (onFiles: ((files: readonly File[]) => void) | null): void => {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = pasted(event);
      if (event.defaultPrevented || files.length === 0 || latest.current === null) return;
      // A paste while a dialog is open is not meant for the page behind it.
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
  /** `null`: no files are accepted. */
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
            // Reset, so that the same file can be chosen again.
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
