/** Why there is no embedded server, in one line for the operator. */
export class EmbeddedUnavailable extends Error {
  constructor(why: string, cause?: unknown) {
    super(`embedded Postgres: ${why}`, { cause });
    this.name = 'EmbeddedUnavailable';
  }
}

/** The first line of what an error says. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
