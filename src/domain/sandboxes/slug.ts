/** The label of a sandbox in its address. interface.md «Sandbox». */
import { normalised } from '../normalised.ts';

/** With the suffix it stays below the 63 characters of a host name's label. */
const NAME_CHARACTERS_MAX = 40;

/**
 * `Ärger & Söhne` with the suffix `k3x9f2` is `arger-sohne-k3x9f2`. A name without any usable
 * letter becomes `sandbox`.
 *
 * @param suffix Lower-case letters and digits, drawn for this sandbox.
 */
export const slugOf = (name: string, suffix: string): string => {
  const plain = normalised(name, 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_CHARACTERS_MAX)
    .replaceAll(/^-|-$/g, '');
  return `${plain || 'sandbox'}-${suffix}`;
};
