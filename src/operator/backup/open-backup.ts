/** Selects a backup, and opens it with an identity. */
import type { EventStore } from '../../engine/log/event-store.ts';
import { identityIn } from './encryption.ts';
import type { Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused, type OnDamaged } from './refused.ts';
import type { Opening } from './sealed-stream.ts';
import { backupFor, type Until } from './until.ts';

export interface BackupChoice {
  /** Default: the newest, or the one nearest to `until`. */
  readonly id?: string | undefined;
  /** The identity's file. */
  readonly identity?: string | undefined;
  readonly until: Until | null;
  /** The configured log in EventStoreDB; `null`: the log is in Postgres. */
  readonly log: Pick<EventStore, 'compare'> | null;
  /** Called for each damaged manifest, which cannot be chosen. */
  readonly onDamaged: OnDamaged;
}

export interface ChosenBackup {
  readonly manifest: Manifest;
  readonly opening: Opening;
  /** All manifests of the place, newest first. */
  readonly manifests: readonly Manifest[];
}

/** @throws {@link BackupRefused} `NOT_CONFIGURED`, `NOT_FOUND`, `NOT_COVERED`, `WRONG_IDENTITY`. */
export const chosenBackup = async (
  place: BackupPlace,
  { id, identity: file, until, log, onDamaged }: BackupChoice,
): Promise<ChosenBackup> => {
  if (file === undefined)
    throw new BackupRefused('NOT_CONFIGURED', 'name the file of the secret key: --identity');
  const manifests = await place.manifests(onDamaged);
  const manifest = backupFor(manifests, id, until, log);
  const opening = { place: whileKept(place, manifest), identity: await identityIn(file) };
  return { manifest, manifests, opening };
};

/** A part may be missing because the backup has expired since it was chosen. */
const whileKept = (place: BackupPlace, { id }: Manifest): Opening['place'] => ({
  async *read(part) {
    try {
      yield* place.read(part);
    } catch (error) {
      if (!(error instanceof BackupRefused) || error.code !== 'DAMAGED') throw error;
      const kept = await place.manifests();
      if (kept.some((one) => one.id === id)) throw error;
      throw new BackupRefused(
        'NOT_FOUND',
        `the backup ${id} has expired meanwhile: choose another by atrium backup list, and ` +
          'restore it into a newly created database',
        error,
      );
    }
  },
});
