import { compressor, type Compress } from './compression.ts';
import { HeldBytes } from './held-bytes.ts';
import { BODIES_RECEIVED_BYTES } from './limits.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** What requests hold and compress, of all servers of a process. contract.md section 1. */
export interface HttpBounds {
  /** Bytes of incomplete bodies. */
  readonly received: HeldBytes;
  readonly unread: UnreadAnswers;
  readonly compress: Compress;
}

export const httpBounds = (): HttpBounds => ({
  received: new HeldBytes(BODIES_RECEIVED_BYTES),
  unread: new UnreadAnswers(),
  compress: compressor(),
});
