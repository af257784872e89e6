/** The photos of a form, including those that are still being reduced when it is sent. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { draftsOf } from '../../drafts.ts';
import type { Values } from '../../form-content.ts';
import type { FormState } from '../../form.ts';
import type { WaitingPhoto } from '../../outbox/waiting.ts';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { photoOf, type Photo } from './photo.ts';

/** Photos per report or note. */
export const PHOTOS_MAX = 3;

export interface Photos {
  /** Photos that have been processed. */
  readonly ready: readonly Photo[];
  /** Photos that an earlier page has lost, as drafts store none: they have to be chosen again. */
  readonly lost: number;
  readonly forgetLost: () => void;
  /** Why the last chosen file was rejected. */
  readonly error: unknown;
  readonly take: (files: readonly File[]) => void;
  readonly remove: (photo: Photo) => void;
  readonly clear: () => void;
  /** Waits until all are processed. @throws if one of them cannot be sent. */
  readonly chosen: () => Promise<readonly Photo[]>;
}

export interface PhotosOfForm<Of extends Values> extends Photos {
  /** The state of the form, whose input is discarded with its photos. */
  readonly draft: FormState<Of>;
}

type Change = (before: readonly Photo[]) => readonly Photo[] | Promise<readonly Photo[]>;

/**
 * @param name Of the form's draft.
 * @param initial Photos that are taken when the form is opened.
 */
export const usePhotos = <Of extends Values>(
  form: FormState<Of>,
  name: string,
  initial: readonly WaitingPhoto[] = [],
): PhotosOfForm<Of> => {
  const [ready, setReady] = useState<readonly Photo[]>([]);
  const [isChanged, setChanged] = useState(false);
  /** Photos that were taken and are still being reduced. */
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<unknown>(undefined);
  const failure = useRef<unknown>(undefined);
  /** Changes are applied in sequence. */
  const last = useRef<Promise<readonly Photo[]>>(Promise.resolve([]));
  const change = (by: Change, taken = 0) => {
    setPending((count) => count + taken);
    last.current = last.current.then(async (before) => {
      try {
        const after = await by(before);
        setReady(after);
        return after;
      } catch (reason) {
        failure.current = reason;
        setError(reason);
        return before;
      } finally {
        setPending((count) => count - taken);
      }
    });
  };
  const add = (files: readonly File[]) =>
    change(
      async (before) =>
        [...before, ...(await Promise.all(files.map(photoOf)))].slice(0, PHOTOS_MAX),
      files.length,
    );
  useEffect(
    () => add(initial.map(({ blob, name }) => new File([blob], name, { type: blob.type }))),
    [],
  );
  const count = useCountDraft(name);
  const clear = () => {
    setChanged(false);
    count.remove();
    change(() => []);
  };
  const photos = Math.min(ready.length + pending, PHOTOS_MAX);
  // A removed photo of a report that is edited is a change too.
  const isUnsaved = isChanged && photos + initial.length > 0;
  useEffect(() => {
    if (!isChanged) return;
    if (photos > 0) count.write(photos);
    else count.remove();
  }, [isChanged, photos]);
  const discard = () => {
    form.discard();
    clear();
  };
  const changed = photos > 0 ? 'the photos' : 'the removal of the photos';
  useUnsaved(isUnsaved, discard, {
    title: `Discard ${form.isDirty ? 'what you typed and ' : ''}${changed}?`,
    leave: 'Discard',
    stay: 'Keep editing',
  });
  return {
    // One question is about both.
    draft: { ...form, isDirty: form.isDirty && !isUnsaved, discard },
    ready,
    lost: isChanged ? 0 : count.found,
    forgetLost: count.remove,
    error,
    take(files) {
      setError(undefined);
      setChanged(true);
      add(files);
    },
    remove(photo) {
      setChanged(true);
      change((before) => before.filter((other) => other !== photo));
    },
    clear,
    async chosen() {
      const previous = failure.current;
      const photos = await last.current;
      if (failure.current !== previous) throw failure.current;
      return photos;
    },
  };
};

/** A draft of how many photos a form has. */
const useCountDraft = (form: string) => {
  const { me } = usePortal();
  const { id } = me.actor;
  const name = `${form}/photos`;
  const drafts = useMemo(() => draftsOf([id, me.organisation]), [id, me.organisation]);
  const [found, setFound] = useState(() => drafts.read<number>(name)?.content ?? 0);
  return {
    /** What an earlier page has left. */
    found,
    write: (count: number) => void drafts.write(name, count),
    remove() {
      setFound(0);
      drafts.remove(name);
    },
  };
};
