/**
 * The building graph: the relational part of the platform. contract.md section 6, design.md
 * decision 10. Every call names an organisation; another organisation's building does not exist for
 * it.
 */
import type { ImportedCodes } from '../../domain/buildings/codes.ts';
import type { ImportDocument, NewSpace } from '../../domain/buildings/document.ts';
import type { Counts, ModelName, NodeKind } from '../../domain/buildings/nodes.ts';
import type { FoundStorey } from '../../domain/buildings/plan.ts';
import type { PlanReference } from '../../domain/buildings/plan-reference.ts';
import type { GivenStoreys } from '../../domain/buildings/shared-places.ts';
import type { BuildingLocation, RequestedLocation } from '../../domain/buildings/location.ts';
import type { Actor, Instant, Refusal } from '../../engine/aggregates/decider.ts';
import type { LocationKind } from '../../domain/service-desk/location-references.ts';
import type { KeyedCommand } from './command-keys.ts';

export interface Graph {
  /**
   * Imports a building: the whole document or nothing, in one transaction that also holds the
   * announcement. Without `buildingId` it creates a new one. Imports into one building are
   * serialised.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's, `CONFLICT` for a code or a
   * triple in use and beyond {@link MODELS_MAX} models, `VALIDATION_FAILED` and
   * `REFERENCE_NOT_FOUND` for given storeys that do not exist, `PAYLOAD_TOO_LARGE` beyond
   * {@link IMPORT_NODES_MAX} nodes, and `IDEMPOTENCY_KEY_REUSED` for a command id with another
   * body.
   */
  importBuilding(
    organisation: string,
    document: ImportDocument,
    options: ImportOptions,
  ): Promise<ImportResult | Refusal>;

  /** The organisation's buildings, sorted by code. */
  buildings(organisation: string, range: Range): Promise<Page<BuildingRow>>;
  /** The ids of all its buildings. */
  buildingIds(organisation: string): Promise<ReadonlySet<string>>;
  /** `null` if the organisation has no such building, as in the lists of nodes below. */
  building(organisation: string, buildingId: string): Promise<BuildingRow | null>;
  /** From the lowest level upwards. */
  storeys(organisation: string, buildingId: string, range: Range): Promise<Page<StoreyRow> | null>;
  /** Sorted by code. */
  spaces(
    organisation: string,
    buildingId: string,
    range: Range & SpaceFilter,
  ): Promise<Page<SpaceRow> | null>;
  /** Sorted by code. */
  elements(
    organisation: string,
    buildingId: string,
    range: Range & InSpace,
  ): Promise<Page<ElementRow> | null>;
  /** Sorted by code. */
  points(
    organisation: string,
    buildingId: string,
    range: Range & InSpace,
  ): Promise<Page<PointRow> | null>;
  /** One of {@link spaces}; `null` if the organisation has no such building or space. */
  space(organisation: string, buildingId: string, id: string): Promise<SpaceRow | null>;
  /** One of {@link elements}, as {@link space}. */
  element(organisation: string, buildingId: string, id: string): Promise<ElementRow | null>;
  /** One of {@link points}, as {@link space}. */
  point(organisation: string, buildingId: string, id: string): Promise<PointRow | null>;

  /**
   * Adds a space with its code and external identifier to a storey.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's, `REFERENCE_NOT_FOUND` for a
   * storey that is not in it, `CONFLICT` for a code or a triple in use, and
   * `IDEMPOTENCY_KEY_REUSED` as imports do.
   *
   * @throws A lock timeout while the building is being imported into.
   */
  createSpace(
    organisation: string,
    buildingId: string,
    space: NewSpace,
    command: Omit<KeyedCommand, 'organisation'>,
  ): Promise<CreatedSpace | Refusal>;

  /**
   * The nodes with these identifiers, and the identifiers without a node. A code may match one node
   * of each kind, an externalId nodes of several source systems; the building itself is not
   * matched. `null` if the organisation has no such building.
   *
   * Refuses `VALIDATION_FAILED` for more than {@link RESOLVED_NODES_MAX} matching nodes.
   */
  resolve(
    organisation: string,
    buildingId: string,
    keys: ResolveKeys,
  ): Promise<ResolvedKeys | Refusal | null>;

  /**
   * The location of a ticket: the finest requested id decides, the coarser ones are derived.
   *
   * Refuses `REFERENCE_NOT_FOUND` for an id that is no node of that kind in that building of that
   * organisation (external ids are not accepted), and `LOCATION_CONTRADICTION`. Both name their
   * paths in `errors`.
   */
  resolveLocation(
    organisation: string,
    request: RequestedLocation,
  ): Promise<BuildingLocation | Refusal>;

  /** {@link resolveLocation} for many, in their order, by one statement. */
  resolveLocations(
    organisation: string,
    requests: readonly RequestedLocation[],
  ): Promise<readonly (BuildingLocation | Refusal)[]>;

