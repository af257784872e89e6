/**
 * Places that callers share: so many for one caller, so many for his organisation, so many in all.
 * The bound of an organisation lies below the total, so that none can take them all from another.
 * contract.md section 1.
 */
export interface PlaceBounds {
  readonly ofCaller: number;
  readonly ofOrganisation: number;
  readonly inAll: number;
  /** Who finds no place free waits so long for one. Default 0: not at all. */
  readonly waitMs?: number;
}

export interface Holder {
  readonly caller: string;
  /** `null`: all who belong to none share one bound. */
  readonly organisation: string | null;
}

export interface Places {
  /**
   * Resolves with what gives the place back; giving it back twice is giving it back once. Those who
   * wait come in their order, except that nobody waits for the places of another.
   *
   * @param signal Who is gone waits no longer: rejects with its reason.
   * @throws {@link NoPlace}
   */
  take(holder: Holder, signal?: AbortSignal): Promise<() => void>;
}

/** Whose places are used up. */
export class NoPlace extends Error {
  override name = 'NoPlace';
  readonly of: 'caller' | 'organisation' | 'all';

  constructor(of: NoPlace['of']) {
    super(`all places ${told[of]} are taken`);
    this.of = of;
  }
}

const told = { caller: 'of this caller', organisation: 'of this organisation', all: 'there are' };

interface Waiting {
  readonly holder: Holder;
  readonly come: () => void;
}

export const places = (bounds: PlaceBounds): Places => {
  const { ofCaller, ofOrganisation, inAll, waitMs = 0 } = bounds;
  const callers = new Map<string, number>();
  const organisations = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let taken = 0;

  const lacking = ({ caller, organisation }: Holder): NoPlace['of'] | null => {
    const whose = organisation ?? NOBODYS;
    if ((callers.get(nameOf(whose, caller)) ?? 0) >= ofCaller) return 'caller';
    if ((organisations.get(whose) ?? 0) >= ofOrganisation) return 'organisation';
    return taken >= inAll ? 'all' : null;
  };

  const enter = ({ caller, organisation }: Holder): (() => void) => {
    const whose = organisation ?? NOBODYS;
    const leaveCaller = counted(callers, nameOf(whose, caller));
    const leaveOrganisation = counted(organisations, whose);
    taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      leaveCaller();
      leaveOrganisation();
      taken -= 1;
      for (const next of waiting) {
        if (lacking(next.holder) !== null) continue;
        next.come();
        return;
      }
    };
  };

  /** Resolves with the place once it is free. */
  const wait = (holder: Holder, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', gone);
        waiting.delete(one);
      };
      const one: Waiting = {
        holder,
        come() {
          end();
          resolve(enter(holder));
        },
      };
      const gone = () => {
        end();
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        end();
        reject(new NoPlace(lacking(holder) ?? 'all'));
      }, waitMs);
      signal?.addEventListener('abort', gone, { once: true });
      waiting.add(one);
    });

  /** Who waits takes up memory: of one organisation, so many for each of its places. */
  const isQueueFull = ({ organisation }: Holder): boolean => {
    let own = 0;
    for (const { holder } of waiting) if (holder.organisation === organisation) own += 1;
    return own >= ofOrganisation * WAITING_PER_PLACE_MAX;
  };

  return {
    async take(holder, signal) {
      signal?.throwIfAborted();
      const of = lacking(holder);
      if (of === null) return enter(holder);
      if (waitMs === 0 || isQueueFull(holder)) throw new NoPlace(of);
      return wait(holder, signal);
    },
  };
};

const WAITING_PER_PLACE_MAX = 20;

/** No name of an organisation: those are not empty. */
const NOBODYS = '';

const nameOf = (organisation: string, caller: string): string => `${organisation} ${caller}`;

/** One more under the name, until it is called off. What is counted no more takes no memory. */
const counted = (counts: Map<string, number>, name: string): (() => void) => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return () => {
    const left = (counts.get(name) ?? 1) - 1;
    if (left === 0) counts.delete(name);
    else counts.set(name, left);
  };
};
