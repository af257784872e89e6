/** The photos of a form, including those that are still being reduced when it is sent. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WaitingPhoto } from '../../outbox/waiting.ts';
import { photoOf, type Photo } from './photo.ts';

/** Photos per report or note. */
export const PHOTOS_MAX = 3;

export interface Photos {
  /** Photos that have been processed. */
  readonly ready: readonly Photo[];
  /** Why the last chosen file was rejected. */
  readonly error: unknown;
  readonly take: (files: readonly File[]) => void;
  readonly remove: (photo: Photo) => void;
  readonly clear: () => void;
  /** Waits until all are processed. @throws if one of them cannot be sent. */
  readonly chosen: () => Promise<readonly Photo[]>;
}

type Change = (before: readonly Photo[]) => readonly Photo[] | Promise<readonly Photo[]>;

/** @param initial Photos that are taken when the form is opened. */
export const usePhotos = (initial: readonly WaitingPhoto[] = []): Photos => {
  const [ready, setReady] = useState<readonly Photo[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const failure = useRef<unknown>(undefined);
  /** Changes are applied in sequence. */
  const last = useRef<Promise<readonly Photo[]>>(Promise.resolve([]));
  const change = (by: Change) => {
    last.current = last.current.then(async (before) => {
      try {
        const after = await by(before);
        setReady(after);
        return after;
      } catch (reason) {
        failure.current = reason;
        setError(reason);
        return before;
      }
    });
  };
  const take = (files: readonly File[]) => {
    setError(undefined);
    change(async (before) =>
      [...before, ...(await Promise.all(files.map(photoOf)))].slice(0, PHOTOS_MAX),
    );
  };
  useEffect(
    () => take(initial.map(({ blob, name }) => new File([blob], name, { type: blob.type }))),
    [],
  );
  return {
    ready,
    error,
    take,
    remove: (photo) => change((before) => before.filter((other) => other !== photo)),
    clear: () => change(() => []),
    async chosen() {
      const previous = failure.current;
      const photos = await last.current;
      if (failure.current !== previous) throw failure.current;
      return photos;
    },
  };
};
