/** The ids of snapshots. Each names its shelf, so that no index is needed to find its stream. */

/** Of the developer, in the snapshot's id. */
const SHELF_CHARACTERS = 12;
/** Of the snapshot itself. */
const OWN_CHARACTERS = 8;

/** The form of a snapshot's id. */
export const SNAPSHOT_ID = new RegExp(`^snp_[0-9a-z]{${SHELF_CHARACTERS + OWN_CHARACTERS}}$`);

/** The key of the developer's stream of snapshots. @param developer UUID. */
export const shelfOf = (developer: string): string => tailOf(developer, SHELF_CHARACTERS);

/** The same of the shelf that a snapshot's id names. */
export const shelfOfSnapshot = (snapshotId: string): string =>
  snapshotId.slice('snp_'.length, 'snp_'.length + SHELF_CHARACTERS);

/** @param madeId UUID derived from the request: the same id for a repeat. */
export const snapshotIdOf = (developer: string, madeId: string): string =>
  `snp_${shelfOf(developer)}${tailOf(madeId, OWN_CHARACTERS)}`;

const tailOf = (uuid: string, characters: number): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .padStart(characters, '0')
    .slice(-characters);
