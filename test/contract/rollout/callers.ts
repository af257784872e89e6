/** Callers during a rollout, none of which may see a failed request. */
import { randomUUID } from 'node:crypto';
import type { ServerProcess } from '../../support/servers/server.ts';
import { AGENT, REQUESTS } from '../../support/servers/ticket-load.ts';
import { letPass } from '../../support/until.ts';

export const rolloutCallers = () => {
  const answers: { readonly call: string; readonly status: number }[] = [];
  const tickets: string[] = [];
  let serving: readonly ServerProcess[] = [];
  let buildingId: string | null = null;
  let round: Promise<void> | null = null;

  const called = async (server: ServerProcess, method: string, path: string, body?: object) => {
    const headers = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const reply = await server.call(AGENT, method, path, { headers, ...(body ? { body } : {}) });
    answers.push({ call: `${method} ${path}`, status: reply.status });
    return reply;
  };

  /** Opens a ticket on each server; then all servers read it, add a note and list. */
  const once = async (all: readonly ServerProcess[]) => {
    for (const server of all) {
      buildingId ??= (await called(server, 'GET', '/api/v1/buildings')).body.items[0].id;
      const body = { requestType: 'repair', buildingId, description: 'The lift is stuck.' };
      const { body: ticket } = await called(server, 'POST', REQUESTS, body);
      tickets.push(ticket.id);
      for (const other of all) {
        await called(other, 'GET', `${REQUESTS}/${ticket.id}`);
        await called(other, 'POST', `${REQUESTS}/${ticket.id}/updates`, { body: 'Seen.' });
        await called(other, 'GET', REQUESTS);
      }
    }
  };

  return {
    tickets,
    /** Every answer that was not a success. */
    failures: () => answers.filter(({ status }) => status >= 400),
    /** Switches to these servers once the running round has ended, and awaits one of theirs. */
    async use(...all: readonly ServerProcess[]) {
      serving = [];
      await round;
      serving = all;
      const going = async () => {
        while (serving.length > 0) {
          await once(serving);
          await letPass(100, 'light load: the processor is for the releases');
        }
      };
      await once(all);
      round = going();
      // The next `use` or the end throws its error.
      round.catch(() => {});
    },
  };
};
