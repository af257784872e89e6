import type { Pool } from 'pg';
import type { Follower } from './followers.ts';
import type { Graph } from './graph.ts';
import { importInto } from './import.ts';
import { graphLists } from './lists.ts';
import { graphLocations } from './locations.ts';
import { graphResolving } from './resolve.ts';
import { graphSpaces } from './spaces.ts';

export interface GraphParts {
  /** A migrated database. */
  readonly db: Pool;
  /** Called after each commit that left an announcement to be moved to the log. */
  readonly announced?: () => void;
  /** Keep data of other components that is attached to nodes. Default: none. */
  readonly followers?: readonly Follower[];
}

export const postgresGraph = ({ db, announced = () => {}, followers = [] }: GraphParts): Graph => ({
  ...graphLists(db),
  ...graphLocations(db),
  ...graphSpaces(db),
  ...graphResolving(db),
  importBuilding: async (organisation, document, options) => {
    const outcome = await importInto(db, { organisation, document, options, followers });
    if ('buildingId' in outcome && !outcome.replayed) announced();
    return outcome;
  },
});
