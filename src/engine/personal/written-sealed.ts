import type { EventType } from '../log/codec.ts';
import type { WrittenVersions } from '../log/written-versions.ts';

/**
 * Whether personal data is sealed in events that are appended from now on. It is not until an
 * operator confirms that no older release runs, because that could not read it. decision 0050.
 *
 * @throws `LogUnavailable`.
 */
export const isWrittenSealed = async (
  versions: Pick<WrittenVersions, 'toRaise'>,
  types: ReadonlyMap<string, EventType>,
): Promise<boolean> => {
  const older = Object.keys(await versions.toRaise());
  return !older.some((name) => {
    const { personal, writtenBefore } = types.get(name) ?? {};
    return personal && writtenBefore && writtenBefore.version < personal.since;
  });
};
