import { OperatorError } from '../operator-error.ts';

/**
 * A damaged file of events. The first `whole` events are intact, and `--allow-incomplete` imports
 * them.
 */
export class BrokenFile extends OperatorError {
  readonly whole: number;

  constructor(message: string, whole: number) {
    super(message);
    this.whole = whole;
  }
}
