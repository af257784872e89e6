import { OperatorError } from '../operator-error.ts';

/**
 * A file of events that is not what an export wrote. `whole` events at its beginning are: as many
 * as `--allow-incomplete` imports.
 */
export class BrokenFile extends OperatorError {
  readonly whole: number;

  constructor(message: string, whole: number) {
    super(message);
    this.whole = whole;
  }
}
