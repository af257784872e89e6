/**
 * The worst requests of several organisations to one server, one after the other, while another
 * organisation reads its list all the time.
 */
import { demoBuilding } from '../../../src/demo/building.ts';
import { FREE_FORM_MEMBERS_MAX } from '../../../src/limits.ts';
import { letPass } from '../until.ts';
import { namedRequests } from './named.ts';
import { worstRequests, type Known, type WorstRequest } from './requests.ts';
import type { MeasuredServer } from './server.ts';

export interface Outcome {
  readonly name: string;
  readonly organisation: string;
  readonly status: number;
  readonly code: string | null;
  /** Of the better of two, where the first was long: it pays for compilation. */
  readonly heldMs: number;
  readonly delayMs: number;
}

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** Statuses and times of the lists that were read meanwhile. */
  readonly victim: readonly { readonly status: number; readonly ms: number }[];
  readonly rssMib: number;
  /** Of the fixed piece of work, in this very run. */
  readonly calibrationMs: number;
}

const ATTACKERS = ['north', 'east', 'south'];
const VICTIM = 'west';
/** Between two of the victim's lists: who reads without a pause takes the time he measures. */
const VICTIM_PAUSE_MS = 30;
const REQUESTS = '/api/service-desk/requests';

const call = async (
  server: MeasuredServer,
  organisation: string,
  { method, path, role, body }: Omit<WorstRequest, 'name'>,
): Promise<{ status: number; text: string }> => {
  const of = role === 'operator' ? null : organisation;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await server.tokenOf(role, of)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: body() }),
  });
  return { status: answer.status, text: await answer.text() };
};

const post = async (server: MeasuredServer, of: string, path: string, body: object) => {
  const asked = { method: 'POST', path, role: 'manager', body: () => JSON.stringify(body) };
  const { status, text } = await call(server, of, asked);
  if (status >= 300) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Record<string, string>;
};

/** A building, a page of the longest tickets, and one with many long notes. */
const furnished = async (server: MeasuredServer, of: string, size: Size): Promise<Known> => {
  const { buildingId } = await post(server, of, '/api/v1/buildings/import', demoBuilding());
  const full = Object.fromEntries(
    Array.from({ length: FREE_FORM_MEMBERS_MAX }, (_, at) => [`m${at}`, at === 0 ? '1' : 1]),
  );
  const ticket = { buildingId, description: `aab ${'漢'.repeat(19_990)}`, metadata: full };
  const raised = Array.from({ length: size.tickets }, () => ({ ...ticket, formData: full }));
  const ids = await severalAtOnce(raised, (body) => post(server, of, REQUESTS, body));
  const ticketId = ids[0]!['id']!;
  const note = { body: '漢'.repeat(20_000), visibility: 'public' };
  await severalAtOnce(
    Array.from({ length: size.notes }, () => note),
    (body) => post(server, of, `${REQUESTS}/${ticketId}/updates`, body),
  );
  return { buildingId: buildingId!, ticketId };
};

const severalAtOnce = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const rest = items.values();
  const results: Result[] = [];
  const worker = async () => {
    for (const item of rest) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
};

export interface Wanted {
  /** Which requests are sent. Default: all. */
  readonly request?: (name: string) => boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface Size {
  readonly tickets: number;
  readonly notes: number;
}

export const runWorst = async (
  server: MeasuredServer,
  size: Size,
  { request: isWanted = () => true, onOutcome = () => {} }: Wanted = {},
): Promise<Run> => {
  const known = new Map<string, Known>();
  // What is asked of much that there is, the first one asks.
  for (const [at, of] of ATTACKERS.entries()) {
    known.set(of, await furnished(server, of, at === 0 ? size : { tickets: 5, notes: 1 }));
  }
  await furnished(server, VICTIM, { tickets: 1, notes: 1 });
  const document = JSON.parse(
    (await call(server, VICTIM, { method: 'GET', path: '/openapi.json', role: 'viewer' })).text,
  ) as Parameters<typeof worstRequests>[0];

  const victim: { status: number; ms: number }[] = [];
  const over = new AbortController();
  const reading = (async () => {
    const list = { method: 'GET', path: `${REQUESTS}?limit=10`, role: 'viewer' };
    while (!over.signal.aborted) {
      const began = performance.now();
      const { status } = await call(server, VICTIM, list);
      victim.push({ status, ms: performance.now() - began });
      await letPass(VICTIM_PAUSE_MS, 'the pause of somebody who reads');
    }
  })();

  const outcomes: Outcome[] = [];
  try {
    for (const [at, organisation] of ATTACKERS.entries()) {
      const all = [
        ...namedRequests(known.get(organisation)!),
        ...worstRequests(document, known.get(organisation)!),
      ].filter(({ name }) => isWanted(name));
      // Each organisation sends its share of what follows from schemas.
      for (const [index, request] of all.entries()) {
        const isNamed = !/^[A-Z]+ \//.test(request.name);
        const turn = isNamed ? 0 : index % ATTACKERS.length;
        if (turn !== at) continue;
        const outcome = await measured(server, organisation, request);
        outcomes.push(outcome);
        onOutcome(outcome);
      }
    }
  } finally {
    over.abort();
    await reading;
  }
  const { rssMib, calibrationMs } = await server.held();
  return { outcomes, victim, rssMib, calibrationMs };
};

const measured = async (
  server: MeasuredServer,
  organisation: string,
  request: WorstRequest,
): Promise<Outcome> => {
  const once = async (): Promise<Outcome> => {
    await server.begin();
    // A server that wants no more of a body answers and ends the connection: fetch fails by then.
    const cut = (error: Error) => ({ status: 0, text: JSON.stringify({ code: error.name }) });
    const { status, text } = await call(server, organisation, request).catch(cut);
    const { heldMs, delayMs } = await server.report();
    const code = /"code":"(\w+)"/.exec(text.slice(0, 2_000))?.[1] ?? null;
    return { name: request.name, organisation, status, code, heldMs, delayMs };
  };
  const first = await once();
  if (first.heldMs < SENT_AGAIN_MS || first.status >= 500) return first;
  const second = await once();
  return second.status >= 500 || second.heldMs < first.heldMs ? second : first;
};

/** What held the loop for longer is sent again: the first one pays for compilation. */
const SENT_AGAIN_MS = 20;
