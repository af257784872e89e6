import type { z } from 'zod';
import type { EventType } from '../log/codec.ts';
import type { PersonalEvent, PersonalPart } from '../log/personal-data.ts';

type PartsOf = (event: PersonalEvent) => readonly PersonalPart[];

/**
 * Event types whose version 2 has the members of version 1, sealed: written in the clear until no
 * older release runs any more. The person who caused such an event is a pseudonym in any case.
 *
 * @param partsOf By type, which members are personal too. Default: none.
 */
export const sealedTypes = <Types extends Readonly<Record<string, z.ZodType>>>(
  schemas: Types,
  partsOf: Partial<Readonly<Record<keyof Types, PartsOf>>> = {},
): { readonly [T in keyof Types]: EventType } => {
  const types: { [T in keyof Types]?: EventType } = {};
  for (const name of Object.keys(schemas) as (keyof Types)[]) {
    types[name] = {
      schema: schemas[name]!,
      version: 2,
      upcasters: { 1: (data) => data },
      writtenBefore: { version: 1, data: (data) => data },
      personal: { since: 2, partsOf: partsOf[name] ?? (() => []) },
    };
  }
  return types as { [T in keyof Types]: EventType };
};
