import type { ReadinessError } from '../observe/readiness-error.ts';
import { LogUnavailable } from './event-store.ts';

/** The log is not the one that fed the database; nothing goes on before an operator acts. */
export abstract class LogRefused extends LogUnavailable {
  /**
   * @param reason What was seen.
   * @param wayOut What the operator does.
   */
  constructor(reason: ReadinessError, wayOut: string) {
    super(reason);
    this.message = `${reason}: ${wayOut}`;
  }
}

/** The log lacks what was built from it. */
export class LogRestored extends LogRefused {
  constructor(reason: ReadinessError) {
    super(reason, 'stop the servers, and give the command: atrium log restored');
    this.name = 'LogRestored';
  }
}

/** The log is empty where it was not, or of another identity. */
export class WrongLog extends LogRefused {
  constructor(reason: ReadinessError) {
    super(
      reason,
      'set EVENTSTORE_URL and DATABASE_URL as they were, or, to go on with this log, ' +
        'stop the servers and give the command: atrium log adopt',
    );
    this.name = 'WrongLog';
  }
}
