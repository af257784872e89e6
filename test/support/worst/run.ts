/**
 * The most expensive requests of several organisations to one server, first one by one and then
 * concurrently, while another organisation keeps reading its list.
 */
import { letPass } from '../until.ts';
import { buildingRequests } from './building-requests.ts';
import { deskRequests } from './desk-requests.ts';
import { furnished, opened, quietReceiver, type Furnished, type Size } from './furnish.ts';
import type { Holding } from './monitor.ts';
import { otherRequests } from './other-requests.ts';
import { worstRequests, type Document, type Share, type WorstRequest } from './requests.ts';
import type { Answer, Asked, MeasuredServer } from './server.ts';

interface Outcome {
  readonly name: string;
  readonly operation: string | null;
  readonly organisation: string;
  readonly status: number;
  readonly code: string | null;
  /** The beginning of the answer, for failure messages. */
  readonly answer: string;
  readonly answerBytes: number;
  /** Of the best of several runs where the first was long, because it includes compilation. */
  readonly heldMs: number;
  readonly delayMs: number;
  /** Of the loop's thread, of all turns together. */
  readonly cpuMs: number;
  /** By the clock on the wall, the first time. */
  readonly tookMs: number;
  readonly rssMib: number;
}

export interface Run {
  /** One after the other; and what held the loop between two of them. */
  readonly outcomes: readonly Outcome[];
  /** Concurrent requests, of which any may have acquired a permit. */
  readonly together: readonly Outcome[];
  /** Statuses and times of the lists that were read meanwhile. */
  readonly victim: readonly { readonly status: number; readonly ms: number }[];
  /** The most memory of the process since all was furnished. */
  readonly rssMib: number;
  /** What its heap had grown by, garbage aside. */
  readonly grownMib: number;
  /** Of the fixed piece of work, in this very run. */
  readonly calibrationMs: number;
  /** How many times slower it was than the idle machine that the bounds refer to; at least 1. */
  readonly slower: number;
}

export interface Scale extends Size, Share {
  /** Callers of each organisation who send the longest requests at the same time. */
  readonly callers: number;
}

