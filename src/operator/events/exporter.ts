import type { EventStore } from '../../engine/log/event-store.ts';
import { eventLine, Checksum, lineText, type Header } from './file.ts';
import type { Output } from './output.ts';
import type { Sealing } from './sealing.ts';
import { walked } from './walk.ts';

export interface Export {
  readonly header: Header;
  /** Whether the header is already in the file. */
  readonly begun: boolean;
  /** The checksum of the lines already in the file. */
  readonly checksum: Checksum;
  /** Default: events are written as they are stored. */
  readonly sealing?: Sealing | null;
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, share: number | null) => void;
}

/**
 * Appends the log as it is now to the file. Holds one batch at a time.
 *
 * @returns Whether the file is complete; `false` after an abort, when the export can be resumed.
 */
export const exported = async (
  log: EventStore,
  { header, begun, checksum, sealing, signal, onProgress }: Export,
  output: Output,
): Promise<boolean> => {
  if (!begun) await output.write(addedTo(checksum, lineText(header)));
  const walk = {
    after: checksum.position ?? header.after,
    categories: header.categories,
    signal,
    onShare: (share: number | null) => onProgress?.(checksum.events, share),
  };
  const batches = walked(log, walk);
  for await (const events of sealing ? sealing.sealed(batches, signal) : batches) {
    const lines: string[] = [];
    for (const event of events) {
      const text = eventLine(event);
      lines.push(text);
      checksum.event(text, event.position);
      if (checksum.markIsDue) lines.push(addedTo(checksum, lineText({ mark: checksum.sum })));
    }
    await output.write(lines.join(''));
  }
  if (signal.aborted) return false;
  await output.write(lineText({ trailer: checksum.sum }));
  return true;
};

const addedTo = (checksum: Checksum, text: string): string => {
  checksum.add(text);
  return text;
};
