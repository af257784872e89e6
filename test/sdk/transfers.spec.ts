/** Tickets in bulk by the SDK, against the API as it is and answers that break off. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  AtriumError,
  createAtrium,
  importLineOf,
  type ImportOutcome,
} from '../../packages/sdk/src/index.ts';
import { testApi } from '../support/api/api.ts';

const platform = testApi();
let buildingId: string;
beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const atriumOf = (
  email: string,
  fetch: (request: Request) => Promise<Response> = globalThis.fetch,
) => createAtrium({ url: platform.address, token: () => platform.issuer.tokenOf(email), fetch });
const lineOf = (importKey: string) => ({
  importKey,
  buildingId,
  description: 'x',
  category: 'sdk',
});
const statuses = (outcomes: readonly ImportOutcome[]) => outcomes.map(({ status }) => status);

describe('the SDK', () => {
  it('imports lines, exports tickets, and makes a line of a ticket', async () => {
    const { transfers } = atriumOf('agent@acme.test');
    const lines = [lineOf('1'), '{ no JSON', lineOf('2'), ''];
    const outcomes = await Array.fromAsync(transfers.importTickets(lines, { routing: 'off' }));
    expect(statuses(outcomes)).toEqual(['created', 'failed', 'created', 'failed']);
    expect(outcomes.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    const exported = async () =>
      await Array.fromAsync(transfers.exportTickets({ query: { category: ['sdk'] } }));
    await expect.poll(async () => (await exported()).length).toBe(2);
    const again = (await exported()).map(importLineOf);
    const asTheyAre = await Array.fromAsync(transfers.importTickets(again, { forms: 'off' }));
    expect(statuses(asTheyAre)).toEqual(['created', 'created']);
    expect(statuses(await Array.fromAsync(transfers.importTickets(again)))).toEqual([
      'exists',
      'exists',
    ]);
  });

  it('continues after an aborted answer, and returns each line once', async () => {
    let cut = 0;
    const { transfers } = atriumOf('agent@acme.test', async (request) => {
      const answer = await globalThis.fetch(request);
      if (!request.url.includes('/import') || cut === 3) return answer;
      cut += 1;
      // The first lines arrive; then the connection is gone.
      const some = (await answer.text()).split('\n').slice(0, 2).join('\n');
      return new Response(`${some}\n{"line":`, { status: 200 });
    });
    const keys = Array.from({ length: 10 }, (_, at) => `cut-${at}`);
    const outcomes = await Array.fromAsync(transfers.importTickets(keys.map(lineOf)));
    expect(outcomes.map(({ line, importKey }) => [line, importKey])).toEqual(
      keys.map((key, at) => [at + 1, key]),
    );
    expect(statuses(outcomes).slice(0, 2)).toEqual(['created', 'created']);
    expect(statuses(outcomes).slice(2)).toEqual(Array(8).fill('exists'));
  });

  it("throws the server's refusal", async () => {
    const { transfers } = atriumOf('viewer@acme.test');
    const refused = await Array.fromAsync(transfers.importTickets([lineOf('v')])).catch(
      (error: unknown) => error,
    );
    expect(AtriumError.is(refused, 'PERMISSION_DENIED')).toBe(true);
  });
});
