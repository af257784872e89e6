/** A building whose points are identified by code, and samples for them. */
import type { ImportDocument, PointDocument } from '../../../src/domain/buildings/document.ts';
import { buildingOf, element, identifiedBy, point, storey } from '../domain/building-documents.ts';
import type { Caller } from './caller.ts';

/** One element with these points; external ids are the codes. */
export const buildingWith = (
  points: Readonly<Record<string, Partial<PointDocument>>>,
): ImportDocument =>
  buildingOf([
    storey('00', {
      elements: [
        element('WS', {
          ...identifiedBy('WS'),
          points: Object.entries(points).map(([code, more]) =>
            point(code, { ...identifiedBy(code), ...more }),
          ),
        }),
      ],
    }),
  ]);

export interface MeteredBuilding {
  readonly buildingId: string;
  readonly path: string;
  /** The current internal id of the point with this code. */
  idOf(code: string): Promise<string>;
  /** Ids by code. */
  ids(): Promise<Readonly<Record<string, string>>>;
}

export const importMetered = async (
  manager: Caller,
  points: Readonly<Record<string, Partial<PointDocument>>>,
): Promise<MeteredBuilding> => {
  const { status, body } = await manager.post('/api/v1/buildings/import', buildingWith(points));
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  const path = `/api/v1/buildings/${body.buildingId}`;
  const ids = async () => {
    const { items } = (await manager.get(`${path}/points?limit=1000`)).body;
    return Object.fromEntries(
      items.map(({ code, id }: { code: string; id: string }) => [code, id]),
    ) as Record<string, string>;
  };
  const idOf = async (code: string) => (await ids())[code]!;
  return { buildingId: body.buildingId, path, idOf, ids };
};
