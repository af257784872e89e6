/**
 * Isolation of callers: the most expensive requests that the schemas of every route allow, from
 * several organisations, while another one reads its list. contract.md section 1.
 *
 * A turn of the event loop is measured in CPU time of its thread, which a busy machine does not
 * increase. The slowdown by a shared core is measured by a fixed piece of work in the same run.
 * Long requests are repeated, because the first one includes compilation. Wall-clock times are
 * measured by bench/worst-case.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TICKET_PAGE_MAX } from '../../src/api/tickets/limits.ts';
import { FREE_FORM_BYTES_MAX } from '../../src/domain/tickets/limits.ts';
import { TEXT_CHARACTERS_MAX } from '../../src/limits.ts';
import { runWorst, type Run, type Scale } from '../support/worst/run.ts';
import { measuredServer, type MeasuredServer } from '../support/worst/server.ts';

/** Twice the bound of contract.md, because a measured turn includes the victim's list. */
const HELD_MAX_MS = 100;
/** Of the server with two imports of maximum size in its threads. */
const RSS_MAX_MIB = 1_536;
/** Room for the caches, each of which is bounded. */
const GROWN_MAX_MIB = 128;
/** Of any answer except a page of tickets; the script of the reference page is the largest. */
const ANSWER_MAX_BYTES = 5 * 1024 * 1024;
/** A character of the longest text has at most three bytes; all other members are short. */
const TICKET_MAX_BYTES = 3 * TEXT_CHARACTERS_MAX + 2 * FREE_FORM_BYTES_MAX + 16 * 1024;
const TICKET_PAGES = new Set([
  'GET /api/service-desk/requests',
  'GET /api/service-desk/requests/lookup',
]);
const answerMaxBytes = (operation: string | null): number =>
  TICKET_PAGES.has(operation ?? '') ? TICKET_PAGE_MAX * TICKET_MAX_BYTES : ANSWER_MAX_BYTES;
/** Of a refusal, which names some of the errors and repeats no long value. */
const REFUSAL_MAX_BYTES = 16 * 1024;
/** It takes 3 minutes of CPU time, which other tests share on a busy machine. */
const SUITE_MAX_MS = 2_400_000;

/**
 * Their resource does not exist, or only while some work runs; or they need a browser's cookie,
 * and these requests have a bearer token.
 */
const withoutResource = new Set([
  'POST /api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  'DELETE /api/v1/operations/projections/{name}/rebuild',
  'POST /api/v1/operations/projections/{name}/parked/{stream}/retry',
  'POST /api/v1/operations/projections/{name}/parked/{stream}/skip',
  'POST /api/v1/operations/processes/{name}/retry',
  'POST /api/v1/operations/processes/{name}/skip',
  'POST /api/v1/operations/feed/skip',
  // None of these tickets was raised by a requester.
  'POST /api/service-desk/requests/{id}/rating',
  // None of these tickets was reported without sign-in.
  'GET /api/service-desk/report/status',
  'GET /api/service-desk/requests/{id}/status-link',
  'DELETE /api/service-desk/requests/{id}/status-link',
  'GET /session',
  'GET /session/list',
  'DELETE /session/{sessionId}',
]);

export interface WorstCaseOptions {
  /** The environment with the log and the database; called before the suite. */
  readonly environment: () => Promise<Record<string, string>>;
  readonly scale: Scale;
  /** Selects requests by name. Default: all. */
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

    it('are accepted by every route whose resource exists', () => {
      const operations = Map.groupBy(run.outcomes, ({ operation }) => operation ?? '');
      operations.delete('');
      expect(operations.size).toBeGreaterThan(10);
      const refused = [...operations]
        .filter(([, outcomes]) => !outcomes.some(({ status }) => status >= 200 && status < 400))
        .map(([operation, [first]]) => [operation, first!.status, first!.answer] as const);
      expect(refused.filter(([operation]) => !withoutResource.has(operation))).toEqual([]);
    });

    it('cause no server error', () => {
      const broken = run.outcomes
        .filter(({ status }) => status >= 500 || status === 0)
        .map(({ name: what, status, answer }) => `${what}: ${status} ${answer}`);
      expect(broken).toEqual([]);
    });

    it('hold its event loop for no longer than is allowed', () => {
      const holding = run.outcomes
        .filter(({ heldMs }) => heldMs > HELD_MAX_MS * run.slower)
        .map(({ name: what, heldMs, status }) => `${what} (${status}): ${heldMs.toFixed(1)} ms`);
      expect(holding).toEqual([]);
    });

    it('get answers of a bounded length', () => {
      const tooLong = run.outcomes
        // An export is unbounded, and streamed with backpressure.
        .filter(({ operation }) => operation !== 'GET /api/service-desk/requests/export')
        .filter(
          ({ operation, status, answerBytes }) =>
            answerBytes > (status < 400 ? answerMaxBytes(operation) : REFUSAL_MAX_BYTES),
        )
        .map(({ name: what, status, answerBytes }) => `${what} (${status}): ${answerBytes}`);
      expect(tooLong).toEqual([]);
    });

    it("do not delay another organisation's requests", () => {
      expect(run.victim.length).toBeGreaterThan(10);
      expect(run.victim.filter(({ status }) => status !== 200)).toEqual([]);
    });

    it('release their memory', () => {
      expect(run.rssMib).toBeLessThan(RSS_MAX_MIB);
      expect(run.grownMib).toBeLessThan(GROWN_MAX_MIB);
    });
  });
};
