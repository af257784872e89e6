import { LogUnavailable } from '../../engine/log/event-store.ts';

/**
 * The platform of a sandbox is not ready in time. Requests are answered as without its log; a build
 * counts it as a failed attempt.
 */
export class StartTimeout extends LogUnavailable {
  constructor(what: string) {
    super(what);
    this.name = 'StartTimeout';
  }
}
