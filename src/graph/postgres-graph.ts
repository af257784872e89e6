import type { Pool } from 'pg';
import type { Graph } from './graph.ts';
import { importInto } from './import.ts';
import { graphLists } from './lists.ts';
import { graphLocations } from './locations.ts';

/**
 * @param db A database that `migrate` has been run on.
 * @param announced Called after each commit that left an announcement to be moved to the log.
 */
export const postgresGraph = (db: Pool, announced: () => void = () => {}): Graph => ({
  ...graphLists(db),
  ...graphLocations(db),
  importBuilding: async (organisation, document, options) => {
    const outcome = await importInto(db, organisation, document, options);
    if ('buildingId' in outcome && !outcome.replayed) announced();
    return outcome;
  },
});
