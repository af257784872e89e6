/** The uploads of a page: one per file, until the file is attached or the upload is cancelled. */
import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { usePortal } from '../context.ts';
import { failureOf, heldBy, namedFile, refusalOf, type Attachment } from './files.ts';
import { sendFile, type Readers } from './sending.ts';

/** Concurrent uploads; the server accepts four per caller. */
const AT_ONCE = 3;

export interface FileUpload {
  readonly id: number;
  readonly file: File;
  readonly readers: Readers;
  /** `refused` is final; `failed` can be retried. */
  readonly phase: 'waiting' | 'sending' | 'failed' | 'refused';
  /** From 0 to 1; `null`: the server does not answer. */
  readonly sent: number | null;
  /** Why it was refused or failed. */
  readonly words: string;
}

export interface Uploads {
  readonly items: readonly FileUpload[];
  /** Uploads waiting or in progress. */
  readonly underWay: number;
  readonly add: (files: readonly File[], readers: Readers) => void;
  /** Aborts the upload, or removes it from the list. */
  readonly cancel: (id: number) => void;
  /** Retries under the same `Idempotency-Key`: a file that has arrived is not attached twice. */
  readonly retry: (id: number) => void;
  readonly cancelAll: () => void;
}

interface Entry extends FileUpload {
  readonly key: string;
  readonly ending: AbortController;
}

interface Parts {
  readonly ticketId: string;
  readonly held: readonly Pick<Attachment, 'bytes'>[];
  readonly onAttached: (attachment: Attachment) => void;
}

export const useUploads = (parts: Parts): Uploads => {
  const { session } = usePortal();
  const [, render] = useReducer<number, undefined>((times) => times + 1, 0);
  const latest = useRef(parts);
  latest.current = parts;
  const queue = useMemo(() => {
    let entries: readonly Entry[] = [];
    let made = 0;
    const show = (next: readonly Entry[]) => {
      entries = next;
      render(undefined);
    };
    const change = (id: number, some: Partial<Entry>) =>
      show(entries.map((entry) => (entry.id === id ? { ...entry, ...some } : entry)));
    const remove = (id: number) => show(entries.filter((entry) => entry.id !== id));

    const sendNext = () => {
      if (entries.filter(({ phase }) => phase === 'sending').length >= AT_ONCE) return;
      const next = entries.find(({ phase }) => phase === 'waiting');
      if (next === undefined) return;
      void sent(next);
      sendNext();
    };
    const sent = async ({ id, file, readers, key, ending: { signal } }: Entry) => {
      change(id, { phase: 'sending', sent: 0 });
      const onProgress = (fraction: number | null) => change(id, { sent: fraction });
      try {
        const { ticketId } = latest.current;
        const sending = { key, onProgress, signal };
        const attachment = await sendFile(session, ticketId, { file, readers }, sending);
        remove(id);
        latest.current.onAttached(attachment);
      } catch (error) {
        if (!signal.aborted) change(id, { phase: 'failed', words: failureOf(error) });
      }
      sendNext();
    };

    return {
      entries: () => entries,
      add(files: readonly File[], readers: Readers) {
        const at = new Date();
        for (const chosen of files) {
          const file = namedFile(chosen, at);
          const pending = entries.filter(({ phase }) => phase !== 'refused');
          const held = heldBy([
            ...latest.current.held,
            ...pending.map(({ file: { size } }) => ({ bytes: size })),
          ]);
          const words = refusalOf(file, held);
          made += 1;
          show([
            ...entries,
            {
              id: made,
              file,
              readers,
              phase: words === null ? 'waiting' : 'refused',
              sent: 0,
              words: words ?? '',
              key: crypto.randomUUID(),
              ending: new AbortController(),
            },
          ]);
        }
        sendNext();
      },
      cancel(id: number) {
        entries.find((entry) => entry.id === id)?.ending.abort(new Cancelled());
        remove(id);
        sendNext();
      },
      retry(id: number) {
        change(id, { phase: 'waiting', words: '' });
        sendNext();
      },
      cancelAll() {
        for (const { ending } of entries) ending.abort(new Cancelled());
        show([]);
      },
    };
  }, [session]);
  useEffect(() => queue.cancelAll, [queue]);
  const items = queue.entries();
  const underWay = items.filter(({ phase }) => phase === 'waiting' || phase === 'sending').length;
  return { ...queue, items, underWay };
};

class Cancelled extends Error {
  override name = 'Cancelled';
}
