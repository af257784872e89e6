/** The stored files of attachments follow their events. contract.md section 5. */
import type { AttachmentEvent } from '../../domain/tickets/attachments.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import { leasedWorker } from '../../engine/consumers/leased-worker.ts';
import { workId } from '../../engine/consumers/consumer.ts';
import type { ConsumerRunner } from '../../engine/consumers/runtime.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { done } from '../../engine/processes/outcome.ts';
import type { Process } from '../../engine/processes/process.ts';
import { systemClock, type Clock } from '../../engine/time/clock.ts';
import type { FileReference, FileReferences } from '../../files/references.ts';
import { FILE_SWEEP_MS } from '../../files/limits.ts';
import { sweepFiles, type SweepParts } from '../../files/sweep.ts';

interface FileEffect {
  readonly kind: 'record' | 'release';
  readonly reference: FileReference;
}

/**
 * Records which stored files attachments reference, and removes unreferenced ones. Its rows are
 * rebuilt from the log if they are lost.
 */
export const attachmentFiles = (
  references: Pick<FileReferences, 'record' | 'release'>,
): Process<TicketEvent, undefined, FileEffect> => ({
  name: 'attachment-files',
  categories: ['ticket'],
  codec: ticketCodec,
  on: {
    AttachmentAdded: (recorded) => effect('record', recorded),
    AttachmentRemoved: (recorded) => effect('release', recorded),
  },
  effects: {
    async record({ reference }) {
      await references.record(reference);
      return done;
    },
    async release({ reference }) {
      await references.release(reference);
      return done;
    },
  },
});

const effect = (
  kind: FileEffect['kind'],
  { stream, organisation, event: { attachmentId, sha256 } }: Recorded<AttachmentEvent>,
): readonly FileEffect[] => {
  if (organisation === undefined) throw new Error(`${stream}: an attachment of no organisation`);
  return [{ kind, reference: { organisation, sha256, attachmentId, ticketId: keyOf(stream) } }];
};

/**
 * Removes orphans of interrupted uploads, every {@link FILE_SWEEP_MS}.
 *
 * @param clock Real time, as in the claims. Default: the system's.
 */
export const fileSweeping = ({
  clock = systemClock,
  logger,
  ...parts
}: SweepParts & { readonly clock?: Clock; readonly logger: Logger }): ConsumerRunner =>
  leasedWorker({
    consumer: workId('file-sweeping'),
    logger,
    failure: 'stored files cannot be swept; trying again',
    start: ({ signal }) => ({
      async work() {
        const { orphans, unfinished } = await sweepFiles({ ...parts, logger }, clock.now(), signal);
        if (orphans + unfinished > 0) {
          logger.info({ orphans, unfinished }, 'files that uploads have left behind were removed');
        }
        return FILE_SWEEP_MS;
      },
    }),
  });
