/** Which licences what is installed in production may have. */

/** Of package-lock.json, what is read here. */
export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly license?: string;
        readonly dev?: boolean;
        readonly link?: boolean;
      }
    >
  >;
}

export interface FoundLicence {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. `null`: the package names none. */
  readonly licence: string | null;
}

/** They ask for their text to be kept, and no more of whoever uses the package. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

/** By package: used unchanged, as a file or a library of its own. */
const BY_PACKAGE: readonly { readonly name: RegExp; readonly licence: string }[] = [
  { name: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later' },
  { name: /^web-ifc$/, licence: 'MPL-2.0' },
];

/** Named in a file of the package alone. */
const READ: Readonly<Record<string, string>> = { 'xmlhttprequest-ssl': 'MIT' };

/** Every package that is not for development alone, for any platform, in the order of the lock. */
export const licencesIn = ({ packages }: Lock): readonly FoundLicence[] =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version = '', license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, licence: license ?? READ[name] ?? null };
    });

/** Why a licence cannot be accepted; `null`: it can. Of alternatives one is enough. */
export const refusalOf = ({ name, licence }: FoundLicence): string | null => {
  if (licence === null) return 'it names no licence';
  const isAccepted = (one: string) =>
    PERMISSIVE.has(one) ||
    BY_PACKAGE.some((known) => known.licence === one && known.name.test(name));
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ');
  const isFine = alternatives.some((all) => all.split(' AND ').every(isAccepted));
  return isFine ? null : `${licence} is not among the accepted licences`;
};
