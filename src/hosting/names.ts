/** How the databases of sandboxes are named on their server. */
import { createHash } from 'node:crypto';

/** A name has at most 63 bytes in Postgres: with what follows, this is all. */
const OWNER_CHARACTERS_MAX = 25;
/** Of the installation's id. */
const ID_CHARACTERS = 8;

export interface DatabaseNames {
  /** What all of them begin with. */
  readonly prefix: string;
  /** Of one provisioning: a reset makes another database beside it. */
  of(sandboxId: string, generation: number): string;
  /** Whose it is; `null` for any other database. */
  read(name: string): { readonly sandboxId: string; readonly generation: number } | null;
  /** @param version What it was made from: at most 12 characters. */
  template(version: string): string;
  isTemplate(name: string): boolean;
}

/**
 * Two installations on one server have different names, and so do not sweep each other's sandboxes
 * away; neither does a process that was started on the wrong log.
 *
 * @param owner The database that the server's URL names: for people who look at the server.
 * @param installation UUID.
 */
export const databaseNames = (owner: string, installation: string): DatabaseNames => {
  const id = installation.replaceAll('-', '').slice(0, ID_CHARACTERS);
  const prefix = `${shortened(owner)}_${id}`;
  const sandbox = new RegExp(`^${prefix}_(sbx_[0-9a-z]{16})_g(\\d{1,6})$`);
  return {
    prefix,
    of: (sandboxId, generation) => `${prefix}_${sandboxId}_g${generation}`,
    read(name) {
      const parts = sandbox.exec(name);
      return parts && { sandboxId: parts[1]!, generation: Number(parts[2]) };
    },
    template: (version) => `${prefix}_template_${version}`,
    isTemplate: (name) => name.startsWith(`${prefix}_template_`),
  };
};

/** So that the rest has room, and nothing in it means anything to a pattern. */
const shortened = (owner: string): string => {
  if (/^\w+$/.test(owner) && owner.length <= OWNER_CHARACTERS_MAX) return owner;
  const digest = createHash('sha256').update(owner).digest('hex').slice(0, 8);
  return `${owner.replaceAll(/\W/g, '').slice(0, OWNER_CHARACTERS_MAX - 9)}_${digest}`;
};
