import { ORGANISATION_CHARACTERS_MAX } from '../limits.ts';

/**
 * Whether an organisation may have this alias. It becomes part of names of streams, addresses and
 * files, which all accept only this. contract.md section 2.
 */
export const isOrganisationAlias = (text: string): boolean =>
  text.length <= ORGANISATION_CHARACTERS_MAX && /^[a-z0-9][a-z0-9._-]*$/i.test(text);
