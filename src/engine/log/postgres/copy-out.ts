import type { Client, Connection as Wire, Submittable } from 'pg';

/** A bug: what has come is whole, and would be read no better the next time. */
export class UnreadableCopy extends Error {
  constructor(cause: unknown) {
    super(`the COPY data cannot be decoded: ${String(cause)}`, { cause });
    this.name = 'UnreadableCopy';
  }
}

/**
 * Runs a statement `copy … to stdout` and hands over what it sends: one message a row, as the
 * protocol says. The bytes are the client's own and stand until `take` returns.
 *
 * @param client Not pipelined, with no other statement under way.
 * @throws {@link UnreadableCopy} where `take` throws, once the statement has ended; otherwise as a
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

/** What the client calls on a statement of one's own. */
interface CopyOut extends Submittable {
  submit(wire: Wire): void;
  handleCopyData(message: { readonly chunk: Buffer }): void;
  handleCommandComplete(): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}
