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

  /** Those of the organisation, by code. */
  buildings(organisation: string, range: Range): Promise<Page<BuildingRow>>;
  /** Of all of them. */
  buildingIds(organisation: string): Promise<ReadonlySet<string>>;
  /** `null` if the organisation has no such building; so do the lists of its nodes. */
  building(organisation: string, buildingId: string): Promise<BuildingRow | null>;
  /** From the lowest level up. */
  storeys(organisation: string, buildingId: string, range: Range): Promise<Page<StoreyRow> | null>;
  /** By code. */
  spaces(
    organisation: string,
    buildingId: string,
    range: Range & SpaceFilter,
  ): Promise<Page<SpaceRow> | null>;
  /** By code. */
  elements(
    organisation: string,
    buildingId: string,
    range: Range & InSpace,
  ): Promise<Page<ElementRow> | null>;
  /** By code. */
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
   * Adds a space to a storey. Both of its identifiers are kept.
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
   * The nodes that have these identifiers, and what none has. A code may be that of one node of
   * each kind, an externalId that of several source systems; the building itself is not found.
   * `null` if the organisation has no such building.
   *
   * Refuses `VALIDATION_FAILED` where more than {@link RESOLVED_NODES_MAX} have them.
   */
  resolve(
    organisation: string,
    buildingId: string,
    keys: ResolveKeys,
  ): Promise<ResolvedKeys | Refusal | null>;

  /**
   * The location of a ticket: the finest id given decides, the coarser ones follow.
   *
   * Refuses `REFERENCE_NOT_FOUND` for an id that is no node of that kind in that building of that
   * organisation (external ids are not accepted), and `LOCATION_CONTRADICTION`. Both name their
   * paths in `errors`.
   */
  resolveLocation(
    organisation: string,
    request: RequestedLocation,
  ): Promise<BuildingLocation | Refusal>;

  /** The same of many, in their order, by one statement. */
  resolveLocations(
    organisation: string,
    requests: readonly RequestedLocation[],
  ): Promise<readonly (BuildingLocation | Refusal)[]>;

  /** By one statement, the kinds of those of `ids` that the organisation has; no points. */
  placeKinds(
    organisation: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LocationKind>>;

  /** By one statement, the names of those of `ids` that the organisation has; no points. */
  placeNames(organisation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;

  /**
   * Locations after an import, in the order of `locations`. Ids that imports have recreated,
   * however often, are matched by (sourceSystem, externalId) and kind. The finest member that still
   * exists decides; lost ones are `null`. A current id stays, and so do all of an unknown building.
   */
  successorsOf(
    buildingId: string,
    locations: readonly BuildingLocation[],
  ): Promise<readonly BuildingLocation[]>;
}

export interface ImportOptions {
  readonly at: Instant;
  readonly by: Actor;
  /** Into this building. Absent: a new one. */
  readonly buildingId?: string | undefined;
  /**
   * The model that is added or renewed; nodes of other models stay. Default `null`: the building's
   * own, unnamed one.
   */
  readonly model?: ModelName | undefined;
  /** Storeys of other models that storeys of the document are. Default: found. */
  readonly storeys?: GivenStoreys | undefined;
  /** Where the document's coordinates are. Default: they are the building's. */
  readonly reference?: PlanReference | undefined;
  /** Make the model's nodes anew; take away what the document does not have. Default false. */
  readonly replace?: boolean | undefined;
  /** Default `stated`. */
  readonly codes?: ImportedCodes | undefined;
  /** UUID. Names the import in the announcement. Default: drawn. */
  readonly commandId?: string | undefined;
  /** With it, the same command id again imports nothing and is answered as it was. */
  readonly bodyHash?: string | undefined;
}

export interface ImportResult {
  readonly buildingId: string;
  readonly created: Counts;
  readonly updated: Counts;
  readonly removed: Counts;
  /** Removed nodes without a successor by kind, and the data of such nodes. */
  readonly gone: Gone;
  readonly outlines: OutlineCounts;
  /** Where each storey of the document is in the building. */
  readonly storeys: readonly FoundStorey[];
  /** How the elements of the imported model are in rooms. */
  readonly elements: ElementPlaces;
  /** Parts of the input that were interpreted differently from how they are written. */
  readonly warnings: readonly string[];
  /** The command id was known: nothing was done. */
  readonly replayed: boolean;
}

export interface ElementPlaces {
  /** In a room of the document. */
  readonly contained: number;
  /** In the room whose outline is at their position. */
  readonly byGeometry: number;
  /** On a storey, and in no room. */
  readonly onStorey: number;
}

/** Of the building's spaces after the import. */
export interface OutlineCounts {
  /** That have an outline. */
  readonly spaces: number;
  readonly without: number;
}

export type Gone = Counts & Readonly<Record<string, number>>;

export type CreatedSpace = SpaceRow & {
  /** The command id was known: nothing was made. */
  readonly replayed: boolean;
};

export interface ResolveKeys {
  /** Only nodes of this system. */
  readonly sourceSystem?: string | undefined;
  readonly externalIds: readonly string[];
  readonly codes: readonly string[];
}

export interface ResolvedKeys {
  readonly resolved: readonly ResolvedNode[];
  /** Each key once. */
  readonly unmatched: readonly string[];
}

export interface ResolvedNode {
  readonly key: string;
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

/** All of them must hold. */
interface SpaceFilter extends OfModel {
  readonly storeyId?: string | undefined;
  readonly spaceTypeSlug?: string | undefined;
  readonly status?: SpaceStatus | undefined;
  readonly isLeasable?: boolean | undefined;
}

/** Of one room, or of one named model, alone. */
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
  /** `null`: the building's own, unnamed one. */
  readonly model: ModelName;
}

interface Labelled {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export interface BuildingRow extends Omit<NodeRow, 'model'> {
  readonly site: Labelled;
  /** Named ones, by name. */
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
  /** `null` until something has been observed. */
  readonly latest: { readonly value: number | boolean; readonly timestamp: Instant } | null;
}
