/** Tickets in bulk: out of one desk, and into another. */
import type { Calls } from './calls.ts';
import type { components, operations } from './openapi.ts';
import { isPassing } from './problems.ts';
import { failuresWithin, pause, type RetryPolicy } from './retries.ts';

type Schemas = components['schemas'];
type ExportFilters = NonNullable<operations['exportTickets']['parameters']['query']>;

/** What became of a line; `line` counts all of them from 1. @experimental */
export type ImportOutcome = Schemas['TicketImportOutcome'];

/** @experimental */
export type ImportLine = Schemas['TicketImportLine'];

/** @experimental */
export interface ImportOptions {
  /** `off`: routing rules do not run. Default `on`. */
  readonly routing?: 'on' | 'off';
  /**
   * `off`: `formData` is stored as it is, without a check against the form of its request type, as
   * exported tickets need it. Default `on`.
   */
  readonly forms?: 'on' | 'off';
  readonly signal?: AbortSignal;
}

/** @experimental */
export interface Transfers {
  /**
   * Every ticket that matches the filters, oldest first, each in its state at the time it is read,
   * with its attachments.
   *
   * @throws if the connection breaks: the tickets yielded until then are not all of them.
   */
  readonly exportTickets: (options?: {
    readonly query?: ExportFilters;
    readonly signal?: AbortSignal;
  }) => AsyncGenerator<Schemas['ExportedTicket'], void, undefined>;
  /**
   * Imports tickets, and yields the outcome of each, in order. A text is sent as a line
   * unchanged. Lines are sent some thousands at a time, and retried if the connection breaks or
   * the server is overloaded: under its `importKey` each becomes one ticket.
   *
   * @throws `AtriumError` if the server refuses, or retries are exhausted. Lines whose outcome was
   *   yielded are stored.
   */
  readonly importTickets: (
    lines: Iterable<ImportLine | string> | AsyncIterable<ImportLine | string>,
    options?: ImportOptions,
  ) => AsyncGenerator<ImportOutcome, void, undefined>;
}

const IMPORT = '/api/service-desk/requests/import';
/** Lines of one request, and their characters. */
const LINES_AT_ONCE = 10_000;
const CHARACTERS_AT_ONCE = 8 * 1024 * 1024;

/**
 * The line that imports an exported ticket. Its id is the import key, its number and times go to
 * `metadata.imported`. Its history is not imported: the new ticket is `new` and unassigned. Ids of
 * places are unchanged. Import it with `forms: 'off'`: its form may have changed since it was
 * filled in, and its answers may have been erased.
 *
 * @experimental
 */
export const importLineOf = (ticket: Schemas['Ticket']): ImportLine => ({
  importKey: ticket.id,
  buildingId: ticket.buildingId,
  description: ticket.description,
  subject: ticket.subject,
  priority: ticket.priority,
  category: ticket.category,
  spaceId: ticket.spaceId,
  storeyId: ticket.storeyId,
  elementId: ticket.elementId,
  requestType: ticket.requestType,
  reporterName: ticket.reporterName,
  reporterEmail: ticket.reporterEmail,
  reporterPhone: ticket.reporterPhone,
  channel: ticket.channel,
  formData: ticket.formData,
  metadata: ticket.metadata,
  originalNumber: ticket.number,
  originalCreatedAt: ticket.createdAt,
  originalClosedAt: ticket.closedAt,
});

/** With timeouts that are long enough for a whole transfer. */
export interface TransferParts {
  /** Retries automatically. */
  readonly client: Calls;
  /** Does not: an import continues after the lines that are stored. */
  readonly single: Calls;
}

export const transfersOf = ({ client, single }: TransferParts, policy: RetryPolicy): Transfers => ({
  exportTickets: async function* exportTickets({ query, signal } = {}) {
    const { data } = await client.GET('/api/service-desk/requests/export', {
      params: { ...(query && { query }) },
      headers: { accept: 'application/x-ndjson' },
      parseAs: 'stream',
      ...(signal && { signal }),
    });
    for await (const line of linesOf(data)) yield JSON.parse(line) as Schemas['ExportedTicket'];
  },

  importTickets: async function* importTickets(lines, { routing = 'on', forms, signal } = {}) {
    let before = 0;
    for await (const part of partsOf(lines)) {
      for await (const outcome of persistently(part))
        yield { ...outcome, line: before + outcome.line };
      before += part.length;
    }

    /** Yields the outcome of each line once, however often lines are sent. */
    async function* persistently(part: readonly string[]) {
      let done = 0;
      const failures = failuresWithin(policy);
      for (;;) {
        const from = done;
        try {
          for await (const outcome of sent(part.slice(from))) {
            done = from + outcome.line;
            failures.clear();
            yield { ...outcome, line: done };
          }
          return;
        } catch (error) {
          const mayPass = error instanceof ImportStopped ? error.isPassing : isPassing(error);
          if (signal?.aborted || !mayPass) throw error;
          const { delayMs } = failures.next('POST', IMPORT, error);
          await pause(delayMs, signal);
        }
      }
    }

    /** @throws where the answer ends before its summary. */
    async function* sent(part: readonly string[]): AsyncGenerator<ImportOutcome> {
      const { data } = await single.POST(IMPORT, {
        params: { query: { routing, ...(forms && { forms }) } },
        headers: { 'content-type': 'application/x-ndjson' },
        // The document describes one line.
        body: part as never,
        bodySerializer: () => part.join('\n'),
        parseAs: 'stream',
        ...(signal && { signal }),
      });
      for await (const line of linesOf(data)) {
        const answer = JSON.parse(line) as Schemas['TicketImportAnswer'];
        if ('summary' in answer) return;
        if ('problem' in answer) throw new ImportStopped(answer.problem);
        yield answer;
      }
      throw new Error('the answer ended before its summary');
    }
  },
});

/** The server could not go on. */
class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
  readonly isPassing: boolean;

  constructor({ code, detail }: Schemas['TicketWorkStopped']['problem']) {
    super(detail ?? code);
    this.isPassing = code === 'UNAVAILABLE';
  }
}

/** As many lines as are sent in one request. */
async function* partsOf(
  lines: Iterable<ImportLine | string> | AsyncIterable<ImportLine | string>,
): AsyncGenerator<readonly string[]> {
  let part: string[] = [];
  let characters = 0;
  for await (const line of lines) {
    // A line of its own, whatever it holds: the answer names it by its place.
    const text = (typeof line === 'string' ? line : JSON.stringify(line)).replaceAll('\n', ' ');
    part.push(text.trim() === '' ? '{}' : text);
    characters += text.length;
    if (part.length < LINES_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield part;
    [part, characters] = [[], 0];
  }
  if (part.length > 0) yield part;
}

/** Lines of NDJSON, as they come. */
async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let begun = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      begun += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = begun.split('\n');
      begun = lines.pop()!;
      yield* lines.filter((line) => line !== '');
      if (!done) continue;
      if (begun !== '') yield begun;
      return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
