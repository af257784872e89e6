/** A building from a file, for `atrium import FILE`. */
import { readFile, stat } from 'node:fs/promises';
import { documentOf } from '../domain/building/document.ts';
import { isRefusal } from '../domain/decider.ts';
import { IMPORT_BODY_BYTES_MAX } from '../limits.ts';
import type { Graph, ImportOptions, ImportResult } from '../graph/graph.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Imports the JSON document in the file at `path`, like the HTTP routes do.
 *
 * @throws {@link OperatorError} for a file that cannot be read, is larger than
 *   {@link IMPORT_BODY_BYTES_MAX}, is not UTF-8 or not JSON, does not fit, or clashes with what is
 *   there. Nothing was imported.
 */
export const importBuildingFile = async (
  path: string,
  graph: Graph,
  organisation: string,
  options: ImportOptions,
): Promise<ImportResult> => {
  const document = documentOf(await jsonIn(path));
  if (isRefusal(document)) throw new OperatorError(`${path}: ${document.detail}`);
  const outcome = await graph.importBuilding(organisation, document, options);
  if (isRefusal(outcome)) throw new OperatorError(`${path}: ${outcome.detail}`);
  return outcome;
};

const jsonIn = async (path: string): Promise<unknown> => {
  const bytes = await contentOf(path);
  try {
    // `ignoreBOM: false` removes a byte order mark, which some editors write.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new OperatorError(`${path}: is not valid JSON (${error.message})`, error);
    }
    throw new OperatorError(`${path}: is not UTF-8`, error);
  }
};

const contentOf = async (path: string): Promise<Buffer> => {
  try {
    const { size } = await stat(path);
    if (size <= IMPORT_BODY_BYTES_MAX) return await readFile(path);
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as Error).message})`, error);
  }
  throw new OperatorError(`${path}: is larger than ${IMPORT_BODY_BYTES_MAX / 1024 / 1024} MiB`);
};
