import { importPlaces } from '../building/imports/imports.ts';
import {
  AUDIT_EXPORTS_MAX,
  AUDIT_EXPORTS_OF_CALLER_MAX,
  AUDIT_EXPORTS_OF_ORGANISATION_MAX,
  DRY_RUNS_MAX,
  DRY_RUNS_OF_CALLER_MAX,
  DRY_RUNS_OF_ORGANISATION_MAX,
  LARGE_INGEST_PLACE_WAIT_MS,
  LARGE_INGESTS_MAX,
  LARGE_INGESTS_OF_CALLER_MAX,
  LARGE_INGESTS_OF_ORGANISATION_MAX,
  SEARCH_PLACE_WAIT_MS,
  SEARCHES_MAX,
  SEARCHES_OF_CALLER_MAX,
  SEARCHES_OF_ORGANISATION_MAX,
  SIMULATION_PLACE_WAIT_MS,
  SIMULATIONS_MAX,
  SIMULATIONS_OF_CALLER_MAX,
  SIMULATIONS_OF_ORGANISATION_MAX,
  TICKET_EXPORTS_MAX,
  TICKET_EXPORTS_OF_CALLER_MAX,
  TICKET_EXPORTS_OF_ORGANISATION_MAX,
  TICKET_IMPORTS_MAX,
  TICKET_IMPORTS_OF_CALLER_MAX,
  TICKET_IMPORTS_OF_ORGANISATION_MAX,
} from '../limits.ts';
import { fairSemaphore } from '../engine/concurrency/fair-semaphore.ts';

export type ProcessPlaces = ReturnType<typeof processPlaces>;

/**
 * Bounds of work that takes threads, memory or connections of the process: its platforms, the
 * sandboxes among them, share one set. contract.md section 4.
 */
export const processPlaces = () => ({
  buildingImports: importPlaces(),
  searches: fairSemaphore({
    ofCaller: SEARCHES_OF_CALLER_MAX,
    ofOrganisation: SEARCHES_OF_ORGANISATION_MAX,
    inAll: SEARCHES_MAX,
    waitMs: SEARCH_PLACE_WAIT_MS,
  }),
  ticketExports: fairSemaphore({
    ofCaller: TICKET_EXPORTS_OF_CALLER_MAX,
    ofOrganisation: TICKET_EXPORTS_OF_ORGANISATION_MAX,
    inAll: TICKET_EXPORTS_MAX,
  }),
  ticketImports: fairSemaphore({
    ofCaller: TICKET_IMPORTS_OF_CALLER_MAX,
    ofOrganisation: TICKET_IMPORTS_OF_ORGANISATION_MAX,
    inAll: TICKET_IMPORTS_MAX,
  }),
  auditExports: fairSemaphore({
    ofCaller: AUDIT_EXPORTS_OF_CALLER_MAX,
    ofOrganisation: AUDIT_EXPORTS_OF_ORGANISATION_MAX,
    inAll: AUDIT_EXPORTS_MAX,
  }),
  largeIngests: fairSemaphore({
    ofCaller: LARGE_INGESTS_OF_CALLER_MAX,
    ofOrganisation: LARGE_INGESTS_OF_ORGANISATION_MAX,
    inAll: LARGE_INGESTS_MAX,
    waitMs: LARGE_INGEST_PLACE_WAIT_MS,
  }),
  dryRuns: fairSemaphore({
    ofCaller: DRY_RUNS_OF_CALLER_MAX,
    ofOrganisation: DRY_RUNS_OF_ORGANISATION_MAX,
    inAll: DRY_RUNS_MAX,
  }),
  simulations: fairSemaphore({
    ofCaller: SIMULATIONS_OF_CALLER_MAX,
    ofOrganisation: SIMULATIONS_OF_ORGANISATION_MAX,
    inAll: SIMULATIONS_MAX,
    waitMs: SIMULATION_PLACE_WAIT_MS,
  }),
});
