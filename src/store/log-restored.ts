import type { NotReady } from '../ops/not-ready.ts';
import { LogUnavailable } from './event-store.ts';

/** The log lacks what was built from it; nothing goes on until an operator has put that right. */
export class LogRestored extends LogUnavailable {
  /** @param reason What was seen. */
  constructor(reason: NotReady) {
    super(reason);
    this.message = `${reason}: ${WHAT_TO_DO}`;
    this.name = 'LogRestored';
  }
}

const WHAT_TO_DO = 'stop the servers, and give the command: atrium log restored';
