/** Whoever wants a place, from the widest to the narrowest. */
export interface Claimant {
  readonly organisation: string;
  readonly caller: string;
}

/** How many places there are, and how many of them one organisation or one caller may have. */
export interface PlaceCounts {
  readonly total: number;
  readonly perOrganisation: number;
  readonly perCaller: number;
}

/** Why there is none: `own` where the claimant has used up his own, `total` where all are taken. */
export type NoPlace = 'own' | 'total';

/**
 * Places that many share and nobody may take from all others. contract.md section 1, «One caller
 * cannot slow another».
 */
export interface Places {
  /** What gives the place back, once however often it is called, or why there is none. */
  take(claimant: Claimant): (() => void) | NoPlace;
}

export const places = ({ total, perOrganisation, perCaller }: PlaceCounts): Places => {
  let taken = 0;
  const byOrganisation = new Map<string, number>();
  const byCaller = new Map<string, number>();

  return {
    take({ organisation, caller }) {
      const own = JSON.stringify([organisation, caller]);
      if ((byCaller.get(own) ?? 0) >= perCaller) return 'own';
      if ((byOrganisation.get(organisation) ?? 0) >= perOrganisation) return 'own';
      if (taken >= total) return 'total';
      const count = (by: 1 | -1) => {
        taken += by;
        add(byOrganisation, organisation, by);
        add(byCaller, own, by);
      };
      count(1);
      let held = true;
      return () => {
        if (held) count(-1);
        held = false;
      };
    },
  };
};

const add = (counts: Map<string, number>, name: string, by: number) => {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
};
