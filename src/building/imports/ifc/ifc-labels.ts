/** Labels and identifiers of nodes of an IFC file, and the parts of a document they become. */
import type {
  ElementDocument,
  PointDocument,
  SpaceDocument,
} from '../../../domain/buildings/document.ts';
import { CODE_CHARACTERS_MAX, NODE_NAME_CHARACTERS_MAX } from '../../../domain/buildings/limits.ts';
import type { IfcEntity } from './ifc-model.ts';

/** A node with elements. */
export interface Parts {
  readonly elements: ElementDocument[];
}

export interface SpaceParts extends SpaceDocument, Parts {
  readonly elements: ElementDocument[];
}

export interface ElementParts extends ElementDocument {
  readonly points: PointDocument[];
}

export const first = (entity: IfcEntity | null, ...attributes: readonly string[]): string | null =>
  attributes.map((attribute) => entity?.text(attribute) ?? null).find((text) => text !== null) ??
  null;

export const nameOf = (entity: IfcEntity, ...attributes: readonly string[]): string =>
  shortened(first(entity, ...attributes) ?? entity.type, NODE_NAME_CHARACTERS_MAX);

export const shortened = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : text.slice(0, charactersMax).toWellFormed().trimEnd();

export const identityOf = (entity: IfcEntity) => ({
  externalId: entity.text('GlobalId')!,
  sourceSystem: 'ifc',
});

/** The node's label; several nodes may have the same. */
export const codeOf = (entity: IfcEntity, ...attributes: readonly string[]): string =>
  labelled(first(entity, ...attributes) ?? entity.text('GlobalId')!);

export const labelled = (text: string): string =>
  shortened(text, CODE_CHARACTERS_MAX - NUMBER_CHARACTERS);

/** Reserved for the number that distinguishes nodes with the same label. */
const NUMBER_CHARACTERS = 10;

/** A deterministic identity for a node that the file does not have itself. */
export const madeFor = (
  { externalId }: { readonly externalId?: string | null | undefined },
  what: string,
) => ({ externalId: `${externalId}.${what}`, sourceSystem: 'ifc' });
