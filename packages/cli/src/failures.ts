/** Something the person at the terminal can understand and mend; the message is one line. */
export class CommandFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CommandFailed';
  }
}
