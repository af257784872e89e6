/**
 * One caller cannot slow another: the worst that the schemas of every route allow, from several
 * organisations, while another one reads its list. contract.md section 1.
 *
 * What holds the event loop is counted in processor time of its thread, turn by turn: a machine at
 * work makes each request late, and takes none of that. What it does take, by sharing a core's
 * parts, is measured by a fixed piece of work in the same run. What was long is sent again, for the
 * first one pays for compilation. Times by the clock on the wall are for bench/worst-case.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TICKET_PAGE_MAX } from '../../src/api/tickets/limits.ts';
import { FREE_FORM_BYTES_MAX } from '../../src/domain/tickets/limits.ts';
import { TEXT_CHARACTERS_MAX } from '../../src/limits.ts';
import { runWorst, type Run, type Scale } from '../support/worst/run.ts';
import { measuredServer, type MeasuredServer } from '../support/worst/server.ts';

/** Twice what contract.md allows: what is measured is a turn with the victim's list in it. */
const HELD_MAX_MS = 100;
/** The fixed piece of work on the machine that the bound is of, with nothing else to do. */
const CALIBRATION_MS = 20;
/** Of the server with two imports at their largest in threads of its own. */
const RSS_MAX_MIB = 1_536;
/** Caches of what was asked for; each has a bound of its own. */
const GROWN_MAX_MIB = 128;
/** Of any answer but a page of tickets; the script of the reference page is the largest. */
const ANSWER_MAX_BYTES = 5 * 1024 * 1024;
/** A character of the longest text is three bytes at most; beside it stands what is short. */
const TICKET_MAX_BYTES = 3 * TEXT_CHARACTERS_MAX + 2 * FREE_FORM_BYTES_MAX + 16 * 1024;
const TICKET_PAGES = new Set([
  'GET /api/service-desk/requests',
  'GET /api/service-desk/requests/lookup',
]);
const answerMaxBytes = (operation: string | null): number =>
  TICKET_PAGES.has(operation ?? '') ? TICKET_PAGE_MAX * TICKET_MAX_BYTES : ANSWER_MAX_BYTES;
/** Of a refusal, which names some of what is wrong and repeats none of it at length. */
const REFUSAL_MAX_BYTES = 16 * 1024;
const SUITE_MAX_MS = 900_000;

/**
 * What they are about is not there, or only for as long as something takes; or they need the cookie
 * of a browser, and these requests have a bearer token.
 */
const asksForWhatIsNotThere = new Set([
  'POST /api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  'DELETE /api/v1/operations/projections/{name}/rebuild',
  'POST /api/v1/operations/projections/{name}/parked/{stream}/retry',
  'POST /api/v1/operations/projections/{name}/parked/{stream}/skip',
  'POST /api/v1/operations/processes/{name}/retry',
  'POST /api/v1/operations/processes/{name}/skip',
  'POST /api/v1/operations/feed/skip',
  // No ticket of these was raised by a requester.
  'POST /api/service-desk/requests/{id}/rating',
  // Nor reported without sign-in.
  'GET /api/service-desk/report/status',
  'GET /api/service-desk/requests/{id}/status-link',
  'DELETE /api/service-desk/requests/{id}/status-link',
  'GET /session',
  'GET /session/list',
  'DELETE /session/{sessionId}',
]);

export interface WorstCaseOptions {
  /** Where log and database are; asked for before the suite. */
  readonly environment: () => Promise<Record<string, string>>;
  readonly scale: Scale;
  /** Which requests are sent, by their names. Default: all. */
  readonly request?: (name: string) => boolean;
}

export const worstCaseContract = (
  name: string,
  { environment, scale, request = () => true }: WorstCaseOptions,
): void => {
  describe(`the worst requests to a server on ${name}`, () => {
    let server: MeasuredServer;
    let run: Run;

    beforeAll(async () => {
      server = await measuredServer(await environment());
      run = await runWorst(server, scale, { request });
    }, SUITE_MAX_MS);
    afterAll(() => server?.stop());

    it('are taken by every route that has something to take them for', () => {
      const operations = Map.groupBy(run.outcomes, ({ operation }) => operation ?? '');
      operations.delete('');
      expect(operations.size).toBeGreaterThan(10);
      const refused = [...operations]
        .filter(([, outcomes]) => !outcomes.some(({ status }) => status >= 200 && status < 400))
        .map(([operation, [first]]) => [operation, first!.status, first!.answer] as const);
      expect(refused.filter(([operation]) => !asksForWhatIsNotThere.has(operation))).toEqual([]);
    });

    it('break nothing', () => {
      const broken = run.outcomes
        .filter(({ status }) => status >= 500 || status === 0)
        .map(({ name: what, status, answer }) => `${what}: ${status} ${answer}`);
      expect(broken).toEqual([]);
    });

    it('hold its event loop for no longer than is allowed', () => {
      const slower = Math.max(1, run.calibrationMs / CALIBRATION_MS);
      const holding = run.outcomes
        .filter(({ heldMs }) => heldMs > HELD_MAX_MS * slower)
        .map(({ name: what, heldMs, status }) => `${what} (${status}): ${heldMs.toFixed(1)} ms`);
      expect(holding).toEqual([]);
    });

    it('are answered at a length that has a bound', () => {
      const tooLong = run.outcomes
        // A file has all that there is, as slowly as it is taken.
        .filter(({ operation }) => operation !== 'GET /api/service-desk/requests/export')
        .filter(
          ({ operation, status, answerBytes }) =>
            answerBytes > (status < 400 ? answerMaxBytes(operation) : REFUSAL_MAX_BYTES),
        )
        .map(({ name: what, status, answerBytes }) => `${what} (${status}): ${answerBytes}`);
      expect(tooLong).toEqual([]);
    });

    it('leave others what they ask for', () => {
      expect(run.victim.length).toBeGreaterThan(10);
      expect(run.victim.filter(({ status }) => status !== 200)).toEqual([]);
    });

    it('take memory that is given back', () => {
      expect(run.rssMib).toBeLessThan(RSS_MAX_MIB);
      expect(run.grownMib).toBeLessThan(GROWN_MAX_MIB);
    });
  });
};
