/**
 * The allowed transitions: the graph without the edges that the organisation's workflows remove.
 */
import { useConfiguration } from './configuration.ts';
import { edges } from './edges.ts';
import type { State, Ticket } from './words.tsx';

/** States that a ticket of this type may move to from `state`. */
export type AllowedStates = (ticket: Pick<Ticket, 'requestType'>, state: State) => readonly State[];

/** Until the workflows are loaded, the graph alone applies. */
export const useAllowedStates = (): AllowedStates => {
  const data = useConfiguration();
  return ({ requestType }, state) => {
    const workflow = data?.workflows.find((candidate) => candidate.requestType === requestType);
    const kept: readonly string[] | undefined = workflow?.transitions[state];
    return kept ? edges[state].filter((to) => kept.includes(to)) : edges[state];
  };
};
