/**
 * The ids of snapshots. Each names its developer, so that no index is needed to find its stream.
 */

/** Characters of the developer's key in a snapshot's id. */
const DEVELOPER_KEY_CHARACTERS = 12;
/** Characters that identify the snapshot among the developer's. */
const OWN_CHARACTERS = 8;

/** The form of a snapshot's id. */
export const SNAPSHOT_ID = new RegExp(
  `^snp_[0-9a-z]{${DEVELOPER_KEY_CHARACTERS + OWN_CHARACTERS}}$`,
);

/** The key of the developer's stream of snapshots. @param developer UUID. */
export const developerKeyOf = (developer: string): string =>
  tailOf(developer, DEVELOPER_KEY_CHARACTERS);

/** The same key, read from the id of a snapshot. */
export const developerKeyIn = (snapshotId: string): string =>
  snapshotId.slice('snp_'.length, 'snp_'.length + DEVELOPER_KEY_CHARACTERS);

/** @param madeId UUID derived from the request: the same id for a repeat. */
export const snapshotIdOf = (developer: string, madeId: string): string =>
  `snp_${developerKeyOf(developer)}${tailOf(madeId, OWN_CHARACTERS)}`;

const tailOf = (uuid: string, characters: number): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .padStart(characters, '0')
    .slice(-characters);
