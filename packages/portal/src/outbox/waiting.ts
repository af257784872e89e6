/** What a requester has sent and the server has not answered whole. docs/decisions/0107. */
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

/** A report or a note, and the photos that go with it once it has been answered. */
export interface Waiting {
  /** `Idempotency-Key` of its command. */
  readonly id: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly command: Command;
  /** Of the ticket, once the command has been answered. */
  readonly ticketId: string | null;
  /** Those that have not been answered. */
  readonly photos: readonly WaitingPhoto[];
  /** Why the server has refused what comes next; it is not sent again by itself. */
  readonly refusal: string | null;
}

/** Where they are kept. */
export interface OutboxStore {
  /** Of this owner alone, oldest first. */
  readonly all: () => Promise<readonly Waiting[]>;
  /** @throws where the browser has no room, or keeps nothing. */
  readonly put: (waiting: Waiting) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}
