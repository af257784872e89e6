import type { Client, Connection as Wire, Submittable } from 'pg';

/** A bug: the message is complete, and a retry would fail again. */
export class UnreadableCopy extends Error {
  constructor(cause: unknown) {
    super(`the COPY data cannot be decoded: ${String(cause)}`, { cause });
    this.name = 'UnreadableCopy';
  }
}

/**
 * Runs a statement `copy … to stdout` and passes on each message: one per row, by the protocol. The
 * bytes are the client's own and valid until `take` returns.
 *
 * @param client Not pipelined, with no other statement under way.
 * @throws {@link UnreadableCopy} if `take` throws, once the statement has ended; otherwise as a
 *   query.
 */
export const copyOut = (
  client: Client,
  statement: string,
  take: (message: Buffer) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: UnreadableCopy | null = null;
    const query: CopyOut = {
      submit: (wire) => wire.query(statement),
      handleCopyData({ chunk }) {
        if (failure) return;
        try {
          take(chunk);
        } catch (cause) {
          failure = new UnreadableCopy(cause);
        }
      },
      handleCommandComplete() {},
      handleError: reject,
      handleReadyForQuery() {
        if (failure) reject(failure);
        else resolve();
      },
    };
    client.query(query);
  });

/** The methods that the client calls on a custom statement. */
interface CopyOut extends Submittable {
  submit(wire: Wire): void;
  handleCopyData(message: { readonly chunk: Buffer }): void;
  handleCommandComplete(): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}
