/**
 * Items that a requester has sent and the server has not fully acknowledged. docs/decisions/0092.
 */
import type { Schemas } from '../session/me.ts';

export type ReportBody = Schemas['NewTicket'];

export interface WaitingPhoto {
  /** `Idempotency-Key` of its upload. */
  readonly key: string;
  readonly name: string;
  readonly blob: Blob;
}

export type Command =
  | { readonly kind: 'report'; readonly body: ReportBody }
  | { readonly kind: 'note'; readonly ticketId: string; readonly body: string };

/** A report or a note, and the photos that are uploaded once it has been accepted. */
export interface Waiting {
  /** `Idempotency-Key` of its command. */
  readonly id: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly command: Command;
  /** `null` until the command has been accepted. */
  readonly ticketId: string | null;
  /** Photos that have not been acknowledged. */
  readonly photos: readonly WaitingPhoto[];
  /** Why the server refused the next step; it is not retried automatically. */
  readonly refusal: string | null;
}

/** The storage of the outbox. */
export interface OutboxStore {
  /** The items of this owner, oldest first. */
  readonly all: () => Promise<readonly Waiting[]>;
  /** @throws if the browser has no room or no storage. */
  readonly put: (waiting: Waiting) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}
