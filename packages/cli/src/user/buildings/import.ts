/** `atrium buildings import`. */
import { randomUUID } from 'node:crypto';
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { AtriumError, errorOf, isPassing } from '../../../../sdk/src/problems.ts';
import { failuresWithin, pause } from '../../../../sdk/src/retries.ts';
import { failureOf } from '../../explained.ts';
import { CommandFailed, usageError } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { patientAtriumAt } from '../../session/client.ts';
import { printable } from '../../terminal/text.ts';
import type { Progress } from '../../terminal/terminal.ts';
import { bytesIn, linesOf } from '../files.ts';
import { given } from '../given.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';

type Schemas = components['schemas'];
type Line = Schemas['BuildingImportLine'];
type Result = Extract<Line, { readonly result: unknown }>['result'];

interface ImportOptions extends BuildingOption {
  readonly replace?: true;
  readonly model?: string;
  readonly choose?: string;
  readonly storeys?: readonly string[];
  readonly dryRun?: true;
  readonly yes?: true;
  readonly idempotencyKey?: string;
}

/** Requests after the first whose answer broke off; the client itself repeats those without one. */
const REPEATS = 4;

export const importBuilding = async (invocation: Invocation<ImportOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const { building, replace, storeys } = options;
  const file = words[0]!;
  if (building === undefined && (replace ?? storeys))
    throw usageError('--replace and --storeys need --building');
  const bytes = await bytesIn(file);
  const { client, url, token } = await platformOf(invocation);
  const buildingId = building && (await buildingOf(client, building));
  if (replace && !options.dryRun && !options.yes)
    await terminal.confirm(
      `Recreate the ids of ${building}, and remove nodes that are not in ${file}?`,
    );

  const progress = await terminal.progress('Sending');
  const { idempotencyKey = randomUUID() } = options;
  const keyed = { ...options, idempotencyKey };
  const result = await imported(patientAtriumAt(url, token), buildingId, bytes, keyed, progress)
    .catch(async (error: unknown) => {
      if (isPassing(error) && !options.dryRun)
        throw repeatableFailure(await failureOf(error, invocation), idempotencyKey);
      throw AtriumError.is(error) && !options.json ? listedProblem(error, terminal.notice) : error;
    })
    .finally(() => progress.end());
  for (const warning of result.warnings) terminal.notice(printable(warning));
  terminal.print(result, () => summaryOf(result, options.dryRun ?? false));
};

interface KeyedOptions extends ImportOptions {
  readonly idempotencyKey: string;
}

/** Sends the document again where the answer breaks off: under its key it is imported once. */
const imported = async (
  client: Atrium,
  buildingId: string | undefined,
  bytes: Buffer,
  options: KeyedOptions,
  progress: Progress,
): Promise<Result> => {
  const failures = failuresWithin({ retries: REPEATS });
  for (;;) {
    const answer = await sent(client, buildingId, bytes, options);
    try {
      return await resultIn(answer, progress);
    } catch (error) {
      if (AtriumError.is(error)) throw error;
      const { delayMs } = failures.next('POST', '/api/v1/buildings/import', error);
      await pause(delayMs);
    }
  }
};

const sent = async (
  client: Atrium,
  buildingId: string | undefined,
  bytes: Buffer,
  options: KeyedOptions,
): Promise<AsyncIterable<Uint8Array>> => {
  const { dryRun, model, choose, replace, storeys, idempotencyKey } = options;
  const query = given({ dryRun, model, building: choose });
  const init = {
    body: bytes as never,
    bodySerializer: () => bytes,
    parseAs: 'stream',
    headers: {
      accept: 'application/x-ndjson',
      'content-type': mediaTypeOf(bytes),
      'Idempotency-Key': idempotencyKey,
    },
  } as const;
  const { data } =
    buildingId === undefined
      ? await client.POST('/api/v1/buildings/import', { params: { query }, ...init })
      : await client.POST('/api/v1/buildings/{buildingId}/import', {
          params: {
            path: { buildingId },
            query: { ...query, ...given({ replace, storeys: storeys && [...storeys] }) },
          },
          ...init,
        });
  return data as AsyncIterable<Uint8Array>;
};

/** @throws {@link AtriumError} for a problem; any other error if the answer breaks off. */
const resultIn = async (answer: AsyncIterable<Uint8Array>, progress: Progress): Promise<Result> => {
  for await (const { text } of linesOf(answer, 'the answer')) {
    const line = JSON.parse(text) as Line;
    if ('result' in line) return line.result;
    // As though it had come with its status.
    if ('problem' in line)
      throw await errorOf(
        new Response(JSON.stringify(line.problem), { status: Number(line.problem['status']) }),
      );
    progress.say(phaseOf(line));
  }
  throw new CommandFailed('the server stopped before it returned the result');
};

/** Names the key, because the document may have been imported all the same. */
const repeatableFailure = (failure: unknown, key: string): CommandFailed => {
  const message = `${printable((failure as Error).message)}; repeat with --idempotency-key ${key}`;
  const { exitCode, details } = failure instanceof CommandFailed ? failure : {};
  return new CommandFailed(message, failure, exitCode, details);
};

/** A STEP file says so at its head; whatever else it is, the server reads it as JSON. */
const mediaTypeOf = (bytes: Buffer): string =>
  /^\uFEFF?\s*(\/\*|ISO-10303-21)/.test(bytes.subarray(0, 1_024).toString())
    ? 'application/x-step'
    : 'application/json';

const phaseOf = (line: Extract<Line, { readonly phase: unknown }>): string => {
  if (line.nodes !== undefined) return `Writing ${line.nodes.toLocaleString('en')} nodes`;
  return line.phase === 'shapes' ? 'Reading outlines and drawings' : 'Reading';
};

/** The places in the file, a line each, and then that it was refused. */
const listedProblem = (error: AtriumError, notice: (words: string) => void): unknown => {
  const { problem, code, status } = error;
  const places = 'errors' in problem ? (problem.errors ?? []) : [];
  if (places.length === 0) return error;
  for (const { path, message } of places) notice(printable(`${path} ${message}`.trim()));
  const count = places.length === 1 ? '1 problem' : `${places.length} problems`;
  return new CommandFailed(`nothing was imported: ${count} (${code})`, error, undefined, {
    code,
    status,
  });
};

const summaryOf = (result: Result, dryRun: boolean): string => {
  const { created, updated, removed } = result;
  const done = Object.entries({ created, updated, removed }).map(([verb, counts]) => {
    const nodes = Object.entries(counts).filter(([, count]) => count > 0);
    const counted = nodes.map(([kind, count]) => `${count} ${kind}`).join(', ');
    return `${verb}: ${counted || 'nothing'}`;
  });
  const of = result.buildingId === undefined ? '' : `building ${result.buildingId}\n`;
  return `${of}${done.join('\n')}${dryRun ? '\nNothing was changed: this is a dry run.' : ''}`;
};
