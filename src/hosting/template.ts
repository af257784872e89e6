import { createHash } from 'node:crypto';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';

/** The template database from which sandboxes are cloned. */
export interface Template {
  /** Its name, after creating it if necessary; concurrent callers wait. */
  ready(): Promise<string>;
}

export interface TemplateParts {
  readonly databases: Databases;
  readonly names: () => Promise<DatabaseNames>;
  /** Everything that a new database of this release depends on. */
  readonly contents: readonly string[];
  /** Fills the database at `url` with the contents of an empty sandbox, and disconnects. */
  readonly fill: (url: string) => Promise<void>;
}

/**
 * A template is named after its contents, so that a release with other tables creates its own. It
 * accepts no connections, because Postgres clones a database only while it has none.
 */
export const template = ({ databases, names, contents, fill }: TemplateParts): Template => {
  const version = createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 12);

  const make = ({ template: named, isTemplate }: DatabaseNames) => {
    const name = named(version);
    const unfinished = named(`${version.slice(0, 8)}_new`);
    return databases.alone(name, async () => {
      const found = await databases.names();
      if (found.includes(name)) return;
      await databases.drop(unfinished);
      await databases.create(unfinished);
      await fill(databases.urlOf(unfinished));
      await databases.makeTemplate(unfinished, name);
      for (const old of found.filter((one) => isTemplate(one) && one !== unfinished))
        await databases.drop(old);
    });
  };

  return {
    async ready() {
      const named = await names();
      const name = named.template(version);
      if (!(await databases.names()).includes(name)) await make(named);
      return name;
    },
  };
};
