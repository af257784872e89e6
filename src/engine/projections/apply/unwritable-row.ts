import { errorLine } from '../../postgres/errors.ts';

/** A row that cannot be sent: its fold made something that is not JSON, or fits no partition. */
export class UnwritableRow extends Error {
  constructor(cause: unknown) {
    super(`a row cannot be written: ${errorLine(cause)}`, { cause });
    this.name = 'UnwritableRow';
  }
}
