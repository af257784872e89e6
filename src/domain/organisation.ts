import { ORGANISATION_CHARACTERS_MAX } from '../limits.ts';

/**
 * Whether an organisation may be called so. The alias goes into names of streams, addresses and
 * files, which take no more than this alike. contract.md section 2.
 */
export const isOrganisationAlias = (text: string): boolean =>
  text.length <= ORGANISATION_CHARACTERS_MAX && /^[a-z0-9][a-z0-9._-]*$/i.test(text);
