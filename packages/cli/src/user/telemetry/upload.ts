/** `atrium observations upload`. */
import type { Atrium } from '../../../../sdk/src/index.ts';
import { AtriumError } from '../../../../sdk/src/problems.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { isId } from '../named.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';
import { batchesOf, rowsIn, type UploadRow } from './upload-rows.ts';

/** Where the values go, and where they come from. */
interface Upload {
  readonly client: Atrium;
  readonly buildingId: string;
  readonly file: string;
  /** Ids of points by what the file calls them: none, one or several. */
  readonly points: Map<string, readonly string[]>;
}

export const uploadObservations = async (invocation: Invocation<BuildingOption>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const file = words[0]!;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const upload: Upload = { client, buildingId, file, points: new Map() };
  const progress = await terminal.progress(`Uploading ${file}`);
  let accepted = 0;
  try {
    for await (const batch of batchesOf(rowsIn(file))) {
      await send(upload, batch);
      accepted += batch.length;
      progress.say(`Uploading ${file}: ${accepted.toLocaleString('en')} values`);
    }
  } catch (error) {
    throw accepted > 0 && error instanceof CommandFailed ? beyond(accepted, error) : error;
  } finally {
    progress.end();
  }
  terminal.print({ accepted }, () => `${accepted} values are recorded.`);
};

const beyond = (accepted: number, { message, exitCode, details, cause }: CommandFailed) =>
  new CommandFailed(`${message}; ${accepted} values are recorded`, cause, exitCode, details);

const send = async (upload: Upload, batch: readonly UploadRow[]): Promise<void> => {
  const { client, buildingId, file } = upload;
  await resolve(upload, batch);
  const observations = batch.map((row) => {
    const { value, timestamp } = row;
    return { pointId: pointOf(upload, row), value, timestamp };
  });
  try {
    await client.POST('/api/v1/buildings/{buildingId}/observations', {
      params: { path: { buildingId } },
      body: { observations },
    });
  } catch (error) {
    throw AtriumError.is(error) ? atLine(error, file, batch) : error;
  }
};

/** Asks for each name once. */
const resolve = async ({ client, buildingId, points }: Upload, batch: readonly UploadRow[]) => {
  const names = new Set(batch.map(({ point }) => point));
  const asked = [...names].filter((name) => !points.has(name) && !isId(name));
  if (asked.length === 0) return;
  const { data } = await client.POST('/api/v1/buildings/{buildingId}/resolve', {
    params: { path: { buildingId } },
    body: { codes: asked, externalIds: asked },
  });
  const found = data.resolved.filter(({ kind }) => kind === 'point');
  for (const name of asked) {
    const ids = found.filter(({ key }) => key === name).map(({ id }) => id);
    points.set(name, [...new Set(ids)]);
  }
};

/** @throws {@link CommandFailed} if none is called so, or several are. */
const pointOf = ({ points, file }: Upload, { point, line }: UploadRow): string => {
  const [found, ...others] = points.get(point) ?? [point];
  if (found && others.length === 0) return found;
  const how = found ? `${others.length + 1} points are` : 'no point is';
  throw new CommandFailed(`${file}, line ${line}: ${how} called ${point}`);
};

/** The first place that the server names, by the line that it was in. */
const atLine = (error: AtriumError, file: string, batch: readonly UploadRow[]): unknown => {
  const { problem, code, status } = error;
  const [first] = 'errors' in problem ? (problem.errors ?? []) : [];
  const index = /^observations\[(\d+)\]/.exec(first?.path ?? '')?.[1];
  const line = index === undefined ? undefined : batch[Number(index)]?.line;
  if (first === undefined || line === undefined) return error;
  const message = `${file}, line ${line}: ${first.message} (${code})`;
  return new CommandFailed(message, error, undefined, { code, status });
};
