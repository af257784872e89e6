/** Files that go with a form: chosen now, sent with it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { bytesText } from '../bytes.ts';
import { Button } from '../ui/controls.tsx';
import { useUnsaved } from '../ui/unsaved.tsx';
import { FilePick } from './file-drop.tsx';
import { heldBy, namedFile, refusalOf } from './files.ts';

export interface ChosenFiles {
  readonly files: readonly File[];
  /** Why files were rejected, as sentences. */
  readonly refused: readonly string[];
  /** A part of the `Idempotency-Key` of a command with exactly these files. */
  readonly key: string;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (file: File) => void;
  readonly clear: () => void;
}

export const useChosenFiles = (): ChosenFiles => {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const key = useRef(crypto.randomUUID());
  const become = (next: readonly File[]) => {
    key.current = crypto.randomUUID();
    setFiles(next);
  };
  const clear = () => {
    become([]);
    setRefused([]);
  };
  // Drafts do not store files.
  useUnsaved(files.length > 0, clear, {
    title: 'Leave without the files?',
    leave: 'Leave',
    stay: 'Stay',
  });
  return {
    files,
    refused,
    key: key.current,
    add(added) {
      const accepted = [...files];
      const sentences: string[] = [];
      const at = new Date();
      for (const file of added.map((original) => namedFile(original, at))) {
        const held = heldBy(accepted.map(({ size }) => ({ bytes: size })));
        const words = refusalOf(file, held);
        if (words === null) accepted.push(file);
        else sentences.push(`${file.name}: ${words}`);
      }
      setRefused(sentences);
      become(accepted);
    },
    remove: (file) => become(files.filter((other) => other !== file)),
    clear,
  };
};

/** @param sent Upload progress from 0 to 1; `null`: the server does not answer. */
export const ChosenFileList = ({
  of: { files, refused, add, remove },
  sent,
  onCancel,
}: {
  readonly of: ChosenFiles;
  readonly sent: number | null | undefined;
  readonly onCancel: () => void;
}): JSX.Element => (
  <div class="chosen-files">
    {files.length > 0 && (
      <ul class="attachments" aria-label="Files of the note">
        {files.map((file, at) => (
          <li key={`${at} ${file.name}`}>
            <div class="attachment-words">
              <span>{file.name}</span>
              <span class="faint small">{bytesText(file.size)}</span>
            </div>
            {sent === undefined && (
              <Button
                kind="quiet"
                icon="close"
                label={`Leave out ${file.name}`}
                onPress={() => remove(file)}
              />
            )}
          </li>
        ))}
      </ul>
    )}
    {refused.length > 0 && (
      <ul class="small bad-words" role="alert">
        {refused.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    )}
    {sent === undefined ? (
      <div class="row">
        <FilePick label="Add files" hint="Or drop or paste them here." onFiles={add} />
      </div>
    ) : (
      <div class="row nowrap">
        <progress aria-label="Sent of the note" {...(sent !== null && { value: sent, max: 1 })} />
        {sent === null && <span class="small">The server does not respond. Retrying…</span>}
        <Button onPress={onCancel}>Cancel</Button>
      </div>
    )}
  </div>
);
