/** The photos of a form: one that is still being made smaller is sent too. */
import { useRef, useState } from 'preact/hooks';
import { photoOf, type Photo } from './photo.ts';

/** Of one report or note. */
export const PHOTOS_MAX = 3;

export interface Photos {
  /** Those that are ready. */
  readonly ready: readonly Photo[];
  /** Why the last choice was not taken. */
  readonly error: unknown;
  readonly take: (files: readonly File[]) => void;
  readonly remove: (photo: Photo) => void;
  readonly clear: () => void;
  /** @throws why one that was not ready yet cannot be sent. */
  readonly chosen: () => Promise<readonly Photo[]>;
}

type Change = (before: readonly Photo[]) => readonly Photo[] | Promise<readonly Photo[]>;

export const usePhotos = (): Photos => {
  const [ready, setReady] = useState<readonly Photo[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const failure = useRef<unknown>(undefined);
  /** One change after the other. */
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
  return {
    ready,
    error,
    take(files) {
      setError(undefined);
      change(async (before) =>
        [...before, ...(await Promise.all(files.map(photoOf)))].slice(0, PHOTOS_MAX),
      );
    },
    remove: (photo) => change((before) => before.filter((other) => other !== photo)),
    clear: () => change(() => []),
    async chosen() {
      const known = failure.current;
      const photos = await last.current;
      if (failure.current !== known) throw failure.current;
      return photos;
    },
  };
};
