/** Why an operator's command on the log was not carried out; the message is one line, or a list. */
export class EventsRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EventsRefused';
  }
}

/**
 * A file of events that is not what an export wrote. `whole` events at its beginning are: as many
 * as `--allow-incomplete` imports.
 */
export class BrokenFile extends EventsRefused {
  readonly whole: number;

  constructor(message: string, whole: number) {
    super(message);
    this.name = 'EventsRefused';
    this.whole = whole;
  }
}

/** What the operating system says about a file. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error;
