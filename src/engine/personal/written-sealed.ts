import type { EventType } from '../log/codec.ts';
import type { WrittenVersions } from '../log/written-versions.ts';

/**
 * Whether personal data is sealed in what is appended from now on. It is not while an operator has
 * not said that no older release runs any more: such a release cannot read it. decision 0050.
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
