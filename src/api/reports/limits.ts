// Reports (contract.md section 5)
/** Concurrent reports; `inAll` leaves connections to other requests. */
export const REPORTS = { ofCaller: 2, ofOrganisation: 3, inAll: 6, waitMs: 1_000 } as const;