interface Wanted {
  /** Which requests are sent. Default: all. */
  readonly request?: (name: string) => boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

const ATTACKERS = ['north', 'east', 'south'];
const VICTIM = 'west';
/** Pause between two lists of the victim, so that its reads do not use the measured time. */
const VICTIM_PAUSE_MS = 30;
const LITTLE = { tickets: 4, importedTickets: 4, notes: 1, spaces: 10 };
const ANSWER_SHOWN_CHARACTERS = 600;
/** CPU time of the fixed piece of work on the idle machine that the bounds refer to. */
const CALIBRATION_MS = 20;
/** What held the loop for longer, on that machine, is sent again, so often at most. */
const SENT_AGAIN_MS = 35;
const SENT_AGAIN_MAX = 3;

export const runWorst = async (
  server: MeasuredServer,
  scale: Scale,
  { request: isWanted = () => true, onOutcome = () => {} }: Wanted = {},
): Promise<Run> => {
  const receiver = await quietReceiver();
  const known = new Map<string, Furnished>();
  // What is asked of much that there is, the first one asks.
  for (const [at, of] of ATTACKERS.entries()) {
    const isFirst = at === 0;
    known.set(of, await furnished(server, of, isFirst ? scale : LITTLE, receiver.url, isFirst));
  }
  await opened(server, VICTIM);
  const { text } = await get(server, VICTIM, '/openapi.json');
  const document = JSON.parse(text) as Document;
  const all = allRequests(document, known, scale).filter(({ name }) => isWanted(name));

  await awakened(server, known.get(ATTACKERS[0]!)!);
  const before = await server.measure();
  const sentAgainMs = SENT_AGAIN_MS * slowerIn(before);
  const over = new AbortController();
  const victim = victimOf(server, VICTIM, over.signal);
  const outcomes: Outcome[] = [];
  let together: readonly Outcome[] = [];
  try {
    for (const [at, request] of all.entries()) {
      for (const outcome of await measured(server, request, all[at - 1], sentAgainMs)) {
        outcomes.push(outcome);
        onOutcome(outcome);
      }
    }
    if (scale.callers > 0) together = await atOnce(server, known, scale, isWanted);
  } finally {
    over.abort();
    receiver.close();
  }
  const read = await victim;
  const after = await server.measure();
  return {
    outcomes,
    together,
    victim: read,
    rssMib: Math.max(after.rssMib, ...outcomes.map((outcome) => outcome.rssMib)),
    grownMib: after.heapMib! - before.heapMib!,
    calibrationMs: after.calibrationMs,
    slower: slowerIn(after),
  };
};

/** The sandbox, asleep since its snapshot, is part of the server's memory before the requests. */
const awakened = async (
  server: MeasuredServer,
  { organisation, sandboxHost: host }: Furnished,
): Promise<void> => {
  if (host === null) return;
  const sent = { method: 'GET', path: '/api/v1/buildings', role: 'manager', host };
  const { status, text } = await server.call(organisation, sent);
  if (status !== 200) throw new Error(`the sandbox: ${status} ${text.slice(0, 500)}`);
};

const slowerIn = ({ calibrationMs }: Holding): number =>
  Math.max(1, calibrationMs / CALIBRATION_MS);

type Sent = WorstRequest & { readonly organisation: string };

/**
 * The requests derived from schemas are divided among the organisations; resets and deletions
 * come last.
 */
const allRequests = (
  document: Document,
  known: ReadonlyMap<string, Furnished>,
  scale: Scale,
): readonly Sent[] => {
  const named = namedRequests(known.get(ATTACKERS[0]!)!, scale).map((request) => ({
    ...request,
    organisation: ATTACKERS[0]!,
  }));
  const schemas = ATTACKERS.flatMap((organisation, turn) =>
    worstRequests(document, known.get(organisation)!, scale)
      .filter(({ operation }, at) => turnOf(operation, at) === turn)
      .map((request) => ({ ...request, organisation })),
  );
  return [
    ...named,
    ...schemas.filter((one) => !isReset(one) && one.method !== 'DELETE'),
    ...schemas.filter(isReset),
    ...schemas.filter(({ method }) => method === 'DELETE'),
  ];
};

const namedRequests = (
  known: Furnished,
  { importedTickets, spaces, importBytes, everyFlood }: Scale,
) => [
  ...otherRequests(known),
  ...deskRequests(known, importedTickets, everyFlood ? 3 : 1),
  ...buildingRequests(known, spaces, importBytes),
];

/** Only the first organisation has a sandbox. */
const turnOf = (operation: string | null, at: number): number =>
  /\/(sandboxes|snapshots)\//.test(operation ?? '') ? 0 : at % ATTACKERS.length;

const get = (server: MeasuredServer, organisation: string, path: string) =>
  server.call(organisation, { method: 'GET', path, role: 'viewer' });

/** Until the signal comes; the times are of the clock on the wall. */
export const victimOf = async (
  server: MeasuredServer,
  organisation: string,
  signal: AbortSignal,
) => {
  const read: { status: number; ms: number }[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    const list = get(server, organisation, '/api/service-desk/requests?limit=10');
    const status = await list.then(
      (answer) => answer.status,
      // The connection was closed while idle: not an answer, and not a delayed request.
      (error: NodeJS.ErrnoException) => (error.code === 'UND_ERR_SOCKET' ? null : 0),
    );
    if (status !== null) read.push({ status, ms: performance.now() - began });
    await letPass(VICTIM_PAUSE_MS, 'the pause of somebody who reads');
  }
  return read;
};

/** A server that rejects a body answers and closes the connection while it is still being sent. */
const sent = async (
  server: MeasuredServer,
  request: Sent,
  as: Pick<Asked, 'sub' | 'isPatient'> = {},
): Promise<Answer> => {
  const { organisation, role, act } = request;
  try {
    if (act) return await act(server, await server.tokenOf(role, organisation, as.sub));
    return await server.call(organisation, { ...request, ...as });
  } catch (error) {
    return { status: 0, text: JSON.stringify({ code: (error as Error).name }) };
  }
};

const outcomeOf = ({ name, operation, organisation }: Sent, { status, text }: Answer) => ({
  name,
  operation,
  organisation,
  status,
  code: /"code":"(\w+)"/.exec(text.slice(0, 2_000))?.[1] ?? null,
  answer: text.slice(0, ANSWER_SHOWN_CHARACTERS),
  answerBytes: Buffer.byteLength(text),
});

/**
 * The outcome of the request, and that of the server's work between the previous one and it. Both
 * are the best of several runs, because garbage of earlier requests is collected in one of them.
 */
const measured = async (
  server: MeasuredServer,
  request: Sent,
  last: Sent | undefined,
  sentAgainMs: number,
): Promise<readonly Outcome[]> => {
  let between = await server.begin();
  for (let again = 0; again < SENT_AGAIN_MAX && between.heldMs > sentAgainMs; again += 1) {
    if (!last) break;
    await sent(server, last);
    await server.report();
    const next = await server.begin();
    if (next.heldMs < between.heldMs) between = next;
  }
  const once = async (): Promise<Outcome> => {
    const began = performance.now();
    const answer = await sent(server, request);
    const tookMs = performance.now() - began;
    return { ...outcomeOf(request, answer), ...(await server.report()), tookMs };
  };
  let best = await once();
  for (let again = 0; again < SENT_AGAIN_MAX && best.heldMs > sentAgainMs; again += 1) {
    await server.begin();
    const next = await once();
    // An answer with another status is another amount of work.
    if (next.status !== best.status) break;
    if (next.heldMs < best.heldMs) best = next;
  }
  if (between.heldMs <= sentAgainMs) return [best];
  const before = { ...outcomeOf(request, { status: 200, text: '' }), ...between, tookMs: 0 };
  return [{ ...before, name: `before ${request.name}`, operation: null }, best];
};

/** Requests that hold a permit, a connection or a thread for longer. */
const isLong = ({ name }: WorstRequest): boolean =>
  /^simulate: .*text 0|^a search|^the (changes|timeline)|^a list of|^an upload of/.test(name) ||
  /^5,000 observations|^all that a point|^a rule tried|^import of (numbers|a model$)/.test(name);

const atOnce = async (
  server: MeasuredServer,
  known: ReadonlyMap<string, Furnished>,
  scale: Scale,
  isWanted: (name: string) => boolean,
): Promise<readonly Outcome[]> => {
  const asked = ATTACKERS.flatMap((organisation, at) =>
    namedRequests(known.get(organisation)!, at === 0 ? scale : { ...scale, ...LITTLE })
      .filter((request) => isLong(request) && isWanted(request.name))
      .flatMap((request) =>
        Array.from({ length: scale.callers }, (_, caller) => ({ request, organisation, caller })),
      ),
  );
  await server.begin();
  const answers = await Promise.all(
    asked.map(async ({ request, organisation, caller }) => {
      const one = { ...request, organisation };
      const began = performance.now();
      const as = { sub: `${request.role} ${caller}`, isPatient: false };
      const answer = await sent(server, one, as);
      return { ...outcomeOf(one, answer), tookMs: performance.now() - began };
    }),
  );
  const held = await server.report();
  return answers.map((answer) => ({ ...answer, ...held }));
};

/** Of a sandbox, which is not ready for a while. */
const isReset = ({ path }: WorstRequest): boolean => path.endsWith('/reset');
