/** The state of the plan page, kept in its URL: `#/buildings/…/plan?storey=…&colour=…`. */
import { ask, useRoute } from '../../router.ts';

export interface PlanAddress {
  /** Id; `null`: the ground floor. */
  readonly storey: string | null;
  /** The `colour` parameter of `GET …/plan/colours`; `null`: the default of the person. */
  readonly colour: string | null;
  /** The instant of the values; `null`: now. */
  readonly at: string | null;
  /** Id of the room whose panel is open. */
  readonly space: string | null;
  /** `wall`: the plan alone, for a screen on a wall. */
  readonly display: string | null;
}

export interface PlanRoute extends PlanAddress {
  /** Adds an entry to the history. Absent members keep their values. */
  readonly show: (next: Partial<PlanAddress>) => void;
}

const instantIn = (text: string | null): string | null => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

export const usePlanRoute = (): PlanRoute => {
  const route = useRoute();
  return {
    storey: route.query.get('storey'),
    colour: route.query.get('colour'),
    at: instantIn(route.query.get('at')),
    space: route.query.get('space'),
    display: route.query.get('display'),
    show: (next) => ask(route, next),
  };
};
