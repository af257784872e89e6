/** Why there is no embedded server, in one line for the operator. */
export class EmbeddedUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`embedded Postgres: ${why}`, { cause });
    this.name = 'EmbeddedUnavailable';
  }
}

/** The first line of an error's message. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
