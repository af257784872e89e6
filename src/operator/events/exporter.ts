import type { EventStore } from '../../store/event-store.ts';
import { eventText, Seal, textOf, type Header } from './file.ts';
import type { Output } from './output.ts';
import { walked } from './walk.ts';

export interface Export {
  readonly header: Header;
  /** The file has its header already. */
  readonly begun: boolean;
  /** What is in the file already. */
  readonly seal: Seal;
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, share: number | null) => void;
}

/**
 * Writes the log as it is now, after what is in the file already. Holds one batch at a time.
 *
 * @returns Whether the file is complete: `false` after an abort, which leaves a file that can be
 *   resumed.
 */
export const exported = async (
  log: EventStore,
  { header, begun, seal, signal, onProgress }: Export,
  output: Output,
): Promise<boolean> => {
  if (!begun) await output.write(sealed(seal, textOf(header)));
  const walk = {
    after: seal.position ?? header.after,
    categories: header.categories,
    signal,
    onShare: (share: number | null) => onProgress?.(seal.events, share),
  };
  for await (const events of walked(log, walk)) {
    const lines: string[] = [];
    for (const event of events) {
      const text = eventText(event);
      lines.push(text);
      seal.event(text, event.position);
      if (seal.isDue) lines.push(sealed(seal, textOf({ mark: seal.sum })));
    }
    await output.write(lines.join(''));
  }
  if (signal.aborted) return false;
  await output.write(textOf({ trailer: seal.sum }));
  return true;
};

const sealed = (seal: Seal, text: string): string => {
  seal.add(text);
  return text;
};
