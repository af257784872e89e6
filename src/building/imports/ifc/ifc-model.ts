/** The entities of an IFC file, as the library reads them. The file must have been checked. */
import { IFCARCINDEX, IfcAPI, LogLevel, type LoaderSettings } from 'web-ifc';
import { isBlank } from '../../../domain/blank.ts';
import { IFC_MEMORY_MAX_MIB } from '../limits.ts';

/** `#12` of the file. */
export type ExpressId = number;

/** An entity, with attributes by name; absent ones are null, empty or 0. */
export interface IfcEntity {
  readonly id: ExpressId;
  /** Without the prefix `Ifc`: `FlowTerminal`. */
  readonly type: string;
  text(attribute: string): string | null;
  number(attribute: string): number | null;
  reference(attribute: string): ExpressId | null;
  references(attribute: string): readonly ExpressId[];
  flag(attribute: string): boolean | null;
  /** The numbers of a list, such as coordinates; references in it are left out. */
  numbers(attribute: string): readonly number[];
  /** The numbers of a list of lists. */
  rows(attribute: string): readonly (readonly number[])[];
}

/** A part of an `IfcIndexedPolyCurve`: straight lines through points, or an arc through three. */
export interface CurveRun {
  readonly kind: 'lines' | 'arc';
  /** Indices of its points, from 1. */
  readonly indices: readonly number[];
}

export interface IfcModel {
  /** Sorted by number. */
  idsOf(type: number, kinds?: 'withSubtypes'): readonly ExpressId[];
  /** `null` if the file does not have it. @throws {@link UnreadableInstance} */
  entity(id: ExpressId): IfcEntity | null;
  /** Whether the instance is so long that reading it could exhaust the import's memory. */
  isLarge(id: ExpressId): boolean;
  /** Empty for a curve of straight lines only. @throws {@link UnreadableInstance} */
  runsOf(curve: ExpressId): readonly CurveRun[];
  close(): void;
}

/** An instance lacks attributes of its type, or has values of other types. */
export class UnreadableInstance extends Error {
  readonly id: ExpressId;

  constructor(id: ExpressId, cause: unknown) {
    super(`#${id} cannot be read`, { cause });
    this.name = 'UnreadableInstance';
    this.id = id;
  }
}

/** The library, and the model in the file; `null` for an unknown schema. */
export const openModel = async (
  file: Uint8Array,
  settings: LoaderSettings = {},
): Promise<{ readonly api: IfcAPI; readonly model: number } | null> => {
  const api = new IfcAPI();
  await api.Init(undefined, true);
  // The library logs to standard output, where operators' commands print their results.
  api.SetLogLevel(LogLevel.LOG_LEVEL_OFF);
  const bounds = { MEMORY_LIMIT: IFC_MEMORY_MAX_MIB * 1024 * 1024 };
  const model = api.OpenModel(file, { ...settings, ...bounds });
  return model < 0 ? null : { api, model };
};

/**
 * @param large Instances for which {@link IfcModel.isLarge} is true.
 * @returns `null` for an unknown schema.
 */
export const openIfc = async (
  file: Uint8Array,
  large: ReadonlySet<ExpressId>,
): Promise<IfcModel | null> => {
  const opened = await openModel(file);
  if (opened === null) return null;
  const { api, model } = opened;
  return {
    idsOf(type, kinds) {
      const ids = api.GetLineIDsWithType(model, type, kinds === 'withSubtypes');
      return Array.from({ length: ids.size() }, (_, index) => ids.get(index)).toSorted(
        (a, b) => a - b,
      );
    },
    entity(id) {
      try {
        const line = api.GetLine(model, id) as Line | undefined;
        if (!line) return null;
        const name: string = api.GetNameFromTypeCode(line.type);
        return entityOf(id, name.replace(/^Ifc/i, ''), line);
      } catch (error) {
        throw new UnreadableInstance(id, error);
      }
    },
    isLarge: (id) => large.has(id),
    runsOf(id) {
      try {
        const { arguments: args } = api.GetRawLineData(model, id) as RawLine;
        return (args[RUNS_ARGUMENT] ?? []).map(({ typecode, value }) => ({
          kind: typecode === IFCARCINDEX ? 'arc' : 'lines',
          indices: value.map(({ value }) => value),
        }));
      } catch (error) {
        throw new UnreadableInstance(id, error);
      }
    },
    close: () => api.Dispose(),
  };
};

/** Only in this form does the library distinguish lines and arcs. */
interface RawLine {
  readonly arguments: readonly (readonly RawRun[] | null)[];
}

interface RawRun {
  readonly typecode: number;
  readonly value: readonly { readonly value: number }[];
}

/** `Points`, `Segments`, `SelfIntersect`. */
const RUNS_ARGUMENT = 1;

interface Line extends Readonly<Record<string, unknown>> {
  readonly type: number;
}

const entityOf = (id: ExpressId, type: string, line: Line): IfcEntity => {
  const valueOf = (attribute: string): unknown => unwrapped(line[attribute]);
  return {
    id,
    type,
    text(attribute) {
      const value = valueOf(attribute);
      return typeof value === 'string' && !isBlank(value) ? visible(value) : null;
    },
    number(attribute) {
      const value = valueOf(attribute);
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    },
    reference: (attribute) => referenceIn(line[attribute]),
    references(attribute) {
      const list = line[attribute];
      if (!Array.isArray(list)) return [];
      return list.flatMap((item: unknown) => referenceIn(item) ?? []);
    },
    flag(attribute) {
      const value = valueOf(attribute);
      return typeof value === 'boolean' ? value : null;
    },
    numbers: (attribute) => numbersIn(line[attribute]),
    rows(attribute) {
      const list = line[attribute];
      return Array.isArray(list) ? list.map(numbersIn) : [];
    },
  };
};

const unwrapped = (wrapped: unknown): unknown =>
  typeof wrapped === 'object' && wrapped !== null && 'value' in wrapped ? wrapped.value : null;

const numbersIn = (list: unknown): readonly number[] => {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    // IFC2x3 has plain numbers where IFC4 has measures.
    const value = typeof item === 'number' || referenceIn(item) !== null ? item : unwrapped(item);
    return typeof value === 'number' ? value : [];
  });
};

/** The library's constant `REF`. */
const REFERENCE = 5;

const referenceIn = (wrapped: unknown): ExpressId | null =>
  typeof wrapped === 'object' && wrapped !== null && 'type' in wrapped && wrapped.type === REFERENCE
    ? (unwrapped(wrapped) as ExpressId)
    : null;

/** Names in models may contain line breaks and other control characters. */
const visible = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
