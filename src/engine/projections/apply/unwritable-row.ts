import { errorLine } from '../../postgres/errors.ts';

/** A row that cannot even be sent: a fold made something that is not JSON, or has no place. */
export class UnwritableRow extends Error {
  constructor(cause: unknown) {
    super(`a row cannot be written: ${errorLine(cause)}`, { cause });
    this.name = 'UnwritableRow';
  }
}
