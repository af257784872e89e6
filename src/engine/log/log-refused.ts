import type { ReadinessError } from '../observe/readiness-error.ts';
import { LogUnavailable } from './event-store.ts';

/** The log is not the one that fed the database; all work stops until an operator acts. */
export abstract class LogRefused extends LogUnavailable {
  /**
   * @param reason The observation.
   * @param remedy What the operator has to do.
   */
  constructor(reason: ReadinessError, remedy: string) {
    super(reason);
    this.message = `${reason}: ${remedy}`;
  }
}

/** The log lacks events that the database was fed. */
export class LogRestored extends LogRefused {
  constructor(reason: ReadinessError) {
    super(reason, 'stop the servers, and give the command: atrium log restored');
    this.name = 'LogRestored';
  }
}

/** The log is empty though it was not before, or of another identity. */
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
