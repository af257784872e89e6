/** A building from a file, for `atrium import FILE`. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isRefusal } from '../engine/aggregates/decider.ts';
import type { ImportResult } from '../building/graph/graph.ts';
import type { BuildingImports, ImportRequest } from '../building/imports/imports.ts';
import type { ImportFormat } from '../building/imports/reader.ts';
import type { ImportPhase } from '../building/imports/thread-messages.ts';
import { IMPORT_BODY_BYTES_MAX } from '../limits.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Imports the building in the file at `path`, JSON or IFC, as the HTTP routes do.
 *
 * @throws {@link OperatorError} for a file that cannot be read, is larger than {@link
 *   IMPORT_BODY_BYTES_MAX}, is invalid, or conflicts with existing data. Nothing was imported.
 */
export const importBuildingFile = async (
  path: string,
  imports: BuildingImports,
  request: ImportRequest,
  onPhase?: (phase: ImportPhase) => void,
): Promise<ImportResult> => {
  await checkSize(path);
  const outcome = await imports.run(
    { format: formatOf(path), bytes: createReadStream(path) },
    request,
    onPhase,
  );
  if (isRefusal(outcome)) throw new OperatorError(`${path}: ${outcome.detail}`);
  return outcome;
};

/** By the file extension: IFC for those of STEP files, else JSON. */
const formatOf = (path: string): ImportFormat => (/\.(ifc|stp|step)$/i.test(path) ? 'ifc' : 'json');

const checkSize = async (path: string): Promise<void> => {
  try {
    if ((await stat(path)).size <= IMPORT_BODY_BYTES_MAX) return;
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as Error).message})`, error);
  }
  throw new OperatorError(`${path}: is larger than ${IMPORT_BODY_BYTES_MAX / 1024 / 1024} MiB`);
};