  /** By one statement, the kinds of the organisation's places among `ids`; points are ignored. */
  placeKinds(
    organisation: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LocationKind>>;

  /**
   * By one statement, the other ids that the organisation's places among `ids` have or had: an
   * import that replaces a place gives it another one. By the other id, those among `ids`.
   */
  aliasesOf(
    organisation: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;

  /**
   * By one statement, the names of the organisation's places among `ids`, by present and by former
   * ids; points are ignored.
   */
  placeNames(organisation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Locations after an import, in the order of `locations`. Ids that imports have recreated,
   * however often, are matched by (sourceSystem, externalId) and kind. The finest member that still
   * exists decides; lost ones are `null`. Current ids are kept, and all ids of an unknown building.
   */
  successorsOf(
    buildingId: string,
    locations: readonly BuildingLocation[],
  ): Promise<readonly BuildingLocation[]>;
}

export interface ImportOptions {
  readonly at: Instant;
  readonly by: Actor;
  /** The building to import into. Default: a new one. */
  readonly buildingId?: string | undefined;
  /**
   * The model to add or renew; nodes of other models are kept. Default `null`: the building's
   * unnamed model.
   */
  readonly model?: ModelName | undefined;
  /** Maps storeys of the document to storeys of other models. Default: matched automatically. */
  readonly storeys?: GivenStoreys | undefined;
  /** Reference of the document's coordinates. Default: they are the building's. */
  readonly reference?: PlanReference | undefined;
  /** Recreate the model's nodes, and remove those that the document lacks. Default false. */
  readonly replace?: boolean | undefined;
  /** Default `stated`. */
  readonly codes?: ImportedCodes | undefined;
  /** UUID that identifies the import in the announcement. Default: random. */
  readonly commandId?: string | undefined;
  /** Makes the import idempotent by command id: a repeat imports nothing, with the same answer. */
  readonly bodyHash?: string | undefined;
}

export interface ImportResult {
  readonly buildingId: string;
  readonly created: Counts;
  readonly updated: Counts;
  readonly removed: Counts;
  /** Numbers of removed nodes without a successor, by kind, and of their data. */
  readonly gone: Gone;
  readonly outlines: OutlineCounts;
  /** The building's storey for each storey of the document. */
  readonly storeys: readonly FoundStorey[];
  /** How the imported model's elements were assigned to rooms. */
  readonly elements: ElementPlaces;
  /** Parts of the input that were not interpreted as written. */
  readonly warnings: readonly string[];
  /** The command id is a repeat, and nothing was imported. */
  readonly replayed: boolean;
}

export interface ElementPlaces {
  /** Assigned to a room by the document. */
  readonly contained: number;
  /** Assigned to the room whose outline contains their position. */
  readonly byGeometry: number;
  /** On a storey, without a room. */
  readonly onStorey: number;
}

/** Counts of the building's spaces after the import. */
export interface OutlineCounts {
  /** Spaces with an outline. */
  readonly spaces: number;
  readonly without: number;
}

export type Gone = Counts & Readonly<Record<string, number>>;

export type CreatedSpace = SpaceRow & {
  /** The command id is a repeat, and nothing was created. */
  readonly replayed: boolean;
};

export interface ResolveKeys {
  /** Only nodes of this source system. */
  readonly sourceSystem?: string | undefined;
  readonly externalIds: readonly string[];
  readonly codes: readonly string[];
}

export interface ResolvedKeys {
  readonly resolved: readonly ResolvedNode[];
  /** Distinct keys. */
  readonly unmatched: readonly string[];
}

export interface ResolvedNode {
  readonly key: string;
  readonly by: 'externalId' | 'code';
  readonly kind: Exclude<NodeKind, 'building'>;
  readonly id: string;
}

export interface Range {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<Row> extends Range {
  readonly items: readonly Row[];
  /** Exact. */
  readonly total: number;
}

/** All conditions must hold. */
interface SpaceFilter extends OfModel {
  readonly storeyId?: string | undefined;
  readonly spaceTypeSlug?: string | undefined;
  readonly status?: SpaceStatus | undefined;
  readonly isLeasable?: boolean | undefined;
}

/** Only nodes of one room, or of one named model. */
interface InSpace extends OfModel {
  readonly spaceId?: string | undefined;
}

interface OfModel {
  readonly model?: string | undefined;
}

type SpaceStatus = 'active' | 'inactive';

interface NodeRow {
  readonly id: string;
  readonly externalId: string | null;
  readonly sourceSystem: string | null;
  readonly code: string;
  readonly name: string;
  /** `null`: the building's unnamed model. */
  readonly model: ModelName;
}

interface Labelled {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export interface BuildingRow extends Omit<NodeRow, 'model'> {
  readonly site: Labelled;
  /** Named models, sorted by name. */
  readonly models: string[];
}

export interface StoreyRow extends NodeRow {
  readonly level: number;
}

export interface SpaceRow extends NodeRow {
  readonly storey: Labelled;
  readonly spaceType: { readonly slug: string; readonly name: string };
  readonly areaSqm: number | null;
  readonly status: SpaceStatus;
  readonly isLeasable: boolean;
}

export interface ElementRow extends NodeRow {
  readonly elementTypeSlug: string;
  readonly spaceId: string | null;
  readonly storeyId: string;
}

export interface PointRow extends NodeRow {
  readonly elementId: string;
  readonly spaceId: string | null;
  readonly storeyId: string;
  readonly pointClass: string;
  readonly valueType: 'number' | 'boolean';
  readonly unit: string | null;
  /** `null` until the first observation. */
  readonly latest: { readonly value: number | boolean; readonly timestamp: Instant } | null;
}
