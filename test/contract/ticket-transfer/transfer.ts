/** Bulk transfer of tickets between the desks of servers, as an integrator does it. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { demoBuilding } from '../../../src/demo/building.ts';
import type { ServerProcess } from '../../support/servers/server.ts';

const REQUESTS = '/api/service-desk/requests';
const IMPORT_ATTEMPTS_MAX = 5;

/** The service desk of one organisation of a server, with a building. */
export interface Desk {
  readonly server: ServerProcess;
  readonly organisation: string;
  readonly buildingId: string;
  /** Ids of storeys, spaces and elements by their codes. */
  readonly places: ReadonlyMap<string, string>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
export type Ticket = any;

export const agentOf = ({ organisation }: Pick<Desk, 'organisation'>) =>
  `agent@${organisation}.test`;

/** A desk of an organisation without tickets. */
export const freshDesk = async (server: ServerProcess, organisation: string): Promise<Desk> => {
  const path = '/api/v1/buildings';
  const manager = `manager@${organisation}.test`;
  const made = await server.call(manager, 'POST', `${path}/import`, { body: demoBuilding() });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { buildingId } = made.body;
  const { body } = await server.call(manager, 'GET', `${path}/${buildingId}/spaces?limit=1000`);
  const spaces: { id: string; code: string; storey: { id: string; code: string } }[] = body.items;
  const places = new Map(
    spaces.flatMap(({ id, code, storey }) => [
      [code, id],
      [`storey ${storey.code}`, storey.id],
    ]),
  );
  return { server, organisation, buildingId, places };
};

const WORDS = 'pump valve lamp door lift sink heater filter window sensor leaks hums drips sticks';

/** Deterministic tickets of another system. */
export function* foreignTickets({ buildingId, places }: Desk, count: number): Generator<object> {
  const words = WORDS.split(' ');
  const rooms = [...places].filter(([code]) => !code.startsWith('storey')).map(([, id]) => id);
  for (let n = 0; n < count; n += 1) {
    const word = (at: number) => words[(n * 7 + at * at * 13 + n * at) % words.length];
    const text = Array.from({ length: 24 }, (_, at) => word(at)).join(' ');
    yield {
      importKey: `cafm/${n}`,
      buildingId,
      ...(n % 5 === 0 ? {} : { spaceId: rooms[n % rooms.length] }),
      subject: `${word(1)} ${word(2)} ${n}`,
      description: `${text} ${n}`,
      priority: ['low', 'medium', 'high', 'critical'][n % 4],
      category: ['plumbing', 'electrical', null][n % 3],
      reporterName: `Reporter ${n % 100}`,
      metadata: { externalId: String(n), source: 'cafm' },
      originalNumber: `WO-${n}`,
      originalCreatedAt: new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString(),
    };
  }
}

export interface ImportRun {
  /** Answers by the key of their line. */
  readonly answers: ReadonlyMap<string, { readonly status: string; readonly id?: string }>;
  /** `null` where the answer was interrupted. */
  readonly summary: { created: number; exists: number; failed: number } | null;
  /** Why it was interrupted, as far as the client knows. */
  readonly reason: string | null;
}

/**
 * Sends all lines in one request, as fast as the server reads; answers are read meanwhile.
 *
 * @param answered Called with each answer, by its number from 1.
 */
export const importInto = async (
  desk: Desk,
  lines: Iterable<object> | AsyncIterable<object>,
  answered: (count: number) => void = () => {},
): Promise<ImportRun> => {
  const { server } = desk;
  const sender = httpRequest(`${server.url}${REQUESTS}/import`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${await server.tokenOf(agentOf(desk))}`,
      'content-type': 'application/x-ndjson',
    },
  });
  let reason: string | null = null;
  const broken = new Promise<null>((resolve) => {
    sender
      .on('error', (error) => {
        reason ??= error.message;
        resolve(null);
      })
      .once('close', () => resolve(null));
  });
  const response = once(sender, 'response') as Promise<[IncomingMessage]>;
  response.catch(() => {});
  const sending = (async () => {
    for await (const line of lines) {
      if (sender.destroyed || reason !== null) return;
      if (sender.write(`${JSON.stringify(line)}\n`)) continue;
      await Promise.race([once(sender, 'drain').catch(() => null), broken]);
    }
    sender.end();
  })();
  const answers = new Map<string, { status: string; id?: string }>();
  let summary: ImportRun['summary'] = null;
  const first = await Promise.race([response, broken]);
  if (first === null) return { answers, summary, reason };
  if (first[0].statusCode !== 200)
    throw new Error(`the import was answered ${first[0].statusCode}`);
  try {
    for await (const answer of jsonLines(first[0])) {
      if (answer.problem) {
        if (answer.problem.code !== 'UNAVAILABLE') throw new Error(JSON.stringify(answer.problem));
        reason ??= answer.problem.detail;
      } else if (answer.summary) ({ summary } = answer);
      else {
        answers.set(answer.importKey, answer);
        answered(answers.size);
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNRESET') throw error;
    reason ??= message;
  }
  await sending;
  return { answers, summary, reason };
};

/**
 * Repeats the import while the log is unavailable, as it may be on a slow machine.
 *
 * @returns The last run, and whether it was the first.
 */
export const importToEnd = async (
  desk: Desk,
  lines: readonly object[],
): Promise<ImportRun & { readonly isFirst: boolean }> => {
  for (let attempt = 1; ; attempt += 1) {
    const run = await importInto(desk, lines);
    if (run.summary !== null) return { ...run, isFirst: attempt === 1 };
    if (attempt === IMPORT_ATTEMPTS_MAX) throw new Error(run.reason ?? 'the import broke off');
  }
};

/** Each exported ticket of the desk. */
export async function* exportOf(desk: Desk, query = ''): AsyncGenerator<Ticket> {
  const { server } = desk;
  const asked = httpRequest(`${server.url}${REQUESTS}/export${query}`, {
    agent: false,
    headers: { authorization: `Bearer ${await server.tokenOf(agentOf(desk))}` },
  });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`the export was answered ${answer.statusCode}`);
  yield* jsonLines(answer);
}

async function* jsonLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Ticket> {
  let begun = '';
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n');
    begun = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
}

/** The line that imports an exported ticket into another desk, whose building has equal codes. */
export const moved = (from: Desk, to: Desk) => {
  const ids = new Map([...from.places].map(([code, id]) => [id, to.places.get(code)!]));
  ids.set(from.buildingId, to.buildingId);
  const at = (id: string | null) => (id === null ? null : ids.get(id));
  return ({ id, number, createdAt, closedAt, ...ticket }: Ticket) => ({
    importKey: id,
    originalNumber: number,
    originalCreatedAt: createdAt,
    originalClosedAt: closedAt,
    buildingId: at(ticket.buildingId),
    storeyId: at(ticket.storeyId),
    spaceId: at(ticket.spaceId),
    requestType: ticket.requestType,
    subject: ticket.subject,
    description: ticket.description,
    priority: ticket.priority,
    category: ticket.category,
    channel: ticket.channel,
    reporterName: ticket.reporterName,
    reporterEmail: ticket.reporterEmail,
    reporterPhone: ticket.reporterPhone,
    formData: ticket.formData,
    metadata: ticket.metadata,
  });
};

/** A ticket without ids, numbers and times; its locations by their codes. */
export const comparable = (ticket: Ticket, { places }: Desk): string => {
  const codes = new Map([...places].map(([code, id]) => [id, code]));
  const { imported: _, ...metadata } = ticket.metadata;
  const changes = {
    id: null,
    number: null,
    organisationId: null,
    buildingId: null,
    storeyId: codes.get(ticket.storeyId),
    spaceId: codes.get(ticket.spaceId),
    createdBy: ticket.createdBy.kind,
    metadata,
    createdAt: null,
    updatedAt: null,
    slaFirstResponseDueAt: null,
    slaResolutionDueAt: null,
  };
  return JSON.stringify({ ...ticket, ...changes });
};
