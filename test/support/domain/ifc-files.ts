/** IFC files, written by hand so that their licence is ours. */

/** Lines of a DATA section, numbered from 1, that can refer to each other. */
export interface IfcLines {
  /** Adds an instance; answers its reference. */
  add(type: string, ...args: readonly string[]): string;
  readonly lines: readonly string[];
}

const ifcLines = (): IfcLines => {
  const lines: string[] = [];
  return {
    lines,
    add(type, ...args) {
      const reference = `#${lines.length + 1}`;
      lines.push(`${reference}=${type}(${args.join(',')});`);
      return reference;
    },
  };
};

/** A text of a STEP file. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** 22 characters, as a GlobalId has. */
export const globalId = (name: string): string => name.padEnd(22, '_').slice(0, 22);

export const stepFile = (lines: readonly string[], schema = 'IFC4'): string =>
  [
    'ISO-10303-21;',
    'HEADER;',
    "FILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');",
    "FILE_NAME('small.ifc','2026-03-02T12:00:00',(''),(''),'','','');",
    `FILE_SCHEMA((${quoted(schema)}));`,
    'ENDSEC;',
    'DATA;',
    ...lines,
    'ENDSEC;',
    'END-ISO-10303-21;',
    '',
  ].join('\n');

export type IfcSchema = 'IFC2X3' | 'IFC4';

export const set = (...references: readonly string[]): string => `(${references.join(',')})`;

interface IfcSpaceGiven {
  /** Its GlobalId is made of it. */
  readonly id: string;
  readonly name: string;
  readonly longName?: string;
  /** In the file's unit of area. */
  readonly area?: number;
  readonly classification?: string;
  /** Its `ObjectPlacement` and `Representation`. Default: it has neither. */
  readonly shape?: (file: IfcLines) => IfcShape;
}

export interface IfcShape {
  readonly placement: string;
  readonly representation: string;
}

interface IfcStoreyGiven {
  readonly id: string;
  readonly name: string;
  /** `null`: the file does not say. */
  readonly elevation: number | null;
  /** Its `ObjectPlacement`. Default: none. */
  readonly placement?: (file: IfcLines) => string;
  readonly spaces?: readonly IfcSpaceGiven[];
}

export interface IfcBuildingGiven {
  readonly schema?: IfcSchema;
  readonly storeys: readonly IfcStoreyGiven[];
  /** Units beside the square metre. */
  readonly units?: (file: IfcLines) => readonly string[];
  /** Adds further instances, given the references of the building's parts by name. */
  readonly more?: (file: IfcLines, references: ReadonlyMap<string, string>) => void;
}

/** One building on one site, as model authoring tools write it. */
export const ifcBuilding = ({
  schema = 'IFC4',
  storeys,
  units: otherUnits = () => [],
  more = () => {},
}: IfcBuildingGiven): string => {
  const file = ifcLines();
  const references = new Map<string, string>();
  const rooted = (id: string) => [quoted(globalId(id)), '$'] as const;
  const aggregate = (id: string, whole: string, parts: readonly string[]) =>
    parts.length > 0 && file.add('IFCRELAGGREGATES', ...rooted(id), '$', '$', whole, set(...parts));

  const metre = file.add('IFCSIUNIT', '*', '.AREAUNIT.', '$', '.SQUARE_METRE.');
  const units = file.add('IFCUNITASSIGNMENT', set(metre, ...otherUnits(file)));
  const project = file.add(
    'IFCPROJECT',
    ...rooted('project'),
    quoted('P-1'),
    '$,$',
    quoted('Harbour project'),
    '$',
    '$',
    units,
  );
  const site = file.add(
    'IFCSITE',
    ...rooted('site'),
    quoted('Default'),
    '$,$,$,$,$',
    ELEMENT,
    '$,$,$,$,$',
  );
  const building = file.add(
    'IFCBUILDING',
    ...rooted('building'),
    quoted('H2'),
    '$,$,$,$',
    quoted('Warehouse'),
    ELEMENT,
    '$,$,$',
  );
  aggregate('rel-project', project, [site]);
  aggregate('rel-site', site, [building]);

  const built = storeys.map(({ id, name, elevation, placement, spaces = [] }) => {
    const storey = file.add(
      'IFCBUILDINGSTOREY',
      ...rooted(id),
      quoted(name),
      '$,$',
      placement?.(file) ?? '$',
      '$,$',
      ELEMENT,
      elevation?.toFixed(2) ?? '$',
    );
    references.set(id, storey);
    const rooms = spaces.map((given) => {
      const space = spaceOf(file, given);
      references.set(given.id, space);
      return space;
    });
    aggregate(`rel-${id}`, storey, rooms);
    return storey;
  });
  aggregate('rel-building', building, built);
  more(file, references);
  return stepFile(file.lines, schema);
};

const ELEMENT = '.ELEMENT.';

const spaceOf = (
  file: IfcLines,
  { id, name, longName, area, classification, shape }: IfcSpaceGiven,
): string => {
  const { placement = '$', representation = '$' } = shape?.(file) ?? {};
  const space = file.add(
    'IFCSPACE',
    quoted(globalId(id)),
    '$',
    quoted(name),
    '$,$',
    placement,
    representation,
    longName === undefined ? '$' : quoted(longName),
    ELEMENT,
    '.INTERNAL.',
    '$',
  );
  if (area !== undefined) {
    const quantity = file.add('IFCQUANTITYAREA', quoted('NetFloorArea'), '$,$', area.toFixed(4));
    const quantities = file.add(
      'IFCELEMENTQUANTITY',
      quoted(globalId(`q-${id}`)),
      '$',
      quoted('BaseQuantities'),
      '$,$',
      set(quantity),
    );
    file.add(
      'IFCRELDEFINESBYPROPERTIES',
      quoted(globalId(`rq-${id}`)),
      '$,$,$',
      set(space),
      quantities,
    );
  }
  if (classification !== undefined) {
    const reference = file.add('IFCCLASSIFICATIONREFERENCE', '$,$', quoted(classification), '$');
    file.add(
      'IFCRELASSOCIATESCLASSIFICATION',
      quoted(globalId(`rc-${id}`)),
      '$,$,$',
      set(space),
      reference,
    );
  }
  return space;
};

/** Puts elements into a space or onto a storey. */
export const containing = (
  file: IfcLines,
  id: string,
  place: string,
  elements: readonly string[],
): void => {
  file.add(
    'IFCRELCONTAINEDINSPATIALSTRUCTURE',
    quoted(globalId(id)),
    '$,$,$',
    set(...elements),
    place,
  );
};
