/** Names of the databases of sandboxes and their snapshots. */
import { createHash } from 'node:crypto';

/** A Postgres name has at most 63 bytes; the suffix needs the rest. */
const OWNER_CHARACTERS_MAX = 25;
/** Characters of the installation's id. */
const ID_CHARACTERS = 8;

export interface DatabaseNames {
  /** Common prefix of all names. */
  readonly prefix: string;
  /** One name per provisioning: a reset creates another database beside the old one. */
  of(sandboxId: string, generation: number): string;
  /** The owner of a database; `null` for any other database. */
  read(name: string): { readonly sandboxId: string; readonly generation: number } | null;
  /** One name per snapshot. */
  ofSnapshot(snapshotId: string): string;
  /** The snapshot of a database; `null` for any other database. */
  readSnapshot(name: string): string | null;
  /** @param version Identifies the contents; at most 12 characters. */
  template(version: string): string;
  isTemplate(name: string): boolean;
}

/**
 * Two installations on one server use different names, and so do not sweep each other's sandboxes;
 * neither does a process started on the wrong log.
 *
 * @param owner The database in the server's URL, for people who inspect the server.
 * @param installation UUID.
 */
export const databaseNames = (owner: string, installation: string): DatabaseNames => {
  const id = installation.replaceAll('-', '').slice(0, ID_CHARACTERS);
  const prefix = `${shortened(owner)}_${id}`;
  const snapshot = new RegExp(`^${prefix}_(snp_[0-9a-z]{20})$`);
  const sandbox = new RegExp(`^${prefix}_(sbx_[0-9a-z]{16})_g(\\d{1,6})$`);
  return {
    prefix,
    of: (sandboxId, generation) => `${prefix}_${sandboxId}_g${generation}`,
    read(name) {
      const parts = sandbox.exec(name);
      return parts && { sandboxId: parts[1]!, generation: Number(parts[2]) };
    },
    ofSnapshot: (snapshotId) => `${prefix}_${snapshotId}`,
    readSnapshot: (name) => snapshot.exec(name)?.[1] ?? null,
    template: (version) => `${prefix}_template_${version}`,
    isTemplate: (name) => name.startsWith(`${prefix}_template_`),
  };
};

/** Leaves room for the rest of the name, and replaces characters with a meaning in patterns. */
const shortened = (owner: string): string => {
  if (/^\w+$/.test(owner) && owner.length <= OWNER_CHARACTERS_MAX) return owner;
  const digest = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return `${owner.replaceAll(/\W/g, '').slice(0, OWNER_CHARACTERS_MAX - 9)}_${digest}`;
};
