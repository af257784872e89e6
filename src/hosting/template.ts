import { createHash } from 'node:crypto';
import type { Databases } from './databases.ts';
import type { DatabaseNames } from './names.ts';

/** Makes and keeps the database that those of new sandboxes are copied from. */
export interface Template {
  /** Its name. Made first, where this release has made none; others wait for that. */
  ready(): Promise<string>;
}

export interface TemplateParts {
  readonly databases: Databases;
  readonly names: () => Promise<DatabaseNames>;
  /** Everything that a fresh database of this release depends on. */
  readonly contents: readonly string[];
  /** Makes a database at `url` into what an empty sandbox has, and disconnects from it. */
  readonly fill: (url: string) => Promise<void>;
}

/**
 * A template is named by what is in it: a release with other tables makes its own. Postgres copies
 * a database only while nobody is connected, so that it is locked against connections.
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
