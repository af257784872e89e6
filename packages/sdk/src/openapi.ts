/** Made from openapi.json: `npm test -- test/api/http/openapi.spec.ts -u`. */
export interface paths {
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness of the process
         * @description For liveness probes. Checks no dependency.
         */
        get: operations["isAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness of the process and its unavailable parts
         * @description For load balancers. 200 while the process serves requests: `ready`, or `degraded` while an optional part is unavailable and only requests that need it fail. 503 while it cannot serve.
         */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics in the Prometheus text format
         * @description In production, served only on `METRICS_PORT`.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tickets
         * @description All filters must match. There is no `updatedSince`: compare `updatedAt`.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listTickets"];
        put?: never;
        /**
         * Raise a ticket
         * @description Sending the same body twice raises two tickets; with the same `Idempotency-Key`, one. By the time of the response, the organisation's routing rules have been applied and the SLA clocks are running.
         *
         *     Needs the permission `service-desk.tickets:write`, or `service-desk.own:write` for requesters.
         */
        post: operations["createTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one ticket
         * @description Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit fields of a ticket
         * @description A JSON merge patch: absent members stay, `null` clears a member, objects are merged. A patch without effect does not change `updatedAt`.
         *
         *     Needs the permission `service-desk.tickets:write`.
         */
        patch: operations["editTicket"];
        trace?: never;
    };
    "/api/service-desk/requests/{id}/transition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a ticket to another state
         * @description Needs the permission `service-desk.tickets:write`, or `service-desk.own:write` for requesters.
         */
        post: operations["transitionTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/transitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the states that a ticket can move to
         * @description According to the state graph and the current workflow of the request type.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listTransitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a ticket to a user, a team, both or none
         * @description The first assignment to a user or a team counts as the first response. An assignee that is not in the configured directory and has never signed in is accepted with `warnings`.
         *
         *     Needs the permission `service-desk.tickets:write`.
         */
        post: operations["assignTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/rating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate your own resolved or closed ticket
         * @description A rating cannot be changed, and is kept when the ticket is reopened. Repeating the same rating is no error.
         *
         *     Needs the permission `service-desk.own:write`.
         */
        post: operations["rateTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/request-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the request types and their forms
         * @description The request types of the configuration, in its order. For requesters, only the types that they may choose, without category and priority.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listRequestTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export tickets, oldest first
         * @description All tickets that match the filters of the list, each in its state at the time it is read: a line of NDJSON, or a row if `Accept` asks for `text/csv`, with a column `field.<key>` for each of the first 200 form fields. The response waits, at most 2 s, until it includes everything that was in the log at the time of the request; otherwise it has the header `X-Atrium-Stale: true`. Tickets that are raised during the export are left out. If the connection breaks, the export is incomplete. NDJSON lines list the attachments that the caller may see, each with its path.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["exportTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import tickets, line by line
         * @description NDJSON, one ticket per line, at most 100000 lines and 64 MiB. The response streams one result line per request line, in the same order; a ticket is stored once its result is sent. A failed line does not affect the others. The last line is the `summary`. If the summary is missing, send the remaining lines or the whole file again: lines with an `importKey` that was already imported create no second ticket. If the import ends early, the last line is a `problem`. SLA clocks start at the import; `originalNumber` and the original times are stored in `metadata.imported`. Read the response while sending: with 16 MiB of unread results, the server accepts no more lines.
         *
         *     Needs the permission `service-desk.tickets:write`.
         */
        post: operations["importTickets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign, move, edit or add a note to many tickets
         * @description At most 2000 tickets, selected by ids or by a filter of the list. Each ticket is a separate command; the response streams one line of NDJSON per ticket, in order. A refused ticket does not affect the others. The last line is the `summary`. If it is missing, repeat the request with the same `Idempotency-Key`: it continues with the same tickets and records nothing twice. Processing stops when the caller disconnects.
         *
         *     Needs the permission `service-desk.tickets:write`.
         */
        post: operations["actOnTickets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The change feed: every change of every ticket, in order
         * @description One item per command, without duplicates or gaps. A page can be short or empty before the end: continue from `nextCursor`, which is always present, until `caughtUp`.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["readChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The timeline of a ticket, oldest entry first
         * @description A page with long texts can be shorter than `limit`: continue from `nextCursor`.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["readTimeline"];
        put?: never;
        /**
         * Add a note to a ticket, in any state
         * @description The multipart form also accepts files, which become attachments of the ticket: at most 25 MiB each, and 50 files and 250 MiB per ticket. The note and its files are one change.
         *
         *     Needs the permission `service-desk.tickets:write`, or `service-desk.own:write` for requesters.
         */
        post: operations["addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find tickets by a text value in their metadata, newest first
         * @description Only top-level text members of `metadata` are searched. If no ticket matches, the list is empty.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["lookUpTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/attachments/{attachmentId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a picture
         * @description A WebP image of at most 512 pixels, re-encoded without the metadata of the picture. 404 for files of other types and for pictures that cannot be decoded.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["previewAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attachments of a ticket
         * @description Oldest first. Internal attachments are listed only if the caller may read internal notes.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a ticket
         * @description A multipart form with one part `file` and an optional `visibility` (`internal` or `public`; default `internal`, for requesters always `public`). At most 25 MiB, and 50 files and 250 MiB per ticket. The type is detected from the content. The file is durable before the response.
         *
         *     Needs the permission `service-desk.tickets:write`, or `service-desk.own:write` for requesters.
         */
        post: operations["addAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an attachment
         * @description Sent with `Content-Disposition: attachment` and a sandboxing content security policy, so that browsers never run the content.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["downloadAttachment"];
        put?: never;
        post?: never;
        /**
         * Remove an attachment
         * @description Allowed for the author and for managers. The content is deleted with the last attachment that refers to it.
         *
         *     Needs the permission `service-desk.tickets:write`, or `service-desk.own:write` for requesters.
         */
        delete: operations["removeAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service levels, business hours, routing rules, workflows and request types
         * @description The configuration as it was last stored. Without an `ETag` until a configuration has been stored.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["readServiceDeskConfiguration"];
        /**
         * Replace the whole configuration
         * @description Applies to tickets that are created from now on; workflows apply to all tickets. A document equal to the current one changes nothing. `If-Match` replaces only the revision that was read; `If-None-Match: *` only stores a first configuration. A 400 lists each path and its error; a workflow that adds a transition is refused with `EDGE_NOT_IN_GRAPH`.
         *
         *     Needs the permission `service-desk.configuration:write`.
         */
        put: operations["replaceServiceDeskConfiguration"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/configuration/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate the creation of a ticket, and explain the result
         * @description Uses the configuration in the request, or the current one. Nothing is stored, and no ticket number is used up.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        post: operations["simulateTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/configuration/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare another configuration with the current one on the latest tickets
         * @description Simulates the creation of each of the latest tickets, with its original data and time, under the current configuration and under the one in the request. The priority is the one that was requested; of a ticket created before release 0.2, the one after routing. Personal data that has expired is left out. Nothing is stored.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        post: operations["tryServiceDeskConfiguration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * People and teams of the organisation, by name
         * @description People in the `directory` of the configuration, people who have signed in, and people with an assigned ticket. At most 100 people and as many teams.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["searchPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's own views and the shared views, by name
         * @description Managers also get the private views of others, which count towards the limit of the organisation: without their content, to delete those that are no longer needed.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view of the ticket list
         * @description At most 50 views per person and 100 per organisation, shared or not. A shared view also needs `service-desk.tickets:write`.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One view
         * @description Needs the permission `service-desk.tickets:read`.
         */
        get: operations["getView"];
        put?: never;
        post?: never;
        /**
         * Delete a view
         * @description A view can be deleted by its author and by managers, who can also delete the `others` of the list.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description Absent members stay; `filters` and `columns` are replaced as a whole. A shared view can be changed by its author and by managers.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        patch: operations["changeView"];
        trace?: never;
    };
    "/api/service-desk/requests/{id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is viewing or editing a ticket
         * @description Needs the permission `service-desk.tickets:read`.
         */
        get: operations["listPresence"];
        put?: never;
        /**
         * Announce that you are viewing or editing a ticket
         * @description Valid for 30 s; repeat it every 15 s. The response lists who is present, so no other request is needed. Presence is not recorded. A caller with several tabs counts once per ticket, and can be present at 300 tickets at most; a ticket lists up to 100 callers.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        post: operations["setPresence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a problem without signing in
         * @description Requires `requesterAccess: "anyone"` in the configuration of the organisation. Raises a ticket of type `general`; if that type has `requester: false`, no report is accepted. Limits: 5 reports per hour from an address and 20 for a room; after 30 reports without `X-Atrium-Proof` in an organisation within an hour, further ones need a proof. All callers without a credential share one space of idempotency keys: generate a random `Idempotency-Key`, and retry the report with the same key until there is a response. Retries do not count towards the limits.
         */
        post: operations["reportWithoutSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/report/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A challenge for a proof of work
         * @description Solving it takes about half a second in a browser. A solution is valid for one report within ten minutes. The server does not store the challenge.
         */
        get: operations["readReportChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/report/place": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the place on a label
         * @description Returns only names, and only for organisations that accept reports without sign-in.
         */
        get: operations["readReportPlace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/report/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a report
         * @description The token of a `statusUrl` is sent in a header, so that no address, log or `Referer` contains it. It expires 90 days after the report or 14 days after the ticket was closed. It does not work after the service desk has revoked it, nor while the organisation accepts no reports without sign-in.
         */
        get: operations["readReportStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/requests/{id}/status-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status link of a ticket's reporter
         * @description 404 unless the ticket was reported without sign-in.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["getStatusLink"];
        put?: never;
        post?: never;
        /**
         * Revoke the status link of a ticket
         * @description The link stops working at once and permanently. Revoking it again changes nothing.
         *
         *     Needs the permission `service-desk.tickets:write`.
         */
        delete: operations["revokeStatusLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/backlog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open tickets at the end of each interval, by state
         * @description Every state with pending work counts as open. For an interval that has not ended, the tickets that are open now. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getBacklogReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/throughput": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tickets created and resolved
         * @description A ticket that is reopened and resolved again counts again. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getThroughputReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Time to the first response
         * @description Tickets that were first assigned in the interval, with the elapsed minutes since the ticket was raised. Percentiles are actual values, not interpolated. `met` and `missed` count the tickets with that clock by their recorded breaches, so working hours and pauses are taken into account. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getResponseReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/resolution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Time to resolution
         * @description All resolutions in the interval, including repeated ones, with the elapsed minutes since the ticket was raised. Percentiles are actual values, not interpolated. `met` and `missed` count the tickets with that clock by their recorded breaches, so working hours and pauses are taken into account. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getResolutionReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/attainment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * SLA clocks met and missed
         * @description A clock counts as missed once, at its due time, if its breach is recorded. It counts as met if it ends without a breach: at the first response, or at each resolution. A cancellation meets no clock. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getAttainmentReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/service-desk/reports/reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tickets reopened and resolved
         * @description `rate`: reopened tickets per resolved ticket; `null` if none was resolved. Tickets are filtered and grouped by their current values; all filters must match. With `Accept: text/csv`, one row per interval and series.
         *
         *     Needs the permission `service-desk.reports:read`.
         */
        get: operations["getReopenedReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's erasures, newest first
         * @description The list identifies no person: it contains no name, address or account id.
         *
         *     Needs the permission `platform.erasure:write`.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Erase a person
         * @description Destroys the keys that encrypt the personal data of the person; every response then has `erased: true` in place of the person. A repeated request for the same person returns the same erasure.
         *
         *     Needs the permission `platform.erasure:write`.
         */
        post: operations["requestErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/erasures/{erasureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state and the findings of an erasure
         * @description Needs the permission `platform.erasure:write`.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subjects/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data of a person
         * @description Give the account or the e-mail address; the directory links the two. NDJSON lines: the person's erasures, the profile, the tickets that they raised or reported, all their actions on tickets, and their attachments, each followed by its content in parts. A line `unreadable` names a ticket whose events this release cannot read; `end` counts them. At most 100000 tickets. The response waits, at most 2 s, until it includes everything that was in the log at the time of the request; otherwise it has the header `X-Atrium-Stale: true`. An archive without the line `end` is incomplete.
         *
         *     Needs the permission `platform.erasure:write`.
         */
        get: operations["exportPerson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Discover the authorization server
         * @description OAuth 2.0 Protected Resource Metadata (RFC 9728), for clients with a sign-in.
         */
        get: operations["readIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller and its permissions
         * @description Accepts any credential: a portal session of any role, a key of any scope.
         */
        get: operations["whoAmI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The session of this browser
         * @description For pages: the signed-in person and the organisation. The response contains no token. At the address of a sandbox it includes the sandbox, or is 404 if the caller has no access to a sandbox there.
         */
        get: operations["readSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own sessions
         * @description Every browser in which the person is signed in, at every address of the server.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your own sessions
         * @description Its browser has to sign in again. The session of this request can be ended too; `POST /session/logout` also signs out at the issuer.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organisation's API keys
         * @description Newest first. Of the expired and revoked keys those that were issued last, at most 1,000; the audit has all. Also allowed with a `full` key.
         *
         *     Needs the permission `platform.keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Mint an API key
         * @description Needs a signed-in person; an API key cannot mint another one. The plaintext token is returned only in this response.
         *
         *     Needs the permission `platform.keys:write`, and a signed-in person.
         */
        post: operations["mintKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key is denied from its next request on. Repeating the request returns 204. An expired key also returns 204 and stays expired. Also allowed with a `full` key.
         *
         *     Needs the permission `platform.keys:write`, and a signed-in person.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The audit trail of the organisation's API keys, newest first
         * @description Records of the last 18 months. Needs a signed-in person; API keys are refused. The response waits, at most 2 s, until it includes everything that was in the log at the time of the request; otherwise it has the header `X-Atrium-Stale: true`. With `Accept: application/x-ndjson` or `text/csv`, the whole selection is returned as a file. With `after`, oldest first in the order of the log, for programs that must not miss a record. An operator without an organisation gets the denials that belong to no organisation.
         *
         *     Needs the permission `platform.audit:read`, and a signed-in person.
         */
        get: operations["readKeyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{keyId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A key's records from the event log, oldest first
         * @description Issuance and revocation of any age, uses within the last 18 months. A page can be short or empty while `nextCursor` is not `null`. With `asOf`, the state of the key at that time; 404 if it had not been issued.
         *
         *     Needs the permission `platform.audit:read`, and a signed-in person.
         */
        get: operations["readKeyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's sandboxes
         * @description Newest first, without deleted and expired ones.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSandboxes"];
        put?: never;
        /**
         * Request a sandbox
         * @description The sandbox is provisioned in the background: poll `Location` until its status is no longer `provisioning`. Sending the same body twice creates two sandboxes; with the same `Idempotency-Key`, one. With `fromSnapshot` the sandbox has the content of the snapshot, including ids but without webhooks.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        post: operations["createSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one sandbox
         * @description While the status is `provisioning`, poll again after `Retry-After`.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        /**
         * Delete a sandbox at once
         * @description The database is dropped in the background. If the sandbox is still being provisioned, provisioning is aborted, and the sandbox counts towards the quota until that has ended. Repeating the request returns 404, under the same `Idempotency-Key` 204.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        delete: operations["deleteSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend the lifetime of a sandbox
         * @description Adds the days to the current expiry. The new expiry is at most 30 days from now. A sandbox can be extended twice.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        post: operations["extendSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a sandbox
         * @description Creates a new database with the same building: with new internal ids and the same externalIds. Tickets and webhooks are deleted; address, expiry and extensions stay. A sandbox that was created from a snapshot returns to the snapshot, including its ids.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The requests to a sandbox within the last day
         * @description Oldest first, about a second after their responses, at most 10,000. Paths, queries, headers and bodies are not stored. For debugging, not for audits: after a crash and under heavy load, requests are missing.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSandboxRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}/planted-faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deliberate faults in a sandbox's values
         * @description Ground truth to score a fault detector: computed from the same curves as the values, including those of the live feed and of skipped time, and limited to `from` and `to`. While the sandbox sleeps, it has no values. A fan fault is visible only while the building is unoccupied. More than 50,000 points are refused.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listPlantedFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandboxes/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snapshots of a sandbox
         * @description Newest first, without deleted and expired ones.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSandboxSnapshots"];
        put?: never;
        /**
         * Create a snapshot of a sandbox
         * @description The snapshot is created in the background: poll `Location` until its status is no longer `creating`. The sandbox sleeps while it is copied: its requests wait up to a few seconds, or are answered 503 with `Retry-After`, and its live connections are closed. A snapshot is independent of later resets and of the deletion of its sandbox, and counts towards the limit of the sandbox's developer.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        post: operations["createSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snapshots of the caller's sandboxes
         * @description Newest first, including snapshots of deleted sandboxes, without deleted and expired ones.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{snapshotId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one snapshot
         * @description While the status is `creating`, poll again after `Retry-After`.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description Sandboxes that were created from it stay, but can no longer be reset. Repeating the request returns 404, under the same `Idempotency-Key` 204.
         *
         *     Needs the permission `platform.sandboxes:write`.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a building from a document
         * @description Atomic: everything is imported or nothing. Sending the same document twice creates two buildings; with the same `Idempotency-Key`, one. A duplicate code or external identifier is refused with `CONFLICT`. Nodes of an IFC file get the `sourceSystem` `ifc` and their GlobalId as `externalId`; their codes are generated from their names and stay the same as long as the GlobalId does. Errors give the path in a document, or the line of a file. A sensor of an IFC file becomes a point of the element it is assigned to, else of an element `sensors` of its room. A file with several buildings needs `building`; the error lists them. With `dryRun=true` the response is a 200 without an id. If `Accept` prefers NDJSON, the response is a 200 that starts when the document has been received: one line per phase, and finally the `result` or the `problem`.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        post: operations["importBuilding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a document into a building
         * @description Atomic: everything is imported or nothing. A node of the document is matched to the node with the same (sourceSystem, externalId), else to the node of its kind with the same code. `replace=false` adds new nodes, updates nodes that the document contains, and removes nothing. `replace=true` recreates every node of the model: internal ids change, external ids stay. With `model`, the document is one of several models, and nodes of other models stay unchanged: its storeys and rooms are matched to those of other models by identity, storeys also by elevation and name; `storeys` in the response lists the matches. Elements without a room in the document are assigned to the room whose outline contains them. A document without storeys and with `replace=true` removes a model. If `Accept` prefers NDJSON, the response is a 200 that starts when the document has been received: one line per phase, and finally the `result` or the `problem`.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        post: operations["importIntoBuilding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the spaces of a building, by code
         * @description All filters must match. There is no filter for externalId or code: neither is a lookup key.
         *
         *     Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listSpaces"];
        put?: never;
        /**
         * Add a space to a storey
         * @description Code and `externalId` are both stored. A code that another space of the building has is refused with `CONFLICT`, as is an `externalId` that the same `sourceSystem` already has; a storey of another building with `REFERENCE_NOT_FOUND`. 503 while an import into the building is running.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        post: operations["createSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The internal ids of nodes, by their external identifiers or codes
         * @description A code can belong to one node of each kind, and without `sourceSystem` an `externalId` to several source systems: all matches are returned. Changes nothing.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        post: operations["resolveNodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/spaces/{spaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one space
         * @description Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getSpace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/elements/{elementId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one element (a piece of equipment)
         * @description For requesters, only its name and place, as on a label.
         *
         *     Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getElement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/points/{pointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one point
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["getPoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/data-layers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The building's data layers, by slug
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listDataLayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/data-layers/{layerSlug}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values of a data layer, sorted by room code
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listLayerValues"];
        /**
         * Write the values of a data layer to rooms
         * @description Written in one transaction. The first upload creates the layer. A key that matches no room is no error: it is listed in `unmatched`. A key that matches several rooms writes to none of them: it is listed in `diagnostics`. 503 while an import into the building is running.
         *
         *     Needs the permission `platform.telemetry:write`.
         */
        put: operations["putLayerValues"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plan of a storey
         * @description In metres, in the storey’s own coordinates, y upwards. If no room has an outline, rooms are rectangles sized by their area, and `schematic` is true.
         *
         *     Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/spaces/{spaceId}/outline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the outline of a space
         * @description Returns the outline as stored: in whole millimetres, counter-clockwise. `null` removes it. Repeating the request changes nothing. 503 while an import into the building is running.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        put: operations["putSpaceOutline"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/plan/colours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The values by which the rooms of a plan are coloured
         * @description The highest priority of the open tickets (also needs `service-desk.tickets:read`), the highest severity of the open faults, the value of a data layer, or the mean of a room’s points of one class. Rooms without a value are left out. `at` applies to faults and points.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        get: operations["getPlanColours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/plan/colourings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values that a plan can be coloured by
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listPlanColourings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/storeys/{storeyId}/plan.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The plan of a storey as a picture
         * @description SVG without scripts or external resources, in the colours of `getPlanColours`; rooms with overdue tickets are hatched. The `ETag` changes with the picture. For requesters, the plan has no colours.
         *
         *     Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getPlanPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's buildings, by code
         * @description Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listBuildings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one building
         * @description Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["getBuilding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/storeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the storeys of a building, from the lowest up
         * @description Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listStoreys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/elements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the elements of a building, by code
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listElements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/points": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the points of a building, by code
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listPoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest observations of points
         * @description Atomic, and durable before the response. An observation with the same point and time replaces the value, so a request without a response can safely be retried. A batch spans at most 40 different days (UTC). Errors give the path, such as `observations[1].pointId`. Each point of the batch is published once, with its latest value. Observations that are older than the retention period are accepted, but not returned by any read. For each organisation, batches of more than 500 observations are processed one at a time; others wait.
         *
         *     Needs the permission `platform.telemetry:write`.
         */
        post: operations["ingestObservations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/points/{pointId}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Samples of a point, oldest first
         * @description Samples, or with `bucket` aggregates for each time bucket with samples. A response has at most 10,000 rows; continue with `from` set to `nextFrom`.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        get: operations["listObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/diagnostic-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The building's diagnostic rules, oldest first
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listDiagnosticRules"];
        put?: never;
        /**
         * Create a diagnostic rule for a point or a point class
         * @description The rule evaluates each point from its next sample on. It opens one fault per point, which closes when the condition no longer holds; while the fault is open, the rule opens no other one for that point. After 12 faults for a point within an hour, the last one stays open as `flapping` until the condition is quiet. A building has at most 200 rules, of which at most 20 can match one point. With `raiseTicket` each fault raises a ticket, at most 20 per rule and hour.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        post: operations["createDiagnosticRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/diagnostic-rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one diagnostic rule
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["getDiagnosticRule"];
        put?: never;
        post?: never;
        /**
         * Delete a rule and close its faults
         * @description Again: 404; a repeat under the same `Idempotency-Key`: 204.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        delete: operations["deleteDiagnosticRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/diagnostic-rules/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dry run: the faults that a rule would have found in stored samples
         * @description Nothing is stored. The number of points times the number of days is at most 3,660: one point for ten years, or a hundred points for a month. A dry run that finds more than 10,000 faults is refused with `VALIDATION_FAILED`. Expired samples are not evaluated.
         *
         *     Needs the permission `platform.buildings:write`.
         */
        post: operations["tryDiagnosticRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The building's faults, newest first
         * @description Callers who may read tickets also get the `ticket` of each fault.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        get: operations["listFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/faults/{faultId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one fault
         * @description Callers who may read tickets also get its `ticket`.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        get: operations["getFault"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/buildings/{buildingId}/faults/{faultId}/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Raise a ticket for a fault
         * @description Subject, description and place come from the fault; its severity becomes the priority if it is one of the priorities. A fault has one ticket: if it already exists, it is returned with 200, in any state. When the fault closes, the ticket gets a note and is resolved, unless its state or assignment has been changed by anything but a rule. Also needs `service-desk.tickets:write`.
         *
         *     Needs the permission `platform.buildings:read`.
         */
        post: operations["raiseFaultTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organisation's webhooks, oldest first
         * @description Needs the permission `platform.webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe a URL to events
         * @description The full secret is returned only in this response. The URL must be a public https URL; it is checked again before each delivery.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description Needs the permission `platform.webhooks:read`.
         */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description A delivery attempt in progress is finished; no further one is sent.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change URL, events, building or description
         * @description Absent members stay. Pending deliveries are sent to the new URL.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Generates a new secret; the response contains it in full. The replaced secret signs for another 24 hours: `X-SVC-Signature-Previous` lists the signatures of all replaced secrets that still sign, newest first, and `webhook-signature` lists the signatures of all secrets. While 5 replaced secrets still sign, another rotation is refused with `CONFLICT`.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/reset-failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear the failure counter and resume delivery
         * @description Changes nothing if the webhook is active and has no failures.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["resetWebhookFailures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send `webhook.test`
         * @description Makes one attempt, even if the webhook is paused. A failure is not counted; a success resumes a paused webhook.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the events that were left out during a pause
         * @description Queues the events that were left out between `since` and `until` because the webhook was paused, of the last 7 days: the answer is the period that is covered. Their idempotency keys are the original ones, so repeating the request is safe.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["recoverWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last 50 delivery attempts, newest first
         * @description Needs the permission `platform.webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver
         * @description Starts a new delivery, from attempt 1, of a recently attempted delivery or a dead letter. The idempotency key stays the same, because the event is the same.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bus/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read published events, in order
         * @description A page can be short or empty before the end: continue from `nextCursor` until `caughtUp`, and later resume from the last `nextCursor`.
         *
         *     Needs the permission `platform.bus:read`.
         */
        get: operations["readBusEvents"];
        put?: never;
        /**
         * Publish an event to the internal bus
         * @description Durable before the answer; its effects follow. An event is known by its `eventId`; one without is known by the `Idempotency-Key` and its body, so that another body is another event. Accepted types: `cafm.work-order.created`, `cafm.work-order.updated`, `cafm.work-order.completed`, `wifi-sensing.event`, `wifi-sensing.occupancy.changed`, `wifi-sensing.hvac.presence`, `wifi-sensing.meeting.lifecycle`.
         *
         *     Needs the permission `platform.bus:publish`.
         */
        post: operations["publishBusEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bus/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Parked messages: received, but without effect so far
         * @description Needs the permission `platform.bus:read`.
         */
        get: operations["listParkedMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status of each read model
         * @description Needs the permission `platform.operations:read`.
         */
        get: operations["listProjections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections/{name}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rebuild a read model next to the live one, then replace it
         * @description Carried out by the process that updates the read model; queries are served throughout. For the progress see `GET /api/v1/operations/projections`, for the outcome the requests of the read model.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["rebuildProjection"];
        /**
         * Cancel the requested or running rebuild or verification
         * @description The live read model stays unchanged.
         *
         *     Needs the permission `platform.operations:write`.
         */
        delete: operations["cancelRebuild"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections/{name}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The requests to a read model and their outcomes
         * @description Needs the permission `platform.operations:read`.
         */
        get: operations["listProjectionRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections/{name}/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Parked streams of a read model, with their errors
         * @description Needs the permission `platform.operations:read`.
         */
        get: operations["listParkedStreams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections/{name}/parked/{stream}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a parked stream from its first parked event
         * @description The process that updates the read model carries this out within seconds.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["retryParkedStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/projections/{name}/parked/{stream}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the event that parked a stream, and continue with the stream
         * @description The process that updates the read model carries this out within seconds.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["skipParkedStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status of each process and table of timers
         * @description Needs the permission `platform.operations:read`.
         */
        get: operations["listProcesses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/processes/{name}/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Parked streams or stuck timers of a process, with their errors
         * @description The first 1000 by name; `listProcesses` counts all.
         *
         *     Needs the permission `platform.operations:read`.
         */
        get: operations["listParkedOfProcess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/processes/{name}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a parked stream from its first parked event, or a stuck timer
         * @description The server process that runs it carries this out within seconds.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["retryParkedOfProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/processes/{name}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the event that parked a stream, or the due time of a stuck timer
         * @description The server process that runs it carries this out within seconds.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["skipParkedOfProcess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/feed/blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tickets that block a change feed
         * @description Tickets with a change that a reader of the feed has reached and that this release cannot read.
         *
         *     Needs the permission `platform.operations:read`.
         */
        get: operations["listBlockedTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/feed/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the unreadable changes of a ticket in the change feed
         * @description Readers of the feed get an item `unreadable` instead, and one for each later change of the ticket, until a release can read it. Idempotent.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["skipBlockedTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/streams/{stream}/parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The read models, processes and feeds that have parked a stream, with their errors
         * @description The events that a skip would leave out. Empty if the stream is not parked.
         *
         *     Needs the permission `platform.operations:read`.
         */
        get: operations["listWhereStreamIsParked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operations/streams/{stream}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the event that parked a stream, wherever it is parked
         * @description The processes that own the stream carry this out within seconds. Repeating the request is safe; `items` is empty if the stream is not parked.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["skipStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The platform's time
         * @description Needs the permission `platform.operations:read`.
         */
        get: operations["readClock"];
        put?: never;
        /**
         * Move the virtual clock forward (in development and in sandboxes)
         * @description Everything that falls due in between happens in order, each at its own time. An advance that takes longer than 30 s is answered with 202 and continues: `GET` shows its progress. The clock never goes back, and keeps its time over a restart. An advance that stops before its target (503, or a restart of the server) continues when the request is repeated with the same `Idempotency-Key`. A second advance at the same time is refused with 409. The advances of one sandbox cover at most 732 days per hour; beyond that, 429.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "building.point.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** New observations changed a point */
        post: operations["sendPointUpdatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "building.alarm.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A diagnostic rule opened a fault */
        post: operations["sendAlarmTriggeredEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "building.element.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reserved: not sent yet */
        post: operations["sendElementStatusChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "building.changeset.applied": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reserved: not sent yet */
        post: operations["sendChangesetAppliedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test of the webhook was requested */
        post: operations["sendWebhookTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Actor: {
            /** @enum {string} */
            kind: "user" | "client" | "key" | "system";
            id: string;
            name?: string;
            /**
             * @description The person was erased; `id` is a placeholder.
             * @constant
             */
            erased?: true;
        };
        AddedNote: {
            id: string;
            body: string;
            /** @enum {string} */
            visibility: "public" | "internal";
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * @description The text of the note was erased.
             * @constant
             */
            erased?: true;
            /** @description The files attached with the note. */
            attachments?: components["schemas"]["Attachment"][];
        };
        AlarmTriggered: {
            /** Format: uuid */
            buildingId: string;
            /** Format: uuid */
            faultId: string;
            severity: string;
            title: string;
            pointId: string | null;
            elementId: string | null;
            /** Format: uuid */
            alarmId: string;
            /** Format: uuid */
            ruleId: string;
            value: number | boolean;
            threshold: number;
            /** Format: date-time */
            triggeredAt: string;
        };
        AlarmTriggeredEvent: {
            /** @constant */
            event: "building.alarm.triggered";
            data: components["schemas"]["AlarmTriggered"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        Alive: {
            /** @constant */
            status: "alive";
        };
        AllowedTransitions: {
            /** @enum {string} */
            from: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            allowed: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
        };
        /** @description The ticket already has a rating */
        AlreadyRatedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "ALREADY_RATED";
        };
        AssignedTicket: {
            /** Format: uuid */
            id: string;
            /** @description `SR-` and at least six digits; unique in the organisation. */
            number: string;
            organisationId: string;
            /** Format: uuid */
            buildingId: string;
            storeyId: string | null;
            spaceId: string | null;
            elementId: string | null;
            requestType: string;
            subject: string | null;
            description: string;
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            category: string | null;
            /** @enum {string} */
            channel: "portal" | "email" | "phone" | "api" | "system";
            reporterName: string | null;
            reporterEmail: string | null;
            reporterPhone: string | null;
            /** @description Name, address and phone of the reporter were erased. */
            reporterErased: boolean;
            formData: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            assignedUserId: string | null;
            assignedTeamId: string | null;
            slaFirstResponseDueAt: string | null;
            slaResolutionDueAt: string | null;
            slaFirstResponseBreached: boolean;
            slaResolutionBreached: boolean;
            /** @description Since when the ticket has been in a state that pauses its SLA clocks. Clocks that were not yet due are stopped; when the ticket leaves the state, their due times move by the length of the pause. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault for which the ticket was raised, by a diagnostic rule or by a person. */
            faultId: string | null;
            /** @description The rating by the requester who raised the ticket. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Increases with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description The same revision as in the `ETag`. */
            revision: number;
            /** @description Assignees that do not exist. Absent if there are none, or if no directory is configured. */
            warnings?: string[];
        };
        /**
         * @example {
         *       "assignedTeamId": "hvac"
         *     }
         */
        Assignment: {
            /** @description `null` removes the assignee; if absent, the assignee stays. */
            assignedUserId?: string | null;
            assignedTeamId?: string | null;
            note?: string;
        };
        Attachment: {
            /** Format: uuid */
            attachmentId: string;
            name: string;
            /** @description Detected from the content; the type that the sender declared is ignored. */
            mediaType: string;
            bytes: number;
            /** @description In hexadecimal; also the `ETag` of the download. */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @enum {string} */
            visibility: "public" | "internal";
            /**
             * Format: uuid
             * @description The note with which the file was attached.
             */
            noteId?: string;
            /** @description Path of the preview, for pictures of a supported type. Present in responses of this resource, not in the change feed. The preview can still answer 404 if the picture cannot be decoded. */
            preview?: string;
        };
        AttachmentForm: {
            /** Format: binary */
            file: string;
            /** @enum {string} */
            visibility?: "public" | "internal";
        };
        AttachmentList: {
            items: components["schemas"]["Attachment"][];
        };
        /** @description The file cannot be attached */
        AttachmentRefusedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "ATTACHMENT_REFUSED";
            /** @enum {string} */
            reason: "type" | "size" | "count" | "broken" | "infected";
        };
        AttainmentReport: {
            /** @enum {string} */
            report: "backlog" | "throughput" | "response" | "resolution" | "attainment" | "reopened";
            timeZone: string;
            /** @enum {string} */
            interval: "day" | "week" | "month";
            groupBy: ("building" | "storey" | "space" | "category" | "team" | "elementType" | "priority") | null;
            /** @description In chronological order; intervals that begin in the future are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["AttainmentSeries"][];
        };
        AttainmentSeries: {
            /**
             * @description `none`: tickets without a value for `groupBy`; `others`: all groups without a series of their own.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value of `groupBy`: an id or a text. */
            key: string | null;
            /** @description The display name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["AttainmentValue"][];
        };
        AttainmentValue: {
            firstResponse: components["schemas"]["ClockResults"];
            resolution: components["schemas"]["ClockResults"];
        };
        AuditPage: {
            items: components["schemas"]["AuditRecord"][];
            /** @description `null` on the last page; with `after`, never `null`. */
            nextCursor: string | null;
        };
        AuditRecord: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            action: "key.issued" | "key.used" | "key.revoked";
            /** @enum {string} */
            outcome: "allowed" | "denied";
            /** @description Why the request was denied. `restored`: a revocation that was recorded again, with its original time and actor, after the log was restored from a backup. */
            reason: ("revoked" | "expired" | "unknown" | "secret_mismatch" | "scope" | "restored") | null;
            keyId: string | null;
            label: string | null;
            scope: ("sandbox" | "publish" | "full") | null;
            expiresAt: string | null;
            /** @description `null` if unknown. */
            actor: components["schemas"]["Actor"] | null;
            /** @description `GET /api/v1/sandboxes/{id}` */
            route: string | null;
            sourceIp: string | null;
            userAgent: string | null;
            /** @description Only in a summary: the number of denials that it stands for; `null` if that number was lost. */
            count?: number | null;
            /** Format: date-time */
            firstAt?: string;
            /** Format: date-time */
            lastAt?: string;
        };
        BacklogReport: {
            /** @enum {string} */
            report: "backlog" | "throughput" | "response" | "resolution" | "attainment" | "reopened";
            timeZone: string;
            /** @enum {string} */
            interval: "day" | "week" | "month";
            groupBy: ("building" | "storey" | "space" | "category" | "team" | "elementType" | "priority") | null;
            /** @description In chronological order; intervals that begin in the future are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["BacklogSeries"][];
        };
        BacklogSeries: {
            /**
             * @description `none`: tickets without a value for `groupBy`; `others`: all groups without a series of their own.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value of `groupBy`: an id or a text. */
            key: string | null;
            /** @description The display name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["BacklogValue"][];
        };
        BacklogValue: {
            new: number;
            triaged: number;
            in_progress: number;
            waiting: number;
            reopened: number;
            total: number;
        };
        BlockedTicket: {
            ticketId: string;
            /**
             * Format: uuid
             * @description The first event of the ticket that cannot be read.
             */
            eventId: string;
            revision: number;
            /** @description The organisation whose feed is blocked. */
            organisation: string | null;
            position: string;
            /**
             * Format: date-time
             * @description When the event was recorded.
             */
            since: string;
            error: string;
        };
        BlockedTicketList: {
            items: components["schemas"]["BlockedTicket"][];
        };
        Building: {
            /**
             * Format: uuid
             * @description Internal id. An import with `replace=true` creates a new one.
             */
            id: string;
            /** @description Stays the same across imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            site: components["schemas"]["NodeLabel"];
            /** @description The named models of the building, sorted by name. */
            models: string[];
        };
        /**
         * @example {
         *       "site": {
         *         "code": "HARBOUR",
         *         "name": "Harbour Quarter"
         *       },
         *       "building": {
         *         "code": "H2",
         *         "name": "Warehouse",
         *         "storeys": [
         *           {
         *             "code": "00",
         *             "name": "Ground floor",
         *             "level": 0,
         *             "spaces": [
         *               {
         *                 "code": "00-001",
         *                 "name": "Loading bay",
         *                 "spaceTypeSlug": "loading",
         *                 "areaSqm": 150
         *               }
         *             ]
         *           }
         *         ]
         *       }
         *     }
         */
        BuildingDocument: {
            /** @description The site of the building. An existing site of the organisation with the same code is reused. */
            site: {
                /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
                code: string;
                name: string;
            };
            building: {
                /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
                code: string;
                name: string;
                /** @description Direction of north on the plans, in degrees clockwise from +y. */
                north?: number | null;
                /** @description Identifier in the source system. Requires `sourceSystem`. */
                externalId?: string | null;
                /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
                sourceSystem?: string | null;
                storeys?: components["schemas"]["StoreyDocument"][];
            };
        };
        BuildingImport: {
            /** Format: uuid */
            buildingId: string;
            created: components["schemas"]["NodeCounts"];
            updated: components["schemas"]["NodeCounts"];
            /** @description With `replace=true`, every node that the model had before. */
            removed: components["schemas"]["NodeCounts"];
            gone: components["schemas"]["GoneCounts"];
            outlines: components["schemas"]["OutlineCounts"];
            /** @description The storeys of the building to which the storeys of the document were matched; the first 1000. */
            storeys: components["schemas"]["StoreyMatch"][];
            elements: components["schemas"]["ElementPlaces"];
            /** @description Parts of the file that were interpreted or left out, each with its line. */
            warnings: string[];
        };
        BuildingImportLine: {
            /** @enum {string} */
            phase: "reading" | "shapes" | "writing";
            /** @description Size of the received document, in the phase `reading`. */
            bytes?: number;
            /** @description Number of nodes to compare and write, in the phase `writing`. */
            nodes?: number;
        } | {
            result: {
                created: components["schemas"]["NodeCounts"];
                updated: components["schemas"]["NodeCounts"];
                /** @description With `replace=true`, every node that the model had before. */
                removed: components["schemas"]["NodeCounts"];
                gone: components["schemas"]["GoneCounts"];
                outlines: components["schemas"]["OutlineCounts"];
                /** @description The storeys of the building to which the storeys of the document were matched; the first 1000. */
                storeys: components["schemas"]["StoreyMatch"][];
                elements: components["schemas"]["ElementPlaces"];
                /** @description Parts of the file that were interpreted or left out, each with its line. */
                warnings: string[];
                /** Format: uuid */
                buildingId?: string;
            };
            /** @description The same as the header `Idempotent-Replayed`. */
            replayed: boolean;
        } | {
            problem: {
                code: string;
            } & {
                [key: string]: unknown;
            };
        };
        BuildingImportPreview: {
            created: components["schemas"]["NodeCounts"];
            updated: components["schemas"]["NodeCounts"];
            /** @description With `replace=true`, every node that the model had before. */
            removed: components["schemas"]["NodeCounts"];
            gone: components["schemas"]["GoneCounts"];
            outlines: components["schemas"]["OutlineCounts"];
            /** @description The storeys of the building to which the storeys of the document were matched; the first 1000. */
            storeys: components["schemas"]["StoreyMatch"][];
            elements: components["schemas"]["ElementPlaces"];
            /** @description Parts of the file that were interpreted or left out, each with its line. */
            warnings: string[];
        };
        BuildingPage: {
            items: components["schemas"]["Building"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        /** @description One of these actions, with the body that the operation for a single ticket accepts. */
        BulkAction: {
            assign?: components["schemas"]["Assignment"];
            transition?: components["schemas"]["Transition"];
            patch?: components["schemas"]["TicketPatch"];
            note?: components["schemas"]["NoteOfStaff"];
        };
        BusEvent: {
            position: string;
            subject: string;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            at: string;
        };
        BusEventPage: {
            items: components["schemas"]["BusEvent"][];
            /** @description Cursor for `after`. Messages of other buildings do not advance it. */
            nextCursor: string;
            /** @description `true` if the page reaches the end as of the request; `false`: request the next page at once. */
            caughtUp: boolean;
        };
        BusinessCalendar: {
            /** @description IANA name, such as Europe/Berlin. */
            timeZone: string;
            weekly: components["schemas"]["BusinessWeek"];
            holidays: string[];
        };
        BusinessWeek: {
            monday?: string[][];
            tuesday?: string[][];
            wednesday?: string[][];
            thursday?: string[][];
            friday?: string[][];
            saturday?: string[][];
            sunday?: string[][];
        };
        ChangesetAppliedEvent: {
            /** @constant */
            event: "building.changeset.applied";
            data: {
                /** Format: uuid */
                buildingId: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        /**
         * @example {
         *       "advance": "PT1H"
         *     }
         */
        ClockAdvance: {
            advance: string;
        };
        ClockAdvancing: {
            /** Format: date-time */
            now: string;
            /** Format: date-time */
            target: string;
        };
        ClockNow: {
            /** Format: date-time */
            now: string;
        };
        ClockResults: {
            met: number;
            missed: number;
            /** @description The share of `met` in `met` and `missed`. */
            share: number | null;
        };
        ClockTime: {
            /** Format: date-time */
            now: string;
            /**
             * Format: date-time
             * @description The target of the latest advance, until the clock has reached it.
             */
            target?: string;
            /**
             * @description Present together with `target`. Repeat the request of a stopped advance to continue it.
             * @enum {string}
             */
            state?: "advancing" | "stopped";
        };
        /**
         * @example {
         *       "configuration": {
         *         "slaPolicies": [],
         *         "calendars": {},
         *         "routingRules": [],
         *         "workflows": []
         *       },
         *       "limit": 10
         *     }
         */
        ConfigurationTrial: {
            configuration: components["schemas"]["ServiceDeskConfiguration"];
            /** @default 100 */
            limit?: number;
        };
        ConfigurationTrialResult: {
            items: components["schemas"]["TriedTicket"][];
            /** @description Accepted, but probably a mistake: a match on a place that does not exist, a rule that an earlier `stop` always prevents, a state without a way out in a workflow, a team member or an assignee that does not exist. */
            warnings: string[];
        };
        ConfiguredServiceDesk: {
            /** @description Time zone of the days in reports, such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["StoredSlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["StoredBusinessCalendar"];
            };
            routingRules: components["schemas"]["StoredRoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Who may report problems as a requester: nobody (`off`), signed-in people with the role `requester` (`signed-in`), or also people without sign-in (`anyone`). Default `off`.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description The personal data of closed and cancelled tickets is erased after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description The forms of these types validate `formData`. The `formData` of any other request type is free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
            /** @description Accepted, but probably a mistake: a match on a place that does not exist, a rule that an earlier `stop` always prevents, a state without a way out in a workflow, a team member or an assignee that does not exist. */
            warnings: string[];
        };
        /** @description The request conflicts with the current state */
        ConflictProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "CONFLICT";
            /** @description Path and message of each error, such as `building.storeys[0].code`. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @description The request came from a page of another origin */
        CrossSiteProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "CROSS_SITE";
        };
        /** @description The events before the cursor were lost */
        CursorLostProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 410;
            /** @constant */
            code: "CURSOR_LOST";
            restartAt: string;
        };
        DataLayer: {
            slug: string;
            /** @description Number of rooms that have a value in the layer. */
            values: number;
            /** Format: date-time */
            createdAt: string;
        };
        DataLayerPage: {
            items: components["schemas"]["DataLayer"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        Degraded: {
            /** @constant */
            status: "degraded";
            /** @description The optional parts that are unavailable. */
            reasons: string[];
        };
        DiagnosticRule: {
            /** Format: uuid */
            ruleId: string;
            title: string;
            /** @description Free text; critical, high, medium and low are common. */
            severity: string;
            /**
             * @description `stale`: `threshold` seconds have passed since the last observation, or since the rule was created where there is no observation.
             * @enum {string}
             */
            comparison: "gt" | "gte" | "lt" | "lte" | "stale";
            /** @description A value in the unit of the point, stored as the nearest double (IEEE 754); for a boolean point, yes is 1. For `stale`, a number of seconds above 0. */
            threshold: number;
            /**
             * Format: uuid
             * @description The current internal id of the point.
             */
            pointId?: string;
            pointClass?: string;
            forSeconds: number;
            /** @description If absent, the faults of the rule raise no tickets. */
            raiseTicket?: components["schemas"]["RaiseTicket"];
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @example {
         *       "title": "Too warm",
         *       "severity": "high",
         *       "pointClass": "Zone_Air_Temperature_Sensor",
         *       "comparison": "gt",
         *       "threshold": 26,
         *       "forSeconds": 900
         *     }
         */
        DiagnosticRuleDraft: {
            title: string;
            /** @description Free text; critical, high, medium and low are common. */
            severity: string;
            /**
             * @description `stale`: `threshold` seconds have passed since the last observation, or since the rule was created where there is no observation.
             * @enum {string}
             */
            comparison: "gt" | "gte" | "lt" | "lte" | "stale";
            /** @description A value in the unit of the point, stored as the nearest double (IEEE 754); for a boolean point, yes is 1. For `stale`, a number of seconds above 0. */
            threshold: number;
            /**
             * Format: uuid
             * @description Internal id of a point. Give either this or `pointClass`.
             */
            pointId?: string;
            /** @description All points of this class, including points that are added later. */
            pointClass?: string;
            /**
             * @description How long the condition must hold before a fault opens. A value holds until the next one; while there is no next one, the platform's clock counts.
             * @default 0
             */
            forSeconds?: number;
            /** @description Each fault raises one ticket. When the fault closes, the ticket gets a note and is resolved, unless its state or assignment has been changed by anything but a rule. Also needs `service-desk.tickets:write`. */
            raiseTicket?: components["schemas"]["RaiseTicket"];
        };
        DiagnosticRuleList: {
            items: components["schemas"]["DiagnosticRule"][];
        };
        Directory: {
            users: components["schemas"]["DirectoryUser"][];
            teams: components["schemas"]["DirectoryTeam"][];
        };
        DirectoryTeam: {
            teamId: string;
            name: string;
            /** @description User ids. */
            members: string[];
            email?: string;
        };
        DirectoryUser: {
            /** @description The `sub` claim of the user's access token. */
            userId: string;
            name: string;
            email?: string;
        };
        /**
         * @example {
         *       "rule": {
         *         "title": "Too warm",
         *         "severity": "high",
         *         "pointClass": "Zone_Air_Temperature_Sensor",
         *         "comparison": "gt",
         *         "threshold": 26,
         *         "forSeconds": 900
         *       },
         *       "from": "2026-03-01T00:00:00Z",
         *       "to": "2026-03-02T00:00:00Z"
         *     }
         */
        DryRun: {
            rule: components["schemas"]["DiagnosticRuleDraft"];
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive; a time in the future is treated as now.
             */
            to: string;
        };
        DurationReport: {
            /** @enum {string} */
            report: "backlog" | "throughput" | "response" | "resolution" | "attainment" | "reopened";
            timeZone: string;
            /** @enum {string} */
            interval: "day" | "week" | "month";
            groupBy: ("building" | "storey" | "space" | "category" | "team" | "elementType" | "priority") | null;
            /** @description In chronological order; intervals that begin in the future are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["DurationSeries"][];
        };
        DurationSeries: {
            /**
             * @description `none`: tickets without a value for `groupBy`; `others`: all groups without a series of their own.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value of `groupBy`: an id or a text. */
            key: string | null;
            /** @description The display name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["DurationValue"][];
        };
        DurationValue: {
            count: number;
            /** @description `null` if the interval has no such tickets. */
            medianMinutes: number | null;
            /** @description `null` if the interval has no such tickets. */
            p90Minutes: number | null;
            met: number;
            missed: number;
            /** @description The share of `met` in `met` and `missed`. */
            share: number | null;
        };
        /** @description A workflow adds a transition that the state graph does not have */
        EdgeNotInGraphProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "EDGE_NOT_IN_GRAPH";
            /** @description Path and message of each error, such as `building.storeys[0].code`. */
            errors?: components["schemas"]["FieldError"][];
        };
        Element: {
            /**
             * Format: uuid
             * @description Internal id. An import with `replace=true` creates a new one.
             */
            id: string;
            /** @description Stays the same across imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` for elements of the building's own, unnamed model. */
            model: string | null;
            elementTypeSlug: string;
            /** @description `null` if the element is in no room. */
            spaceId: string | null;
            /** Format: uuid */
            storeyId: string;
        };
        ElementDocument: {
            /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
            elementTypeSlug: string;
            /** @description Position: `x` and `y` in metres, in the coordinates of outlines. An element that the document places on a storey but in no room is assigned to the room whose outline contains its position. */
            x?: number | null;
            /** @description Position: `x` and `y` in metres, in the coordinates of outlines. An element that the document places on a storey but in no room is assigned to the room whose outline contains its position. */
            y?: number | null;
            /** @description Identifier in the source system. Requires `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
            sourceSystem?: string | null;
            points?: components["schemas"]["PointDocument"][];
        };
        ElementPage: {
            items: components["schemas"]["Element"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        /** @description How the elements of the imported model were assigned to rooms. */
        ElementPlaces: {
            /** @description Elements that the document places in a room. */
            contained: number;
            /** @description Elements assigned to the room whose outline contains their position. */
            byGeometry: number;
            /** @description Elements on a storey, in no room. */
            onStorey: number;
        };
        ElementStatusChangedEvent: {
            /** @constant */
            event: "building.element.status_changed";
            data: {
                /** Format: uuid */
                buildingId: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        Erasure: {
            /** Format: uuid */
            erasureId: string;
            /** @enum {string} */
            status: "running" | "finished";
            /** @enum {string} */
            texts: "keep" | "erase";
            reason: string;
            /**
             * Format: date-time
             * @description The time of the first request for this erasure.
             */
            requestedAt: string;
            /** @description Who made the first request for this erasure. */
            requestedBy: components["schemas"]["Actor"];
            /** @description Totals over all requests for this erasure. `null` until the erasure is finished. */
            found: {
                tickets: number;
                notes: number;
                attachments: number;
                sessions: number;
            } | null;
            finishedAt: string | null;
        };
        ErasurePage: {
            items: components["schemas"]["Erasure"][];
            /** @description `null` on the last page. */
            nextCursor: string | null;
        };
        /** @description One of the events cannot be subscribed to */
        EventNotSubscribableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "EVENT_NOT_SUBSCRIBABLE";
            events: string[];
        };
        ExportedAttachment: {
            /** Format: uuid */
            attachmentId: string;
            name: string;
            /** @description Detected from the content; the type that the sender declared is ignored. */
            mediaType: string;
            bytes: number;
            /** @description In hexadecimal; also the `ETag` of the download. */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @enum {string} */
            visibility: "public" | "internal";
            /**
             * Format: uuid
             * @description The note with which the file was attached.
             */
            noteId?: string;
            /** @description Path of the download on this server. */
            url: string;
        };
        ExportedTicket: {
            /** Format: uuid */
            id: string;
            /** @description `SR-` and at least six digits; unique in the organisation. */
            number: string;
            organisationId: string;
            /** Format: uuid */
            buildingId: string;
            storeyId: string | null;
            spaceId: string | null;
            elementId: string | null;
            requestType: string;
            subject: string | null;
            description: string;
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            category: string | null;
            /** @enum {string} */
            channel: "portal" | "email" | "phone" | "api" | "system";
            reporterName: string | null;
            reporterEmail: string | null;
            reporterPhone: string | null;
            /** @description Name, address and phone of the reporter were erased. */
            reporterErased: boolean;
            formData: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            assignedUserId: string | null;
            assignedTeamId: string | null;
            slaFirstResponseDueAt: string | null;
            slaResolutionDueAt: string | null;
            slaFirstResponseBreached: boolean;
            slaResolutionBreached: boolean;
            /** @description Since when the ticket has been in a state that pauses its SLA clocks. Clocks that were not yet due are stopped; when the ticket leaves the state, their due times move by the length of the pause. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault for which the ticket was raised, by a diagnostic rule or by a person. */
            faultId: string | null;
            /** @description The rating by the requester who raised the ticket. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Increases with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description The same revision as in the `ETag`. */
            revision: number;
            attachments: components["schemas"]["ExportedAttachment"][];
            /**
             * @description This release cannot read the history of the ticket, so that its attachments are missing.
             * @constant
             */
            attachmentsUnreadable?: true;
        };
        /** @description The sandbox cannot be extended again */
        ExtensionLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 429;
            /** @constant */
            code: "EXTENSION_LIMIT_REACHED";
        };
        Fault: {
            /** Format: uuid */
            faultId: string;
            /** Format: uuid */
            ruleId: string;
            /** Format: uuid */
            pointId: string;
            /** Format: uuid */
            elementId: string;
            severity: string;
            title: string;
            /** Format: date-time */
            openedAt: string;
            /** @description `null` while it is open. */
            closedAt: string | null;
            /** @description The value that opened the fault; `null` if a `stale` rule fired for a point without any observation. */
            value: number | boolean | null;
            /** @description Only for a fault that has flapped: after 12 faults of a rule for one point within an hour, the last one stays open. `true` until the condition has not recurred for an hour. */
            flapping?: boolean;
            /** @description Only for a fault that has flapped: how often the condition recurred while the fault stayed open. */
            flapCount?: number;
            /** @description `null` if the fault has no ticket. Absent for callers without permission to read tickets. */
            ticket?: components["schemas"]["FaultTicket"] | null;
        };
        FaultList: {
            items: components["schemas"]["Fault"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        FaultTicket: {
            /** Format: uuid */
            ticketId: string;
            number: string;
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
        };
        FieldCondition: {
            /** @description Key of an earlier field of the form. */
            key: string;
            /** @description The answer that shows this field, or a list of such answers. With several choices, one match is enough. */
            equals: (string | number | boolean) | (string | number | boolean)[];
        };
        FieldError: {
            path: string;
            message: string;
        };
        FieldOption: {
            value: string;
            label: string;
        };
        FileBuilding: {
            globalId: string;
            name: string;
        };
        FormField: {
            /** @description The member of `formData`. */
            key: string;
            label: string;
            /**
             * @description `date` is `YYYY-MM-DD`, `person` a userId, `space` a spaceId of the building of the ticket, `flag` true or false, `choices` a list of options.
             * @enum {string}
             */
            kind: "text" | "number" | "choice" | "choices" | "date" | "flag" | "person" | "space";
            /** @description Whether the field needs an answer while it is shown. Default false. */
            required?: boolean;
            /** @description The options of `choice` and `choices`. */
            options?: components["schemas"]["FieldOption"][];
            /** @description The condition that shows the field. Default: the field is always shown. */
            showIf?: components["schemas"]["FieldCondition"];
            /** @description Bound of a number, of the characters of a `text`, or of the number of `choices`. Default: none. */
            min?: number;
            max?: number;
        };
        FoundFault: {
            /** Format: uuid */
            pointId: string;
            /** Format: date-time */
            openedAt: string;
            /** @description `null` while it is open. */
            closedAt: string | null;
            /** @description The value that opened the fault; `null` if a `stale` rule fired for a point without any observation. */
            value: number | boolean | null;
            /** @description Only for a fault that has flapped: after 12 faults of a rule for one point within an hour, the last one stays open. `true` until the condition has not recurred for an hour. */
            flapping?: boolean;
            /** @description Only for a fault that has flapped: how often the condition recurred while the fault stayed open. */
            flapCount?: number;
        };
        FoundFaultList: {
            items: components["schemas"]["FoundFault"][];
        };
        /** @description Nodes that were removed without a replacement, by kind, and the data that belonged to them. */
        GoneCounts: {
            storeys: number;
            spaces: number;
            elements: number;
            points: number;
        } & {
            [key: string]: number;
        };
        /** @description The request line and the headers are too large */
        HeadersTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 431;
            /** @constant */
            code: "HEADERS_TOO_LARGE";
        };
        HiddenView: {
            /** Format: uuid */
            viewId: string;
            /** @description The author of the view. */
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description The Idempotency-Key was used with another body */
        IdempotencyKeyReusedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 422;
            /** @constant */
            code: "IDEMPOTENCY_KEY_REUSED";
        };
        /** @description Internal error */
        InternalProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 500;
            /** @constant */
            code: "INTERNAL";
        };
        Key: {
            keyId: string;
            label: string;
            /** @enum {string} */
            scope: "sandbox" | "publish" | "full";
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description `null` for a key that an operator minted. */
            expiresAt: string | null;
            revokedAt: string | null;
            revokedBy: components["schemas"]["Actor"] | null;
            /** @description Time of the latest allowed request within the last 18 months. */
            lastUsedAt: string | null;
        };
        /** @description The API key has expired */
        KeyExpiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "KEY_EXPIRED";
        };
        KeyHistory: components["schemas"]["AuditPage"] | components["schemas"]["Key"];
        /** @description The organisation has reached its limit of active keys */
        KeyLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "KEY_LIMIT_REACHED";
            /** @description 5 */
            limit: number;
        };
        KeyList: {
            items: components["schemas"]["Key"][];
        };
        /** @description The API key was revoked */
        KeyRevokedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "KEY_REVOKED";
        };
        LayerEntry: {
            key: string;
            /** @description A number is stored as the nearest double (IEEE 754). */
            value: number | string | boolean | null;
        };
        /**
         * @example {
         *       "keyBy": "id",
         *       "values": [
         *         {
         *           "key": "2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a",
         *           "value": 21.5
         *         }
         *       ]
         *     }
         */
        LayerUpload: {
            /**
             * @description The identifier that a key is looked up by first. If no room has it, the other identifier is tried.
             * @default externalId
             * @enum {string}
             */
            keyBy?: "externalId" | "id";
            /** @description Match only externalIds that this system assigned. */
            sourceSystem?: string;
            /** @description If a room occurs more than once, its last value is stored. */
            values: components["schemas"]["LayerEntry"][];
        };
        LayerUploaded: {
            /** @description Rooms. */
            written: number;
            /** @description Keys that match no room, each listed once. */
            unmatched: string[];
            /** @description Present if no key matches a room, or if a key matches several rooms. */
            diagnostics?: {
                /** @enum {string} */
                reason: "BUILDING_HAS_NO_SPACES" | "BUILDING_HAS_NO_EXTERNAL_IDS" | "IDENTIFIERS_NOT_IN_BUILDING" | "AMBIGUOUS_KEYS";
                /** @description With `AMBIGUOUS_KEYS`: the keys that match several rooms, each listed once. */
                keys?: string[];
            };
        };
        LayerValue: {
            /** Format: uuid */
            spaceId: string;
            externalId: string | null;
            value: number | string | boolean | null;
            /**
             * Format: date-time
             * @description When the value last changed.
             */
            updatedAt: string;
        };
        LayerValuePage: {
            items: components["schemas"]["LayerValue"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        /** @description Space, storey and element do not fit together */
        LocationContradictionProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "LOCATION_CONTRADICTION";
            /** @description Path and message of each error, such as `building.storeys[0].code`. */
            errors?: components["schemas"]["FieldError"][];
        };
        Me: {
            actor: components["schemas"]["Actor"];
            /** @description `null` for an operator, who belongs to no organisation. */
            organisation: string | null;
            /** @description Empty for an API key, which has a scope instead. */
            roles: string[];
            permissions: ("platform.keys:read" | "platform.keys:write" | "platform.audit:read" | "platform.sandboxes:read" | "platform.sandboxes:write" | "platform.webhooks:read" | "platform.webhooks:write" | "platform.buildings:read" | "platform.buildings:write" | "platform.telemetry:write" | "service-desk.tickets:read" | "service-desk.tickets:write" | "service-desk.configuration:write" | "service-desk.reports:read" | "service-desk.own:read" | "service-desk.own:write" | "platform.bus:read" | "platform.bus:publish" | "platform.operations:read" | "platform.operations:write" | "platform.erasure:write")[];
            /** @enum {string} */
            credential: "session" | "key";
            /**
             * @description Of a key.
             * @enum {string}
             */
            scope?: "sandbox" | "publish" | "full";
        };
        MintedKey: {
            keyId: string;
            label: string;
            /** @enum {string} */
            scope: "sandbox" | "publish" | "full";
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description `null` for a key that an operator minted. */
            expiresAt: string | null;
            /** @description The plaintext of the key, returned only once. Absent if the request is repeated with the same Idempotency-Key. */
            token?: string;
        };
        /**
         * @example {
         *       "stream": "ticket-916ee21c-cdbb-5255-b2c2-094796fa6236"
         *     }
         */
        NamedStream: {
            stream: string;
        };
        /**
         * @example {
         *       "ticketId": "916ee21c-cdbb-5255-b2c2-094796fa6236"
         *     }
         */
        NamedTicket: {
            /** Format: uuid */
            ticketId: string;
        };
        /**
         * @example {
         *       "subject": "atrium.building.6a712747-b16d-562d-8b11-4e04afc2f571.cafm.work-order.created",
         *       "data": {
         *         "eventId": "cafm-1",
         *         "buildingId": "6a712747-b16d-562d-8b11-4e04afc2f571",
         *         "workOrderId": "4711",
         *         "ticketId": "916ee21c-cdbb-5255-b2c2-094796fa6236",
         *         "occurredAt": "2026-03-02T12:00:00Z",
         *         "title": "New thermostat"
         *       }
         *     }
         */
        NewBusEvent: {
            /** @description `<prefix>.building.{buildingId}.{type}`. */
            subject: string;
            /** @description Events with the same `eventId` in `data` are duplicates; an event without an `eventId` is always new. */
            data: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "subject": {
         *         "email": "former.tenant@example.com"
         *       },
         *       "texts": "keep",
         *       "reason": "Asked for in a letter of 1 May."
         *     }
         */
        NewErasure: {
            /** @description The account or the e-mail address of the person. The directory links accounts to addresses. */
            subject: {
                userId: string;
            } | {
                email: string;
            };
            /**
             * @description Whether texts and files by the person are erased, or kept without the person's name.
             * @enum {string}
             */
            texts: "keep" | "erase";
            /** @description Stored with the erasure: it must not name the person. */
            reason: string;
        };
        /**
         * @example {
         *       "priority": "high",
         *       "category": "climate"
         *     }
         */
        NewFaultTicket: {
            /** @enum {string} */
            priority?: "low" | "medium" | "high" | "critical";
            category?: string;
            requestType?: string;
            subject?: string;
            description?: string;
        };
        /**
         * @example {
         *       "label": "ci",
         *       "scope": "sandbox",
         *       "expiresInDays": 30
         *     }
         */
        NewKey: {
            label: string;
            /**
             * @description `sandbox`: the sandbox lifecycle. `full`: also listing and revoking keys.
             * @default sandbox
             * @enum {string}
             */
            scope?: "sandbox" | "publish" | "full";
            /** @default 90 */
            expiresInDays?: number;
        };
        /**
         * @example {
         *       "body": "New thermostat fitted.",
         *       "visibility": "public"
         *     }
         */
        NewNote: {
            body: string;
            /**
             * @description Default `internal`; notes by requesters are always `public`. Reading internal notes needs more than the permission to read tickets.
             * @enum {string}
             */
            visibility?: "public" | "internal";
        };
        /**
         * @example {
         *       "state": "viewing"
         *     }
         */
        NewPresence: {
            /**
             * @description `left` ends the presence at once. Without a repeat it ends after 30 s.
             * @enum {string}
             */
            state: "viewing" | "editing" | "left";
        };
        /**
         * @example {
         *       "score": 5,
         *       "comment": "Warm again within the hour."
         *     }
         */
        NewRating: {
            /** @description 5 is the best. */
            score: number;
            comment?: string | null;
        };
        /**
         * @example {
         *       "organisation": "acme",
         *       "buildingId": "6a712747-b16d-562d-8b11-4e04afc2f571",
         *       "spaceId": "2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a",
         *       "description": "The radiator at the window drips.",
         *       "reporterName": "Kim"
         *     }
         */
        NewReport: {
            organisation: string;
            /** Format: uuid */
            buildingId: string;
            /** @description Implies its storey. */
            spaceId?: string | null;
            /** @description Implies its space and storey. */
            elementId?: string | null;
            subject?: string | null;
            description: string;
            reporterName?: string | null;
            reporterEmail?: string | null;
            /** @description Leave this out. It is a hidden field of the page that detects bots: a value is answered with 400. */
            website?: string;
        };
        /**
         * @example {
         *       "name": "Trial",
         *       "buildingType": "office",
         *       "storeys": 2,
         *       "areaSqm": 1000,
         *       "ttlDays": 7
         *     }
         */
        NewSandbox: {
            /** @description Display name; the address is derived from it. */
            name: string;
            /**
             * @default office
             * @enum {string}
             */
            buildingType?: "mall" | "office";
            /** @default 3 */
            storeys?: number;
            /**
             * @description Gross area of all storeys together.
             * @default 3000
             */
            areaSqm?: number;
            /**
             * @description At most 30; more is refused with `TTL_TOO_LONG`.
             * @default 14
             */
            ttlDays?: number;
            /** @default 7 */
            seedTelemetryDays?: number;
            /**
             * @description Minimum per storey.
             * @default 10
             */
            spacesMin?: number;
            /**
             * @description Maximum per storey.
             * @default 30
             */
            spacesMax?: number;
            /**
             * @default realistic
             * @enum {string}
             */
            equipmentDensity?: "sparse" | "realistic" | "dense";
            /**
             * @default office-hours
             * @enum {string}
             */
            occupancyProfile?: "24x7" | "office-hours" | "peak-evenings";
            /** @description The same seed and parameters produce the same building, externalIds, codes and curves. Default: random. */
            seed?: string;
            /**
             * @description Whether the points produce new values every minute while the sandbox is awake.
             * @default true
             */
            liveTelemetry?: boolean;
            /**
             * @description IANA name, such as `Europe/Berlin`, or an offset, such as `+05:00`. Simulated people and equipment follow its local time.
             * @default UTC
             */
            timeZone?: string;
            /**
             * @description The deliberate faults: dampers stuck open, room temperatures that drift, carbon dioxide sensors that are silent, fans that run at night. `[]`: none.
             * @default [
             *       "stuck-damper",
             *       "drifting-sensor",
             *       "silent-sensor",
             *       "night-fan"
             *     ]
             */
            faultKinds?: ("stuck-damper" | "drifting-sensor" | "silent-sensor" | "night-fan")[];
            /** @description The snapshot to copy the content from. Only `name` and `ttlDays` can be combined with it. */
            fromSnapshot?: string;
        };
        /**
         * @example {
         *       "name": "With faults"
         *     }
         */
        NewSnapshot: {
            /** @description Display name. */
            name: string;
        };
        /**
         * @example {
         *       "storeyId": "602a3e60-6ff8-5600-b495-1965bf13a930",
         *       "code": "01-099",
         *       "name": "Store room",
         *       "spaceTypeSlug": "storage"
         *     }
         */
        NewSpace: {
            /**
             * Format: uuid
             * @description Internal id of its storey.
             */
            storeyId: string;
            /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
            spaceTypeSlug: string;
            /** @description Square metres. */
            areaSqm?: number | null;
            /** @description Default false. */
            isLeasable?: boolean | null;
            /** @description Rings of `[x, y]` in metres, in the storey’s own coordinates: the outer one, then at most 20 holes; closed implicitly, at most 200 positions in all, within ±100 km, not crossing or touching themselves or each other. */
            outline?: number[][][];
            /** @description Identifier in the source system. Requires `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
            sourceSystem?: string | null;
        };
        /**
         * @example {
         *       "buildingId": "6a712747-b16d-562d-8b11-4e04afc2f571",
         *       "spaceId": "2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a",
         *       "subject": "Too warm",
         *       "description": "It is 28 °C at the window desks since noon.",
         *       "priority": "high",
         *       "metadata": {
         *         "source": "cafm",
         *         "externalId": "WO-4711"
         *       }
         *     }
         */
        NewTicket: {
            /**
             * Format: uuid
             * @description Internal id of the building.
             */
            buildingId: string;
            description: string;
            subject?: string | null;
            /**
             * @description Default: that of the request type, else medium.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description Default: that of the request type, else none. */
            category?: string | null;
            /** @description Implies its storey. */
            spaceId?: string | null;
            storeyId?: string | null;
            /** @description Implies its space and storey. */
            elementId?: string | null;
            /** @default general */
            requestType?: string;
            reporterName?: string | null;
            reporterEmail?: string | null;
            reporterPhone?: string | null;
            /**
             * @default portal
             * @enum {string}
             */
            channel?: "portal" | "email" | "phone" | "api" | "system";
            /**
             * @description The answers to the form of the request type; free-form if the type has no form.
             * @default {}
             */
            formData?: {
                [key: string]: unknown;
            };
            /**
             * @description For the caller's own identifiers. Values need not be unique.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "name": "Open, soonest due",
         *       "shared": true,
         *       "filters": {
         *         "state": "new,triaged,in_progress",
         *         "assigned": "me"
         *       },
         *       "sort": "dueAt",
         *       "columns": [
         *         "number",
         *         "subject",
         *         "priority",
         *         "place",
         *         "dueAt"
         *       ]
         *     }
         */
        NewView: {
            name: string;
            /**
             * @description Whether everyone who may read tickets sees the view.
             * @default false
             */
            shared?: boolean;
            /**
             * @description The query parameters of the list, with the same values: `{ "state": "new,triaged" }`.
             * @default {}
             */
            filters?: {
                buildingId?: string;
                state?: string;
                priority?: string;
                category?: string;
                assignedUserId?: string;
                assignedTeamId?: string;
                spaceId?: string;
                storeyId?: string;
                elementId?: string;
                search?: string;
                overdue?: string;
                reporterUserId?: string;
                assigned?: string;
                number?: string;
            } & {
                [key: string]: string;
            };
            /**
             * @description As `sort` of the list.
             * @default -createdAt
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueAt" | "-dueAt" | "priority" | "-priority";
            /**
             * @description Members of a ticket, or one of the derived columns `place`, `assignee`, `reporter`, `dueAt`; `field.<key>` is the answer to a form field.
             * @default [
             *       "number",
             *       "subject",
             *       "state",
             *       "priority",
             *       "assignee",
             *       "dueAt",
             *       "updatedAt"
             *     ]
             */
            columns?: (("id" | "number" | "organisationId" | "buildingId" | "storeyId" | "spaceId" | "elementId" | "requestType" | "subject" | "description" | "priority" | "category" | "channel" | "reporterName" | "reporterEmail" | "reporterPhone" | "reporterErased" | "formData" | "metadata" | "state" | "assignedUserId" | "assignedTeamId" | "slaFirstResponseDueAt" | "slaResolutionDueAt" | "slaFirstResponseBreached" | "slaResolutionBreached" | "slaPausedAt" | "firstRespondedAt" | "resolvedAt" | "closedAt" | "workOrderId" | "workOrderIds" | "faultId" | "rating" | "createdAt" | "createdBy" | "updatedAt" | "revision" | "place" | "assignee" | "reporter" | "dueAt") | string)[];
        };
        /**
         * @example {
         *       "url": "https://example.com/hook",
         *       "events": [
         *         "building.point.updated"
         *       ]
         *     }
         */
        NewWebhook: {
            /** @description A public https URL of at most 2,048 characters. */
            url: string;
            /** @description Of `building.point.updated`, `building.alarm.triggered`, `building.element.status_changed`, `building.changeset.applied`. */
            events: string[];
            /** @description Only events of this building. Default: events of all buildings. */
            buildingId?: string | null;
            description?: string | null;
        };
        NodeCounts: {
            storeys: number;
            spaces: number;
            elements: number;
            points: number;
        };
        NodeLabel: {
            /** Format: uuid */
            id: string;
            code: string;
            name: string;
        };
        /** @description Not found */
        NotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 404;
            /** @constant */
            code: "NOT_FOUND";
        };
        NotReady: {
            /** @constant */
            status: "not_ready";
            /** @description Why this process cannot serve requests. */
            reasons: string[];
        };
        Note: {
            id: string;
            body: string;
            /** @enum {string} */
            visibility: "public" | "internal";
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * @description The text of the note was erased.
             * @constant
             */
            erased?: true;
        };
        NoteOfStaff: {
            body: string;
            /**
             * @default internal
             * @enum {string}
             */
            visibility?: "public" | "internal";
        };
        Observation: {
            /**
             * Format: uuid
             * @description Internal id of a point of the building.
             */
            pointId: string;
            /** @description A value of the point's `valueType`. A number must be finite, and is stored as the nearest double (IEEE 754); a boolean is not accepted as a number. */
            value: number | boolean;
            /**
             * Format: date-time
             * @description Default: now. At most 5 minutes in the future and not before the year 2000; stored in milliseconds.
             */
            timestamp?: string;
        };
        ObservationPage: {
            items: (components["schemas"]["Sample"] | components["schemas"]["SampleBucket"])[];
            /** @description `from` of the next request; `null` on the last page. */
            nextFrom: string | null;
        };
        /**
         * @example {
         *       "observations": [
         *         {
         *           "pointId": "81199c49-5b35-5286-8e3b-cfdd5a87242c",
         *           "value": 21.5
         *         }
         *       ]
         *     }
         */
        Observations: {
            observations: components["schemas"]["Observation"][];
        };
        ObservationsAccepted: {
            /** @description Number of observations accepted. */
            accepted: number;
        };
        /** @description The token names no organisation */
        OrganisationRequiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "ORGANISATION_REQUIRED";
        };
        /** @description Spaces of the building that have an outline, and that have none. */
        OutlineCounts: {
            spaces: number;
            without: number;
        };
        /** @description Present only at the address of a sandbox: that sandbox. */
        OwnSandbox: {
            sandboxId: string;
            name: string;
            /** @description Who created the sandbox. */
            owner: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the sandbox and its data are deleted.
             */
            expiresAt: string;
            /**
             * Format: uri
             * @description Its page in the main platform's portal.
             */
            pageUrl: string;
        };
        ParkedIn: {
            /** @enum {string} */
            kind: "projection" | "process" | "feed";
            /** @description Name of the read model or the process; `changes` is the change feed. */
            name: string;
            /**
             * Format: uuid
             * @description The event that a skip would leave out.
             */
            eventId: string;
            revision: number;
            position: string;
            error: string;
            /** @description Number of later events of the stream that were not processed either. */
            skipped: number;
        };
        ParkedInList: {
            items: components["schemas"]["ParkedIn"][];
        };
        ParkedMessage: {
            consumer: string;
            buildingId: string;
            type: string;
            eventId: string;
            /**
             * @description `TICKET_NOT_NAMED` is resolved without an operator by an event that names the ticket.
             * @enum {string}
             */
            reason: "TICKET_NOT_NAMED" | "TICKET_UNKNOWN" | "TICKET_ELSEWHERE" | "TICKET_FULL" | "UNUSABLE";
            detail: string;
            /** @description 1, but for `TICKET_FULL`: all that the ticket has refused; the first is shown. */
            messages: number;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            parkedAt: string;
        };
        ParkedMessagePage: {
            items: components["schemas"]["ParkedMessage"][];
            limit: number;
            offset: number;
            total: number;
        };
        ParkedOfProcess: {
            /** @description The stream, or the key by which the process orders its work; for a timer, its key. */
            stream: string;
            /** @description The first event that could not be handled. */
            eventId: string | null;
            revision: number | null;
            position: string | null;
            /** @description Only for a timer. */
            dueAt: string | null;
            error: string | null;
            /** Format: date-time */
            parkedAt: string;
            /** @description Number of later events of the stream that were not processed either. */
            skipped: number;
            /** @description When the next automatic retry is due. */
            retryAt: string | null;
        };
        ParkedOfProcessList: {
            items: components["schemas"]["ParkedOfProcess"][];
        };
        ParkedStream: {
            stream: string;
            /**
             * Format: uuid
             * @description The first event that could not be applied.
             */
            eventId: string;
            revision: number;
            position: string;
            error: string;
            /** Format: date-time */
            parkedAt: string;
            /** @description Number of later events of the stream that were not processed either. */
            skipped: number;
        };
        ParkedStreamList: {
            items: components["schemas"]["ParkedStream"][];
        };
        /** @description The body is too large */
        PayloadTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 413;
            /** @constant */
            code: "PAYLOAD_TOO_LARGE";
        };
        People: {
            items: components["schemas"]["Person"][];
            teams: components["schemas"]["Team"][];
            /** @description More people or teams match than are listed, or may match among more than 2000 assignees: narrow the search. */
            more: boolean;
        };
        /** @description Your role does not allow this */
        PermissionDeniedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "PERMISSION_DENIED";
        };
        Person: {
            /** @description For `assignedUserId`. */
            userId: string;
            /** @description From the directory, else from the last sign-in, else the user id. */
            name: string;
            /** @description Ids of the teams of which the person is a member. */
            teams: string[];
        };
        PersonArchiveLine: {
            /** @enum {string} */
            section: "subject" | "directory" | "signIn" | "session" | "presence" | "view" | "ticket" | "note" | "rating" | "timeline" | "attachment" | "bytes" | "unreadable" | "end";
            value: unknown;
        };
        /** @description Only a signed-in person may do this */
        PersonRequiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "PERSON_REQUIRED";
        };
        /** @description Personal data is not sealed yet */
        PersonalDataNotSealedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "PERSONAL_DATA_NOT_SEALED";
        };
        PlanColourings: {
            items: {
                /** @description Value for the query parameter `colour`. */
                colour: string;
                name: string;
                /** @enum {string} */
                kind: "level" | "number" | "category";
                unit: string | null;
            }[];
        };
        PlantedFault: {
            /** @enum {string} */
            kind: "stuck-damper" | "drifting-sensor" | "silent-sensor" | "night-fan";
            /**
             * Format: uuid
             * @description Id of the element inside the sandbox.
             */
            elementId: string;
            /** @description The points whose values it changes. */
            pointIds: string[];
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive. For a fault that is still going on, the end of the values.
             */
            to: string;
        };
        PlantedFaultList: {
            items: components["schemas"]["PlantedFault"][];
        };
        Point: {
            /**
             * Format: uuid
             * @description Internal id. An import with `replace=true` creates a new one.
             */
            id: string;
            /** @description Stays the same across imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` for elements of the building's own, unnamed model. */
            model: string | null;
            /** Format: uuid */
            elementId: string;
            /** @description `null` if the element is in no room. */
            spaceId: string | null;
            /** Format: uuid */
            storeyId: string;
            pointClass: string;
            /** @enum {string} */
            valueType: "number" | "boolean";
            unit: string | null;
            /** @description `null` until the first observation. */
            latest: {
                value: number | boolean;
                /** Format: date-time */
                timestamp: string;
            } | null;
        };
        PointDocument: {
            /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description What it measures, as a Brick class. */
            pointClass: string;
            /** @enum {string} */
            valueType: "number" | "boolean";
            unit?: string | null;
            /** @description Identifier in the source system. Requires `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
            sourceSystem?: string | null;
        };
        PointPage: {
            items: components["schemas"]["Point"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        PointUpdated: {
            /** Format: uuid */
            buildingId: string;
            /** Format: uuid */
            pointId: string;
            elementId: string | null;
            spaceId: string | null;
            value: number | boolean;
            unit: string | null;
            /** Format: date-time */
            observedAt: string;
        };
        PointUpdatedEvent: {
            /** @constant */
            event: "building.point.updated";
            data: components["schemas"]["PointUpdated"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        /** @description The resource has changed since you read it */
        PreconditionFailedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 412;
            /** @constant */
            code: "PRECONDITION_FAILED";
        };
        Presence: {
            items: components["schemas"]["Present"][];
        };
        Present: {
            actor: components["schemas"]["Actor"];
            /** @enum {string} */
            state: "viewing" | "editing";
            /**
             * Format: date-time
             * @description When the caller's uninterrupted presence in this state began.
             */
            since: string;
        };
        /** @description RFC 9457. The `code` determines the additional members. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Path of the page on this server that explains the code.
             */
            type: string;
            title: string;
            status: number;
            /** @description An explanation for people; the wording can change. */
            detail?: string;
            /**
             * @description Stable, for programs.
             * @enum {string}
             */
            code: "HEADERS_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "CROSS_SITE" | "UNAUTHENTICATED" | "KEY_EXPIRED" | "KEY_REVOKED" | "SCOPE_DENIED" | "ORGANISATION_REQUIRED" | "PERSON_REQUIRED" | "PERMISSION_DENIED" | "REQUESTERS_OFF" | "VALIDATION_FAILED" | "IDEMPOTENCY_KEY_REUSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PRECONDITION_FAILED" | "REFERENCE_NOT_FOUND" | "WEBHOOK_URL_REFUSED" | "EVENT_NOT_SUBSCRIBABLE" | "EDGE_NOT_IN_GRAPH" | "LOCATION_CONTRADICTION" | "TRANSITION_NOT_ALLOWED" | "REOPEN_TOO_LATE" | "RATING_NOT_ALLOWED" | "ALREADY_RATED" | "TICKET_CLOSED" | "TICKET_FULL" | "ATTACHMENT_REFUSED" | "CONFLICT" | "KEY_LIMIT_REACHED" | "RULE_LIMIT_REACHED" | "WEBHOOK_LIMIT_REACHED" | "VIEW_LIMIT_REACHED" | "TTL_TOO_LONG" | "SANDBOX_TOO_LARGE" | "SANDBOX_NOT_READY" | "SNAPSHOT_LIMIT_REACHED" | "SNAPSHOT_NOT_READY" | "SNAPSHOT_GONE" | "SANDBOX_QUOTA_REACHED" | "EXTENSION_LIMIT_REACHED" | "CURSOR_LOST" | "TIME_TRAVEL_REFUSED" | "PROOF_REQUIRED" | "RATE_LIMITED" | "PERSONAL_DATA_NOT_SEALED" | "NEWER_RELEASE_NEEDED" | "UNAVAILABLE" | "INTERNAL";
            /** @description The same as the header `X-Request-Id`. */
            requestId: string;
        };
        Process: {
            name: string;
            /** @enum {string} */
            kind: "process" | "timers";
            /** @description Log position up to which the process has handled events; for timers, up to which it has read them. */
            position: string | null;
            /** @description Number of events behind the head of the log; `null` if the log cannot count events. */
            lagEvents: number | null;
            /** @description Age in the log of the oldest event that is not yet handled. */
            lagSeconds: number;
            /**
             * @description `live`: run by this server process; `waiting`: run by another one; `stopped`: not running.
             * @enum {string}
             */
            state: "live" | "waiting" | "stopped";
            /** @enum {string} */
            owner: "this" | "other" | "none";
            /** @description Parked streams and stuck timers, which an operator can retry or skip. */
            parked: number;
            /** @description Streams that are retried automatically. */
            retrying: number;
            /** @description The next due time of a timer. */
            nextDueAt: string | null;
            lastError: string | null;
        };
        ProcessList: {
            items: components["schemas"]["Process"][];
        };
        ProcessRequest: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            kind: "retry" | "skip";
            stream: string;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "refused" | "failed" | "cancelled";
            /** Format: date-time */
            askedAt: string;
            askedBy: string;
        };
        Projection: {
            name: string;
            version: number;
            /** @description Log position of the last applied event; `null` before the first one. */
            position: string | null;
            /** @description Number of events behind the head of the log; `null` if the log cannot count events. */
            lagEvents: number | null;
            /** @description Age in the log of the oldest event that is not yet applied. */
            lagSeconds: number;
            /** @enum {string} */
            state: "building" | "live" | "waiting" | "stopped";
            /**
             * @description The server process that updates the read model.
             * @enum {string}
             */
            owner: "this" | "other" | "none";
            /** @description Streams parked because an event could not be applied. */
            parked: number;
            lastError: string | null;
            /** @description The first build, rebuild or verification that is requested or running. */
            work: {
                /** @enum {string} */
                kind: "build" | "rebuild" | "verify" | "retry" | "skip";
                /** @enum {string} */
                state: "waiting" | "running";
                progress: components["schemas"]["WorkProgress"] | null;
            } | null;
        };
        ProjectionList: {
            items: components["schemas"]["Projection"][];
        };
        ProjectionRequest: {
            /** Format: uuid */
            id: string;
            name: string;
            version: number;
            /** @enum {string} */
            kind: "build" | "rebuild" | "verify" | "retry" | "skip";
            stream: string | null;
            acceptParked: boolean;
            /**
             * @description `refused`: not carried out, for the reason in `error`.
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "refused" | "failed" | "cancelled";
            /** Format: date-time */
            askedAt: string;
            askedBy: string;
            endedAt: string | null;
            progress: components["schemas"]["WorkProgress"] | null;
            result: {
                [key: string]: unknown;
            } | null;
            error: string | null;
        };
        ProjectionRequestList: {
            items: components["schemas"]["ProjectionRequest"][];
        };
        /** @description The report needs a proof of work */
        ProofRequiredProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "PROOF_REQUIRED";
            /** @enum {string} */
            reason: "missing" | "invalid" | "expired" | "used";
        };
        ProtectedResource: {
            /** @description The address of this API. */
            resource: string;
            /** @description The one OpenID Connect issuer whose access tokens are portal sessions here. */
            authorization_servers: string[];
            /** @description The scopes that a client should request. */
            scopes_supported: string[];
            bearer_methods_supported: "header"[];
        };
        PublishedBusEvent: {
            eventId: string;
        };
        QueuedDelivery: {
            /** Format: uuid */
            deliveryId: string;
        };
        RaiseTicket: {
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            category?: string;
            requestType?: string;
        };
        /** @description Too many requests */
        RateLimitedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 429;
            /** @constant */
            code: "RATE_LIMITED";
            /** @enum {string} */
            of?: "source" | "room";
        };
        Rating: {
            /** @description 5 is the best. */
            score: number;
            comment: string | null;
            /** Format: date-time */
            ratedAt: string;
        };
        /** @description The ticket cannot be rated */
        RatingNotAllowedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "RATING_NOT_ALLOWED";
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
        };
        Readiness: components["schemas"]["Ready"] | components["schemas"]["Degraded"];
        Ready: {
            /** @constant */
            status: "ready";
        };
        /**
         * @example {
         *       "acceptParked": false
         *     }
         */
        Rebuild: {
            /**
             * @description Activate the new build even if streams are parked that were not parked before.
             * @default false
             */
            acceptParked?: boolean;
        };
        RecoveredSpan: {
            /**
             * Format: date-time
             * @description Later than the one that was sent if that is not covered any more.
             */
            since: string;
            /** Format: date-time */
            until: string;
        };
        /** @description An id in the request does not exist */
        ReferenceNotFoundProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "REFERENCE_NOT_FOUND";
            /** @description Path and message of each error, such as `building.storeys[0].code`. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @description The ticket can no longer be reopened */
        ReopenTooLateProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "REOPEN_TOO_LATE";
            /** Format: date-time */
            until: string;
        };
        ReopenedReport: {
            /** @enum {string} */
            report: "backlog" | "throughput" | "response" | "resolution" | "attainment" | "reopened";
            timeZone: string;
            /** @enum {string} */
            interval: "day" | "week" | "month";
            groupBy: ("building" | "storey" | "space" | "category" | "team" | "elementType" | "priority") | null;
            /** @description In chronological order; intervals that begin in the future are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["ReopenedSeries"][];
        };
        ReopenedSeries: {
            /**
             * @description `none`: tickets without a value for `groupBy`; `others`: all groups without a series of their own.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value of `groupBy`: an id or a text. */
            key: string | null;
            /** @description The display name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["ReopenedValue"][];
        };
        ReopenedValue: {
            reopened: number;
            resolved: number;
            rate: number | null;
        };
        Report: {
            number: string;
            /**
             * Format: uri
             * @description A page that shows the ticket to anyone with this link. The token follows `#`.
             */
            statusUrl: string;
        };
        ReportChallenge: {
            challenge: string;
            /** @description Number of leading zero bits. Find a number such that the SHA-256 of `<challenge>.<number>` begins with that many zero bits, and send `<challenge>.<number>` as `X-Atrium-Proof`. */
            bits: number;
            /** Format: date-time */
            expiresAt: string;
        };
        ReportInterval: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description The last day, inclusive.
             */
            to: string;
            /** Format: date-time */
            start: string;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            end: string;
        };
        ReportPlace: {
            organisation: string;
            building: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @description `null` if the label names no place, or one that does not exist. */
            place: {
                /** @enum {string} */
                kind: "space" | "element";
                /** Format: uuid */
                id: string;
                code: string;
                name: string;
                /** @description Its name. */
                storey: string | null;
            } | null;
        };
        ReportStatus: {
            number: string;
            subject: string | null;
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            /** Format: date-time */
            createdAt: string;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest public notes, oldest first, without their authors. */
            notes: {
                /** Format: date-time */
                at: string;
                body: string;
            }[];
            /**
             * Format: date-time
             * @description When the link expires.
             */
            expiresAt: string;
        };
        RequestType: {
            /** @description The value of `requestType` in tickets. */
            requestType: string;
            name: string;
            /** @description A symbol or a name. */
            icon?: string;
            description?: string;
            /** @description Category of tickets that are created without one. */
            category?: string;
            /**
             * @description Priority of tickets that are created without one. Default medium.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description Whether requesters may choose it. Default true. */
            requester?: boolean;
            /** @description The fields, in the order of the form. */
            fields: components["schemas"]["FormField"][];
        };
        RequestTypes: {
            items: components["schemas"]["RequestType"][];
        };
        RequestedSkip: {
            /** @enum {string} */
            kind: "projection" | "process" | "feed";
            /** @description Name of the read model or the process; `changes` is the change feed. */
            name: string;
            /** @description `null` for the feed, where the skip takes effect at once. */
            requestId: string | null;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "refused" | "failed" | "cancelled";
        };
        RequestedSkipList: {
            items: components["schemas"]["RequestedSkip"][];
        };
        /** @description Requesters are turned off for this organisation */
        RequestersOffProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "REQUESTERS_OFF";
        };
        /**
         * @example {
         *       "codes": [
         *         "01-001"
         *       ]
         *     }
         */
        ResolveQuestion: {
            /** @description The system that assigned the `externalIds`; codes are of all nodes. */
            sourceSystem?: string;
            /** @default [] */
            externalIds?: string[];
            /** @default [] */
            codes?: string[];
        };
        ResolvedKeys: {
            resolved: components["schemas"]["ResolvedNode"][];
            /** @description Keys that match no node, each listed once. */
            unmatched: string[];
        };
        ResolvedNode: {
            key: string;
            /**
             * @description Which of the two the key is.
             * @enum {string}
             */
            by: "externalId" | "code";
            /** @enum {string} */
            kind: "storey" | "space" | "element" | "point";
            /** Format: uuid */
            id: string;
        };
        RoutingRule: {
            ruleId: string;
            name: string;
            /** @description Default true. */
            enabled?: boolean;
            match: components["schemas"]["TicketMatch"];
            assignTeamId?: string;
            assignUserId?: string;
            /**
             * @description Raises the priority to this one; never lowers it.
             * @enum {string}
             */
            raisePriorityTo?: "low" | "medium" | "high" | "critical";
            /** @description Whether to move the ticket to `triaged`. Default false. */
            triage?: boolean;
            /** @description Text of a system note to add to the ticket. */
            note?: string;
            /** @description Whether to skip all later rules. Default false. */
            stop?: boolean;
        };
        /** @description The building has reached its limit of diagnostic rules */
        RuleLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "RULE_LIMIT_REACHED";
            /** @description 200 or 20 */
            limit: number;
        };
        RuleOutcome: {
            ruleId: string;
            name: string;
            /**
             * @description `not_reached`: an earlier rule with `stop` matched.
             * @enum {string}
             */
            outcome: "matched" | "not_matched" | "disabled" | "not_reached";
            /** @description Only what the rule changed. */
            changes: {
                /** @enum {string} */
                priority?: "low" | "medium" | "high" | "critical";
                assignedTeamId?: string;
                assignedUserId?: string;
                /**
                 * @description `forbidden`: the workflow does not allow the transition from `new` to `triaged`.
                 * @enum {string}
                 */
                triage?: "done" | "forbidden";
                note?: string;
            };
        };
        Sample: {
            /** Format: date-time */
            timestamp: string;
            value: number | boolean;
        };
        SampleBucket: {
            /**
             * Format: date-time
             * @description When the bucket begins.
             */
            timestamp: string;
            min: number;
            max: number;
            /** @description For boolean points, the share of `true`. */
            mean: number;
            count: number;
        };
        Sandbox: {
            sandboxId: string;
            name: string;
            slug: string;
            /** @enum {string} */
            status: "provisioning" | "ready" | "failed";
            /**
             * Format: uri
             * @description Reachable once the sandbox is `ready`.
             */
            apiUrl: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Whether the sandbox expires within a day. */
            expiresSoon: boolean;
            extensionsRemaining: number;
            /** @description Filled in when `ready`. */
            buildingId: string | null;
            /** @description Present when `failed`. */
            failureReason: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            parameters: {
                /** @enum {string} */
                buildingType: "mall" | "office";
                storeys: number;
                areaSqm: number;
                seedTelemetryDays: number;
                spacesMin: number;
                spacesMax: number;
                /** @enum {string} */
                equipmentDensity: "sparse" | "realistic" | "dense";
                /** @enum {string} */
                occupancyProfile: "24x7" | "office-hours" | "peak-evenings";
                seed: string;
                liveTelemetry: boolean;
                timeZone: string;
                faultKinds: ("stuck-damper" | "drifting-sensor" | "silent-sensor" | "night-fan")[];
            };
            /** @description Estimated size of the database once the sandbox is ready, computed from the parameters or the snapshot. */
            estimatedBytes: number;
            /** @description The snapshot that the sandbox was created from. It may have been deleted since. */
            fromSnapshot: string | null;
            progress: {
                /** @description `queued`, `database`, `building`, `telemetry`, `stack`, `health`, `ready`. */
                phase: string;
                percent: number;
                /** @description While `queued`: the number of sandboxes ahead in the queue. */
                ahead?: number;
            };
        };
        /**
         * @example {
         *       "days": 7
         *     }
         */
        SandboxExtension: {
            days: number;
        };
        SandboxList: {
            items: components["schemas"]["Sandbox"][];
        };
        /** @description The sandbox is not ready */
        SandboxNotReadyProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SANDBOX_NOT_READY";
        };
        /** @description You have reached your limit of sandboxes */
        SandboxQuotaReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 429;
            /** @constant */
            code: "SANDBOX_QUOTA_REACHED";
        };
        SandboxRequest: {
            /** Format: date-time */
            at: string;
            method: string;
            /** @description The template of the route, such as `/api/v1/buildings/{id}`; `unknown` for a request that matched no route or was refused before routing. */
            route: string;
            status: number;
            ms: number;
            /** @description The accepted API key. `null` for another credential, no credential or a refused one. */
            keyId: string | null;
            /** @description `X-Request-Id` of the response. */
            requestId: string;
        };
        SandboxRequestPage: {
            items: components["schemas"]["SandboxRequest"][];
            /** @description Cursor for `after`. Always present. */
            nextCursor: string;
        };
        /** @description The requested sandbox is too large */
        SandboxTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "SANDBOX_TOO_LARGE";
            estimatedBytes: number;
            maxBytes: number;
        };
        /** @description The scope of the API key does not allow this */
        ScopeDeniedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 403;
            /** @constant */
            code: "SCOPE_DENIED";
        };
        /**
         * @example {
         *       "slaPolicies": [
         *         {
         *           "name": "urgent",
         *           "match": {
         *             "priority": "critical"
         *           },
         *           "firstResponseMinutes": 15,
         *           "resolutionMinutes": 240
         *         }
         *       ],
         *       "calendars": {},
         *       "routingRules": [
         *         {
         *           "ruleId": "gas",
         *           "name": "Smell of gas",
         *           "match": {
         *             "text": "smell of gas"
         *           },
         *           "raisePriorityTo": "critical",
         *           "assignTeamId": "emergency",
         *           "triage": true,
         *           "stop": true
         *         }
         *       ],
         *       "workflows": []
         *     }
         */
        ServiceDeskConfiguration: {
            /** @description Time zone of the days in reports, such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["SlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["BusinessCalendar"];
            };
            routingRules: components["schemas"]["RoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Who may report problems as a requester: nobody (`off`), signed-in people with the role `requester` (`signed-in`), or also people without sign-in (`anyone`). Default `off`.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description The personal data of closed and cancelled tickets is erased after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description The forms of these types validate `formData`. The `formData` of any other request type is free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
        };
        Session: {
            /** Format: uuid */
            sessionId: string;
            actor: components["schemas"]["Actor"];
            /** @description `null` for an operator, who belongs to no organisation. */
            organisation: string | null;
            roles: string[];
            permissions: ("platform.keys:read" | "platform.keys:write" | "platform.audit:read" | "platform.sandboxes:read" | "platform.sandboxes:write" | "platform.webhooks:read" | "platform.webhooks:write" | "platform.buildings:read" | "platform.buildings:write" | "platform.telemetry:write" | "service-desk.tickets:read" | "service-desk.tickets:write" | "service-desk.configuration:write" | "service-desk.reports:read" | "service-desk.own:read" | "service-desk.own:write" | "platform.bus:read" | "platform.bus:publish" | "platform.operations:read" | "platform.operations:write" | "platform.erasure:write")[];
            /**
             * Format: date-time
             * @description When the session ends if it is not used again.
             */
            expiresAt: string;
            sandbox?: components["schemas"]["OwnSandbox"];
        };
        SessionList: {
            /** @description Sessions, the most recently used first. */
            items: {
                /** Format: uuid */
                sessionId: string;
                /** @description Whether this is the session of the request. */
                isCurrent: boolean;
                /** @description The address at which the person signed in. */
                origin: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description Accurate to the minute.
                 */
                lastUsedAt: string;
                /** Format: date-time */
                expiresAt: string;
                userAgent: string | null;
                /** @description IP address at sign-in. */
                sourceIp: string;
            }[];
        };
        Simulation: {
            ticket: components["schemas"]["TicketPreview"];
            rules: components["schemas"]["RuleOutcome"][];
            /** @description The system notes that the ticket would get. */
            notes: {
                ruleId: string;
                body: string;
            }[];
            sla: {
                /** @description `null` if no policy matches; then the defaults by priority apply. */
                policy: string | null;
                firstResponseMinutes: number | null;
                resolutionMinutes: number | null;
                warningPercent: number;
                firstResponseWarnsAt: string | null;
                resolutionWarnsAt: string | null;
                /** @description Time zone of the policy's calendar; `null` if the policy counts around the clock. */
                timeZone: string | null;
                pauseWhileWaiting: boolean;
            };
            /** @description Accepted, but probably a mistake: a match on a place that does not exist, a rule that an earlier `stop` always prevents, a state without a way out in a workflow, a team member or an assignee that does not exist. */
            warnings: string[];
        };
        /**
         * @example {
         *       "ticket": {
         *         "buildingId": "6a712747-b16d-562d-8b11-4e04afc2f571",
         *         "description": "A smell of gas"
         *       }
         *     }
         */
        SimulationRequest: {
            /** @description Default: the current configuration. */
            configuration?: components["schemas"]["ServiceDeskConfiguration"];
            ticket: components["schemas"]["NewTicket"];
        };
        SkippedTicket: {
            ticketId: string;
            /**
             * Format: uuid
             * @description The first event of the ticket that cannot be read.
             */
            eventId: string;
            revision: number;
            reason: string;
            /** Format: date-time */
            skippedAt: string;
            skippedBy: components["schemas"]["Actor"];
        };
        SlaPolicy: {
            name: string;
            match?: components["schemas"]["TicketMatch"];
            /** @description `null`: no such clock. */
            firstResponseMinutes: number | null;
            /** @description `null`: no such clock. */
            resolutionMinutes: number | null;
            /** @description Default 80. */
            warningPercent?: number;
            /** @description Name of a calendar. Default: around the clock. */
            calendar?: string;
            /** @description Default false. */
            pauseWhileWaiting?: boolean;
        };
        Snapshot: {
            snapshotId: string;
            name: string;
            /** @description The sandbox that was copied. It may have been deleted since. */
            sandboxId: string;
            /** @enum {string} */
            status: "creating" | "ready" | "failed";
            /** @description Size of its database; `null` until the snapshot is `ready`. */
            bytes: number | null;
            /**
             * Format: uuid
             * @description Id of the building in each sandbox that is created from the snapshot.
             */
            buildingId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description 30 days after the request.
             */
            expiresAt: string;
            /** @description Present when `failed`. */
            failureReason: string | null;
        };
        /** @description The snapshot of the sandbox no longer exists */
        SnapshotGoneProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SNAPSHOT_GONE";
        };
        /** @description The limit of snapshots is reached */
        SnapshotLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SNAPSHOT_LIMIT_REACHED";
            /** @description 3 */
            limit: number;
        };
        SnapshotList: {
            items: components["schemas"]["Snapshot"][];
        };
        /** @description The snapshot is not ready */
        SnapshotNotReadyProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SNAPSHOT_NOT_READY";
        };
        Space: {
            /**
             * Format: uuid
             * @description Internal id. An import with `replace=true` creates a new one.
             */
            id: string;
            /** @description Stays the same across imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` for elements of the building's own, unnamed model. */
            model: string | null;
            storey: components["schemas"]["NodeLabel"];
            spaceType: {
                slug: string;
                name: string;
            };
            /** @description Square metres. */
            areaSqm: number | null;
            /** @enum {string} */
            status: "active" | "inactive";
            isLeasable: boolean;
        };
        SpaceDocument: {
            /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
            spaceTypeSlug: string;
            /** @description Square metres. */
            areaSqm?: number | null;
            /** @description Default false. */
            isLeasable?: boolean | null;
            /** @description Rings of `[x, y]` in metres, in the storey’s own coordinates: the outer one, then at most 20 holes; closed implicitly, at most 200 positions in all, within ±100 km, not crossing or touching themselves or each other. */
            outline?: number[][][];
            /** @description Identifier in the source system. Requires `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
            sourceSystem?: string | null;
            elements?: components["schemas"]["ElementDocument"][];
        };
        /**
         * @example {
         *       "outline": [
         *         [
         *           [
         *             0,
         *             0
         *           ],
         *           [
         *             5,
         *             0
         *           ],
         *           [
         *             5,
         *             4
         *           ],
         *           [
         *             0,
         *             4
         *           ]
         *         ]
         *       ]
         *     }
         */
        SpaceOutline: {
            outline: number[][][] | null;
        };
        SpacePage: {
            items: components["schemas"]["Space"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        StatusLink: {
            /** Format: date-time */
            issuedAt: string;
            /**
             * Format: date-time
             * @description The end of the link's lifetime, or a few days after the ticket was closed.
             */
            expiresAt: string;
            revokedAt: string | null;
        };
        StoredBusinessCalendar: {
            /** @description IANA name, such as Europe/Berlin. */
            timeZone: string;
            weekly: components["schemas"]["BusinessWeek"];
            holidays: string[];
        };
        StoredRoutingRule: {
            ruleId: string;
            name: string;
            /** @description Default true. */
            enabled?: boolean;
            match: components["schemas"]["StoredTicketMatch"];
            assignTeamId?: string;
            assignUserId?: string;
            /**
             * @description Raises the priority to this one; never lowers it.
             * @enum {string}
             */
            raisePriorityTo?: "low" | "medium" | "high" | "critical";
            /** @description Whether to move the ticket to `triaged`. Default false. */
            triage?: boolean;
            /** @description Text of a system note to add to the ticket. */
            note?: string;
            /** @description Whether to skip all later rules. Default false. */
            stop?: boolean;
        };
        StoredServiceDeskConfiguration: {
            /** @description Time zone of the days in reports, such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["StoredSlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["StoredBusinessCalendar"];
            };
            routingRules: components["schemas"]["StoredRoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Who may report problems as a requester: nobody (`off`), signed-in people with the role `requester` (`signed-in`), or also people without sign-in (`anyone`). Default `off`.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description The personal data of closed and cancelled tickets is erased after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description The forms of these types validate `formData`. The `formData` of any other request type is free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
        };
        StoredSlaPolicy: {
            name: string;
            match?: components["schemas"]["StoredTicketMatch"];
            /** @description `null`: no such clock. */
            firstResponseMinutes: number | null;
            /** @description `null`: no such clock. */
            resolutionMinutes: number | null;
            /** @description Default 80. */
            warningPercent?: number;
            /** @description Name of a calendar. Default: around the clock. */
            calendar?: string;
            /** @description Default false. */
            pauseWhileWaiting?: boolean;
        };
        StoredTicketMatch: {
            requestType?: string | string[];
            priority?: ("low" | "medium" | "high" | "critical") | ("low" | "medium" | "high" | "critical")[];
            category?: string | string[];
            buildingId?: string | string[];
            storeyId?: string | string[];
            spaceId?: string | string[];
            elementId?: string | string[];
            /** @description A word or phrase in subject or description, case-insensitive. */
            text?: string;
        };
        Storey: {
            /**
             * Format: uuid
             * @description Internal id. An import with `replace=true` creates a new one.
             */
            id: string;
            /** @description Stays the same across imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` for elements of the building's own, unnamed model. */
            model: string | null;
            /** @description 0 is the ground floor. */
            level: number;
        };
        StoreyColours: {
            colour: string;
            at: string | null;
            /**
             * @description `level`: `critical`, `high`, `medium`, `low`, or any other value, which ranks below them.
             * @enum {string}
             */
            kind: "level" | "number" | "category";
            unit: string | null;
            /** @description The range of values on the storey. */
            scale: {
                min: number;
                max: number;
            } | null;
            /** @description The values on the storey, most frequent first, at most 50. */
            categories: (string | boolean)[] | null;
            spaces: {
                /** Format: uuid */
                spaceId: string;
                value: number | string | boolean | null;
                /** @description Number of open tickets or faults. */
                count?: number;
                /** @description Whether a ticket of the room is overdue. */
                overdue?: boolean;
            }[];
        };
        StoreyDocument: {
            /** @description The label by which people know the node. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description 0 is the ground floor. */
            level: number;
            /** @description Metres above the building's zero level. */
            elevation?: number | null;
            /** @description Metres to the next storey. */
            height?: number | null;
            /** @description Rings of `[x, y]` in metres, in the storey’s own coordinates: the outer one, then at most 20 holes; closed implicitly, at most 200 positions in all, within ±100 km, not crossing or touching themselves or each other. */
            outline?: number[][][];
            /** @description Lines that a plan shows in addition to the rooms; at most 60000 positions. */
            drawing?: {
                walls?: number[][][][];
                doors?: number[][][][];
                windows?: number[][][][];
            };
            /** @description Identifier in the source system. Requires `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that assigned the `externalId`, such as `ifc`. Requires `externalId`. */
            sourceSystem?: string | null;
            spaces?: components["schemas"]["SpaceDocument"][];
            /** @description Elements that are in no room. */
            elements?: components["schemas"]["ElementDocument"][];
        };
        StoreyFound: {
            externalId: string | null;
            code: string;
            name: string;
            /** @description `null` for a storey that a dry run would create. */
            id: string | null;
        };
        StoreyLabel: {
            externalId: string | null;
            code: string;
            name: string;
        };
        StoreyMatch: {
            /** @description The storey in the document. */
            from: components["schemas"]["StoreyLabel"];
            /** @description The storey of the building, after the import. */
            to: components["schemas"]["StoreyFound"];
            /**
             * @description How the storey was matched. `elevation`: to a storey of another model with the same name and an elevation that differs by at most 0.5 m.
             * @enum {string}
             */
            by: "externalId" | "code" | "elevation" | "given" | "new";
        };
        StoreyPage: {
            items: components["schemas"]["Storey"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        StoreyPlan: {
            storey: {
                /** Format: uuid */
                id: string;
                code: string;
                name: string;
                level: number;
                /** @description Metres above the building's zero level. */
                elevation: number | null;
                /** @description Metres to the next storey. */
                height: number | null;
            };
            /** @description Direction of north, in degrees clockwise from +y; `null` if unknown. */
            north: number | null;
            bounds: {
                readonly min: number[];
                readonly max: number[];
            } | null;
            /** @description The outline of the storey. */
            outline: number[][][] | null;
            walls: number[][][][];
            doors: number[][][][];
            windows: number[][][][];
            /** @description The spaces, sorted by code, at most 2000. */
            spaces: {
                /** Format: uuid */
                id: string;
                code: string;
                name: string;
                areaSqm: number | null;
                /** @description `null` for a room without an outline on a storey where other rooms have one. */
                outline: number[][][] | null;
                /** @description The best position for the label of the room. */
                labelAt: number[] | null;
            }[];
            /** @description Number of spaces on the storey. */
            spacesTotal: number;
            /** @description `true` if no room has an outline: the rooms are then rectangles sized by their area. */
            schematic: boolean;
        };
        Team: {
            /** @description For `assignedTeamId`. */
            teamId: string;
            name: string;
            /** @description User ids. */
            members: string[];
        };
        ThroughputReport: {
            /** @enum {string} */
            report: "backlog" | "throughput" | "response" | "resolution" | "attainment" | "reopened";
            timeZone: string;
            /** @enum {string} */
            interval: "day" | "week" | "month";
            groupBy: ("building" | "storey" | "space" | "category" | "team" | "elementType" | "priority") | null;
            /** @description In chronological order; intervals that begin in the future are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["ThroughputSeries"][];
        };
        ThroughputSeries: {
            /**
             * @description `none`: tickets without a value for `groupBy`; `others`: all groups without a series of their own.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value of `groupBy`: an id or a text. */
            key: string | null;
            /** @description The display name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["ThroughputValue"][];
        };
        ThroughputValue: {
            created: number;
            resolved: number;
        };
        Ticket: {
            /** Format: uuid */
            id: string;
            /** @description `SR-` and at least six digits; unique in the organisation. */
            number: string;
            organisationId: string;
            /** Format: uuid */
            buildingId: string;
            storeyId: string | null;
            spaceId: string | null;
            elementId: string | null;
            requestType: string;
            subject: string | null;
            description: string;
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            category: string | null;
            /** @enum {string} */
            channel: "portal" | "email" | "phone" | "api" | "system";
            reporterName: string | null;
            reporterEmail: string | null;
            reporterPhone: string | null;
            /** @description Name, address and phone of the reporter were erased. */
            reporterErased: boolean;
            formData: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            assignedUserId: string | null;
            assignedTeamId: string | null;
            slaFirstResponseDueAt: string | null;
            slaResolutionDueAt: string | null;
            slaFirstResponseBreached: boolean;
            slaResolutionBreached: boolean;
            /** @description Since when the ticket has been in a state that pauses its SLA clocks. Clocks that were not yet due are stopped; when the ticket leaves the state, their due times move by the length of the pause. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault for which the ticket was raised, by a diagnostic rule or by a person. */
            faultId: string | null;
            /** @description The rating by the requester who raised the ticket. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Increases with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description The same revision as in the `ETag`. */
            revision: number;
        };
        /**
         * @example {
         *       "tickets": [
         *         "916ee21c-cdbb-5255-b2c2-094796fa6236"
         *       ],
         *       "action": {
         *         "assign": {
         *           "assignedTeamId": "hvac"
         *         }
         *       }
         *     }
         */
        TicketBulk: {
            /** @description The ids of the tickets. */
            tickets?: string[];
            /** @description The query parameters of the list, with the same values: `{ "state": "new,triaged" }`. */
            filter?: {
                /** Format: uuid */
                buildingId?: string;
                /** @description Comma-separated: any of them. */
                state?: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
                /** @description Comma-separated: any of them. */
                category?: string[];
                assignedUserId?: string;
                assignedTeamId?: string;
                /** Format: uuid */
                spaceId?: string;
                /** Format: uuid */
                storeyId?: string;
                /** Format: uuid */
                elementId?: string;
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element. Case-insensitive; `SR-10` finds SR-000010. A search that takes too long is refused: add a filter, or use longer words. */
                search?: string;
                /** @description true: only tickets with an SLA clock that is running and past its due time. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description Only tickets assigned to the signed-in person. */
                assigned?: string;
                /** @description Only the ticket with this number: `SR-42` finds `SR-000042`. */
                number?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description With `filter`: the number of tickets that you expect it to match; if it matches another number, the response is 409. A filter that matches more than 2000 tickets is refused. */
            expected?: number;
            action: components["schemas"]["BulkAction"];
        };
        TicketBulkAnswer: components["schemas"]["TicketBulkOutcome"] | components["schemas"]["TicketBulkSummary"] | components["schemas"]["TicketWorkStopped"];
        TicketBulkOutcome: {
            /**
             * Format: uuid
             * @description Id of the ticket.
             */
            id: string;
            /**
             * @description `done`: the change was recorded, or the ticket already was as requested.
             * @enum {string}
             */
            status: "done" | "refused";
            /** @description The problem code with which the ticket was refused. */
            code?: string;
            detail?: string;
            /** @description With `assign`: assignees that are neither known users nor teams. */
            warnings?: string[];
        };
        TicketBulkSummary: {
            summary: {
                done: number;
                refused: number;
            };
        };
        TicketChange: {
            /** @description Position of the change in the log: opaque and unique. */
            position: string;
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            ticketId: string;
            /**
             * @description The kind of the change: the first in this order that applies.
             * @enum {string}
             */
            change: "created" | "state" | "assignment" | "work_order" | "fields" | "sla" | "erasure" | "note" | "attachment" | "rating";
            actor: components["schemas"]["Actor"];
            /**
             * @description The channel of the change. Your own writes have the origin `api` and you as `actor`.
             * @enum {string}
             */
            origin: "api" | "work_order" | "sla" | "import" | "system";
            /** @description The ticket as it was right after this change. */
            ticket: components["schemas"]["Ticket"];
            /** @description Notes that the change added. Internal notes are included only if the caller may read them. */
            notes?: components["schemas"]["Note"][];
            /** @description Attachments that the change added. Internal ones are included only if the caller may read them. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description Attachments that the change removed. Internal ones are included only if the caller may read them. */
            removedAttachments?: string[];
            /** @description SLA warnings and breaches that were recorded with the change, whatever its kind. */
            slaEvents?: {
                /** @enum {string} */
                clock: "first_response" | "resolution";
                /** @enum {string} */
                kind: "warning" | "breached";
                /** Format: date-time */
                dueAt: string;
            }[];
        };
        TicketChangePage: {
            items: (components["schemas"]["TicketChange"] | components["schemas"]["UnreadableChange"])[];
            /** @description Cursor for `after`. Changes of other organisations do not advance it. */
            nextCursor: string;
            /** @description `true` if the page reaches the end as of the request; `false`: request the next page at once. */
            caughtUp: boolean;
            /** @description The feed is blocked at a change that this release cannot read, until a newer release reads it or an operator skips it. */
            blocked?: {
                ticketId: string;
                /** Format: date-time */
                since: string;
            };
        };
        /** @description The ticket is closed or cancelled */
        TicketClosedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "TICKET_CLOSED";
        };
        /** @description The ticket is full */
        TicketFullProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "TICKET_FULL";
        };
        TicketImportAnswer: components["schemas"]["TicketImportOutcome"] | components["schemas"]["TicketImportSummary"] | components["schemas"]["TicketWorkStopped"];
        /**
         * @example {
         *       "importKey": "cafm/WO-4711",
         *       "buildingId": "6a712747-b16d-562d-8b11-4e04afc2f571",
         *       "spaceId": "2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a",
         *       "subject": "Too warm",
         *       "description": "It is 28 °C at the window desks since noon.",
         *       "originalNumber": "WO-4711",
         *       "originalCreatedAt": "2024-05-13T08:30:00.000Z"
         *     }
         */
        TicketImportLine: {
            /** @description Identifies the ticket within the organisation: lines with the same key import the same ticket. */
            importKey: string;
            /**
             * Format: uuid
             * @description Internal id of the building.
             */
            buildingId: string;
            description: string;
            subject?: string | null;
            /**
             * @description Default: that of the request type, else medium.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description Default: that of the request type, else none. */
            category?: string | null;
            /** @description Implies its storey. */
            spaceId?: string | null;
            storeyId?: string | null;
            /** @description Implies its space and storey. */
            elementId?: string | null;
            /** @default general */
            requestType?: string;
            reporterName?: string | null;
            reporterEmail?: string | null;
            reporterPhone?: string | null;
            /**
             * @default portal
             * @enum {string}
             */
            channel?: "portal" | "email" | "phone" | "api" | "system";
            /**
             * @description The answers to the form of the request type; free-form if the type has no form.
             * @default {}
             */
            formData?: {
                [key: string]: unknown;
            };
            /**
             * @description For the caller's own identifiers. Values need not be unique.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description The ticket number in the source system; stored in `metadata.imported` with the original times. */
            originalNumber?: string | null;
            originalCreatedAt?: string | null;
            originalClosedAt?: string | null;
        };
        TicketImportOutcome: {
            /** @description Line number from 1, including blank lines. */
            line: number;
            /** @description `null` if the line has no readable key. */
            importKey: string | null;
            /** @enum {string} */
            status: "created" | "exists" | "failed";
            /**
             * Format: uuid
             * @description Id of the ticket. Like `number`, absent for a line that failed.
             */
            id?: string;
            number?: string;
            /** @description The problem code with which the line failed. */
            code?: string;
            detail?: string;
        };
        TicketImportSummary: {
            summary: {
                created: number;
                exists: number;
                failed: number;
            };
        };
        TicketLookupPage: {
            items: components["schemas"]["Ticket"][];
            /** @description `null` on the last page. */
            nextCursor: string | null;
        };
        TicketMatch: {
            requestType?: string | string[];
            priority?: ("low" | "medium" | "high" | "critical") | ("low" | "medium" | "high" | "critical")[];
            category?: string | string[];
            buildingId?: string | string[];
            storeyId?: string | string[];
            spaceId?: string | string[];
            elementId?: string | string[];
            /** @description A word or phrase in subject or description, case-insensitive. */
            text?: string;
        };
        TicketPage: {
            items: components["schemas"]["Ticket"][];
            page: number;
            limit: number;
            /** @description The number of matches. Exact, unless `totalCapped` is true, which only `search` and `field.` filters cause. */
            total: number;
            /**
             * @description Counting stopped at `total`: a search is counted up to 10000 matches, `field.` filters up to 5000, both within a time limit. There may be more matches.
             * @constant
             */
            totalCapped?: true;
        };
        /**
         * @example {
         *       "priority": "high",
         *       "metadata": {
         *         "externalId": "WO-4711"
         *       }
         *     }
         */
        TicketPatch: {
            subject?: string | null;
            description?: string;
            /** @enum {string} */
            priority?: "low" | "medium" | "high" | "critical";
            category?: string | null;
            storeyId?: string | null;
            spaceId?: string | null;
            elementId?: string | null;
            formData?: {
                [key: string]: unknown;
            } | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        TicketPreview: {
            organisationId: string;
            /** Format: uuid */
            buildingId: string;
            storeyId: string | null;
            spaceId: string | null;
            elementId: string | null;
            requestType: string;
            subject: string | null;
            description: string;
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            category: string | null;
            /** @enum {string} */
            channel: "portal" | "email" | "phone" | "api" | "system";
            reporterName: string | null;
            reporterEmail: string | null;
            reporterPhone: string | null;
            /** @description Name, address and phone of the reporter were erased. */
            reporterErased: boolean;
            formData: {
                [key: string]: unknown;
            };
            metadata: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            assignedUserId: string | null;
            assignedTeamId: string | null;
            slaFirstResponseDueAt: string | null;
            slaResolutionDueAt: string | null;
            slaFirstResponseBreached: boolean;
            slaResolutionBreached: boolean;
            /** @description Since when the ticket has been in a state that pauses its SLA clocks. Clocks that were not yet due are stopped; when the ticket leaves the state, their due times move by the length of the pause. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault for which the ticket was raised, by a diagnostic rule or by a person. */
            faultId: string | null;
            /** @description The rating by the requester who raised the ticket. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Increases with every visible change, by at least 1 ms.
             */
            updatedAt: string;
        };
        TicketWorkStopped: {
            /** @description Why processing ended. Lines after the last result may or may not have been stored. */
            problem: {
                code: string;
                detail?: string;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description This server does not allow the clock to be moved */
        TimeTravelRefusedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "TIME_TRAVEL_REFUSED";
        };
        Timeline: {
            items: components["schemas"]["TimelineEntry"][];
            /** @description Cursor for `after`; `null` on the last page. */
            nextCursor: string | null;
        };
        TimelineEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "note" | "system" | "state" | "assignment" | "fields" | "work_order" | "sla" | "attachment" | "rating" | "erasure";
            actor: components["schemas"]["Actor"];
            body?: string;
            /** @enum {string} */
            visibility?: "public" | "internal";
            /** @description The files attached with a note, including files that were removed later. */
            attachments?: {
                /** Format: uuid */
                attachmentId: string;
                name: string;
                mediaType: string;
                bytes: number;
            }[];
            from?: unknown;
            to?: unknown;
            ruleId?: string;
            /**
             * @description The text of the note or the file was erased.
             * @constant
             */
            erased?: true;
        };
        /**
         * @example {
         *       "state": "triaged",
         *       "note": "Seen."
         *     }
         */
        Transition: {
            /**
             * @description The state to move to.
             * @enum {string}
             */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            /** @description A note that is added to the timeline with the change. */
            note?: string;
        };
        /** @description The ticket cannot move to that state */
        TransitionNotAllowedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "TRANSITION_NOT_ALLOWED";
            /** @enum {string} */
            from: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            /** @enum {string} */
            to: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            allowed: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
        };
        TriedOutcome: {
            /** @enum {string} */
            state: "new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled";
            /** @enum {string} */
            priority: "low" | "medium" | "high" | "critical";
            assignedTeamId: string | null;
            assignedUserId: string | null;
            /** @description The rules that matched, in their order. */
            ruleIds: string[];
            /** @description `null` if no policy matches; then the defaults by priority apply. */
            slaPolicy: string | null;
            slaFirstResponseDueAt: string | null;
            slaResolutionDueAt: string | null;
        };
        TriedTicket: {
            /** Format: uuid */
            ticketId: string;
            number: string;
            title: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Whether the two outcomes differ. */
            isChanged: boolean;
            /** @description The outcome with the current configuration. */
            before: components["schemas"]["TriedOutcome"];
            /** @description The outcome with the configuration in the request. */
            after: components["schemas"]["TriedOutcome"];
        };
        /** @description The requested lifetime of the sandbox is too long */
        TtlTooLongProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "TTL_TOO_LONG";
        };
        /** @description No valid credential */
        UnauthenticatedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 401;
            /** @constant */
            code: "UNAUTHENTICATED";
        };
        /** @description The service is temporarily unavailable */
        UnavailableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 503;
            /** @constant */
            code: "UNAVAILABLE";
        };
        /** @description A change of this ticket that this release cannot read and that an operator has skipped. From here on, the state of the ticket is unknown until the feed returns a readable change of it. */
        UnreadableChange: {
            position: string;
            /** Format: date-time */
            at: string;
            ticketId: string;
            /** @constant */
            change: "unreadable";
        };
        /** @description The route does not accept this type of body */
        UnsupportedMediaTypeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 415;
            /** @constant */
            code: "UNSUPPORTED_MEDIA_TYPE";
        };
        /** @description The request does not fit its schema */
        ValidationFailedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "VALIDATION_FAILED";
            /** @description Path and message of each error, such as `building.storeys[0].code`. */
            errors?: components["schemas"]["FieldError"][];
            /** @description The buildings in the file: choose one with the parameter `building`. */
            buildings?: components["schemas"]["FileBuilding"][];
        };
        View: {
            /** Format: uuid */
            viewId: string;
            name: string;
            shared: boolean;
            filters: {
                [key: string]: string;
            };
            sort: string;
            columns: string[];
            /** @description The author of the view. */
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The same revision as in the `ETag`. */
            revision: number;
            /** @description Whether the caller may change and delete it. */
            editable: boolean;
        };
        /** @description The limit of saved views is reached */
        ViewLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "VIEW_LIMIT_REACHED";
            /** @description 50 or 100 */
            limit: number;
        };
        /**
         * @example {
         *       "sort": "-priority"
         *     }
         */
        ViewPatch: {
            name?: string;
            /** @description Whether everyone who may read tickets sees the view. */
            shared?: boolean;
            /** @description The query parameters of the list, with the same values: `{ "state": "new,triaged" }`. */
            filters?: {
                buildingId?: string;
                state?: string;
                priority?: string;
                category?: string;
                assignedUserId?: string;
                assignedTeamId?: string;
                spaceId?: string;
                storeyId?: string;
                elementId?: string;
                search?: string;
                overdue?: string;
                reporterUserId?: string;
                assigned?: string;
                number?: string;
            } & {
                [key: string]: string;
            };
            /**
             * @description As `sort` of the list.
             * @enum {string}
             */
            sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueAt" | "-dueAt" | "priority" | "-priority";
            /** @description Members of a ticket, or one of the derived columns `place`, `assignee`, `reporter`, `dueAt`; `field.<key>` is the answer to a form field. */
            columns?: (("id" | "number" | "organisationId" | "buildingId" | "storeyId" | "spaceId" | "elementId" | "requestType" | "subject" | "description" | "priority" | "category" | "channel" | "reporterName" | "reporterEmail" | "reporterPhone" | "reporterErased" | "formData" | "metadata" | "state" | "assignedUserId" | "assignedTeamId" | "slaFirstResponseDueAt" | "slaResolutionDueAt" | "slaFirstResponseBreached" | "slaResolutionBreached" | "slaPausedAt" | "firstRespondedAt" | "resolvedAt" | "closedAt" | "workOrderId" | "workOrderIds" | "faultId" | "rating" | "createdAt" | "createdBy" | "updatedAt" | "revision" | "place" | "assignee" | "reporter" | "dueAt") | string)[];
        };
        Views: {
            items: components["schemas"]["View"][];
            /** @description The private views of others, without their content. Only for managers. */
            others?: components["schemas"]["HiddenView"][];
        };
        Webhook: {
            /** Format: uuid */
            webhookId: string;
            url: string;
            events: ("building.point.updated" | "building.alarm.triggered" | "building.element.status_changed" | "building.changeset.applied")[];
            buildingId: string | null;
            description: string | null;
            /** @enum {string} */
            status: "active" | "paused";
            consecutiveFailures: number;
            pausedAt: string | null;
            /** @description Number of events that were not queued since the latest pause; reset to 0 at each new pause. See `recover`. */
            skippedEvents: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description The first 8 characters of the secret. */
            secret: string;
        };
        /**
         * @example {
         *       "description": "Our receiver"
         *     }
         */
        WebhookChange: {
            /** @description A public https URL of at most 2,048 characters. */
            url?: string;
            /** @description Of `building.point.updated`, `building.alarm.triggered`, `building.element.status_changed`, `building.changeset.applied`. */
            events?: string[];
            /** @description Only events of this building. Default: events of all buildings. */
            buildingId?: string | null;
            description?: string | null;
        };
        WebhookDeliveryAttempt: {
            /** Format: uuid */
            deliveryId: string;
            event: string;
            idempotencyKey: string;
            /** @description Number of the attempt, from 1 to 6. */
            attempt: number;
            /** @enum {string} */
            status: "succeeded" | "failed";
            httpCode: number | null;
            /** @description Why the attempt failed: `status`, `redirect`, `timeout`, `dns_error`, … */
            error: string | null;
            /** @description The first 1,024 bytes of the response body. */
            responseBody: string | null;
            durationMs: number;
            /** Format: date-time */
            attemptedAt: string;
            nextAttemptAt: string | null;
            deadLettered: boolean;
        };
        WebhookDeliveryAttemptList: {
            items: components["schemas"]["WebhookDeliveryAttempt"][];
            /** @description Number of events that were not queued since the latest pause; reset to 0 at each new pause. See `recover`. */
            skippedEvents: number;
        };
        /** @description The organisation has reached its limit of webhooks */
        WebhookLimitReachedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "WEBHOOK_LIMIT_REACHED";
            /** @description 50 or 10 */
            limit: number;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            limit: number;
            offset: number;
            /** @description The exact number of matches. */
            total: number;
        };
        /**
         * @example {
         *       "since": "2026-03-02T12:00:00Z"
         *     }
         */
        WebhookRecovery: {
            /**
             * Format: date-time
             * @description Recover events that were left out from this time on, of the last 7 days.
             */
            since: string;
            /**
             * Format: date-time
             * @description Recover events up to this time. Default: now.
             */
            until?: string;
        };
        WebhookTestEvent: {
            /** @constant */
            event: "webhook.test";
            data: {
                /** Format: uuid */
                webhookId: string;
                buildingId: string | null;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        /** @description Webhooks are not sent to this URL */
        WebhookUrlRefusedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "WEBHOOK_URL_REFUSED";
            reason: string;
        };
        WebhookWithSecret: {
            /** Format: uuid */
            webhookId: string;
            url: string;
            events: ("building.point.updated" | "building.alarm.triggered" | "building.element.status_changed" | "building.changeset.applied")[];
            buildingId: string | null;
            description: string | null;
            /** @enum {string} */
            status: "active" | "paused";
            consecutiveFailures: number;
            pausedAt: string | null;
            /** @description Number of events that were not queued since the latest pause; reset to 0 at each new pause. See `recover`. */
            skippedEvents: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description The full secret, returned only once. Absent if the request is repeated with the same Idempotency-Key. */
            secret?: string;
        };
        WorkProgress: {
            /** @enum {string} */
            phase: "reading" | "writing" | "indexing" | "catching up" | "swapping" | "comparing";
            /** @description Finished units of the phase: log positions, rows or indexes. */
            done: number;
            /** @description Total units of the phase; `null` if the log cannot count events. */
            total: number | null;
            perSecond: number;
            /** @description Estimated seconds until the end of this phase. */
            secondsLeft: number | null;
        };
        Workflow: {
            requestType: string;
            /** @description Allowed target states, by state. A state that is left out keeps all its transitions. */
            transitions: {
                [key: string]: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
            };
        };
    };
    responses: {
        /** @description `HEADERS_TOO_LARGE`: The request line and the headers are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["HeadersTooLargeProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `REFERENCE_NOT_FOUND`: An id in the request does not exist.
         *
         *     `LOCATION_CONTRADICTION`: Space, storey and element do not fit together.
         */
        ValidationFailedOrReferenceNotFoundOrLocationContradiction: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["ReferenceNotFoundProblem"] | components["schemas"]["LocationContradictionProblem"];
            };
        };
        /**
         * @description `UNAUTHENTICATED`: No valid credential.
         *
         *     `KEY_EXPIRED`: The API key has expired.
         *
         *     `KEY_REVOKED`: The API key was revoked.
         */
        UnauthenticatedOrKeyExpiredOrKeyRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthenticatedProblem"] | components["schemas"]["KeyExpiredProblem"] | components["schemas"]["KeyRevokedProblem"];
            };
        };
        /**
         * @description `CROSS_SITE`: The request came from a page of another origin.
         *
         *     `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: Only a signed-in person may do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         *
         *     `REQUESTERS_OFF`: Requesters are turned off for this organisation.
         */
        CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"] | components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PersonRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"] | components["schemas"]["RequestersOffProblem"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: The route does not accept this type of body. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /** @description `RATE_LIMITED`: Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description `INTERNAL`: Internal error. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        /** @description `UNAVAILABLE`: The service is temporarily unavailable. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnavailableProblem"];
            };
        };
        /** @description `VALIDATION_FAILED`: The request does not fit its schema. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"];
            };
        };
        /**
         * @description `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: Only a signed-in person may do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         *
         *     `REQUESTERS_OFF`: Requesters are turned off for this organisation.
         */
        ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PersonRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"] | components["schemas"]["RequestersOffProblem"];
            };
        };
        /** @description `NOT_FOUND`: Not found. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /**
         * @description `CROSS_SITE`: The request came from a page of another origin.
         *
         *     `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         */
        CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"] | components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"];
            };
        };
        /** @description `TICKET_FULL`: The ticket is full. */
        TicketFull: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TicketFullProblem"];
            };
        };
        /** @description `PRECONDITION_FAILED`: The resource has changed since you read it. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreconditionFailedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `TRANSITION_NOT_ALLOWED`: The ticket cannot move to that state.
         */
        ValidationFailedOrTransitionNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["TransitionNotAllowedProblem"];
            };
        };
        /**
         * @description `REOPEN_TOO_LATE`: The ticket can no longer be reopened.
         *
         *     `TICKET_FULL`: The ticket is full.
         */
        ReopenTooLateOrTicketFull: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ReopenTooLateProblem"] | components["schemas"]["TicketFullProblem"];
            };
        };
        /**
         * @description `TICKET_CLOSED`: The ticket is closed or cancelled.
         *
         *     `TICKET_FULL`: The ticket is full.
         */
        TicketClosedOrTicketFull: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["TicketClosedProblem"] | components["schemas"]["TicketFullProblem"];
            };
        };
        /**
         * @description `RATING_NOT_ALLOWED`: The ticket cannot be rated.
         *
         *     `ALREADY_RATED`: The ticket already has a rating.
         */
        RatingNotAllowedOrAlreadyRated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RatingNotAllowedProblem"] | components["schemas"]["AlreadyRatedProblem"];
            };
        };
        /**
         * @description `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: Only a signed-in person may do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         */
        ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PersonRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"];
            };
        };
        /**
         * @description `CROSS_SITE`: The request came from a page of another origin.
         *
         *     `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: Only a signed-in person may do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         */
        CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"] | components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PersonRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"];
            };
        };
        /** @description `CONFLICT`: The request conflicts with the current state. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"];
            };
        };
        /**
         * @description `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         */
        ScopeDeniedOrOrganisationRequiredOrPermissionDenied: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"] | components["schemas"]["PermissionDeniedProblem"];
            };
        };
        /** @description `CURSOR_LOST`: The events before the cursor were lost. */
        CursorLost: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CursorLostProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `ATTACHMENT_REFUSED`: The file cannot be attached.
         */
        ValidationFailedOrAttachmentRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["AttachmentRefusedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `EDGE_NOT_IN_GRAPH`: A workflow adds a transition that the state graph does not have.
         */
        ValidationFailedOrEdgeNotInGraph: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["EdgeNotInGraphProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `REFERENCE_NOT_FOUND`: An id in the request does not exist.
         *
         *     `EDGE_NOT_IN_GRAPH`: A workflow adds a transition that the state graph does not have.
         *
         *     `LOCATION_CONTRADICTION`: Space, storey and element do not fit together.
         */
        ValidationFailedOrReferenceNotFoundOrEdgeNotInGraphOrLocationContradiction: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["ReferenceNotFoundProblem"] | components["schemas"]["EdgeNotInGraphProblem"] | components["schemas"]["LocationContradictionProblem"];
            };
        };
        /** @description `VIEW_LIMIT_REACHED`: The limit of saved views is reached. */
        ViewLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ViewLimitReachedProblem"];
            };
        };
        /** @description `PROOF_REQUIRED`: The report needs a proof of work. */
        ProofRequired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProofRequiredProblem"];
            };
        };
        /** @description `PERSONAL_DATA_NOT_SEALED`: Personal data is not sealed yet. */
        PersonalDataNotSealed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PersonalDataNotSealedProblem"];
            };
        };
        /**
         * @description `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         */
        ScopeDeniedOrOrganisationRequired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"];
            };
        };
        /**
         * @description `CROSS_SITE`: The request came from a page of another origin.
         *
         *     `SCOPE_DENIED`: The scope of the API key does not allow this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         */
        CrossSiteOrScopeDeniedOrOrganisationRequired: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"] | components["schemas"]["ScopeDeniedProblem"] | components["schemas"]["OrganisationRequiredProblem"];
            };
        };
        /** @description `KEY_LIMIT_REACHED`: The organisation has reached its limit of active keys. */
        KeyLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["KeyLimitReachedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `REFERENCE_NOT_FOUND`: An id in the request does not exist.
         *
         *     `TTL_TOO_LONG`: The requested lifetime of the sandbox is too long.
         *
         *     `SANDBOX_TOO_LARGE`: The requested sandbox is too large.
         */
        ValidationFailedOrReferenceNotFoundOrTtlTooLongOrSandboxTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["ReferenceNotFoundProblem"] | components["schemas"]["TtlTooLongProblem"] | components["schemas"]["SandboxTooLargeProblem"];
            };
        };
        /** @description `SNAPSHOT_NOT_READY`: The snapshot is not ready. */
        SnapshotNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SnapshotNotReadyProblem"];
            };
        };
        /**
         * @description `SANDBOX_QUOTA_REACHED`: You have reached your limit of sandboxes.
         *
         *     `RATE_LIMITED`: Too many requests.
         */
        SandboxQuotaReachedOrRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxQuotaReachedProblem"] | components["schemas"]["RateLimitedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `TTL_TOO_LONG`: The requested lifetime of the sandbox is too long.
         */
        ValidationFailedOrTtlTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["TtlTooLongProblem"];
            };
        };
        /** @description `SANDBOX_NOT_READY`: The sandbox is not ready. */
        SandboxNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxNotReadyProblem"];
            };
        };
        /**
         * @description `EXTENSION_LIMIT_REACHED`: The sandbox cannot be extended again.
         *
         *     `RATE_LIMITED`: Too many requests.
         */
        ExtensionLimitReachedOrRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ExtensionLimitReachedProblem"] | components["schemas"]["RateLimitedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `SANDBOX_TOO_LARGE`: The requested sandbox is too large.
         */
        ValidationFailedOrSandboxTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["SandboxTooLargeProblem"];
            };
        };
        /**
         * @description `SANDBOX_NOT_READY`: The sandbox is not ready.
         *
         *     `SNAPSHOT_GONE`: The snapshot of the sandbox no longer exists.
         */
        SandboxNotReadyOrSnapshotGone: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxNotReadyProblem"] | components["schemas"]["SnapshotGoneProblem"];
            };
        };
        /**
         * @description `SANDBOX_NOT_READY`: The sandbox is not ready.
         *
         *     `SNAPSHOT_LIMIT_REACHED`: The limit of snapshots is reached.
         */
        SandboxNotReadyOrSnapshotLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxNotReadyProblem"] | components["schemas"]["SnapshotLimitReachedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `REFERENCE_NOT_FOUND`: An id in the request does not exist.
         */
        ValidationFailedOrReferenceNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["ReferenceNotFoundProblem"];
            };
        };
        /** @description `RULE_LIMIT_REACHED`: The building has reached its limit of diagnostic rules. */
        RuleLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RuleLimitReachedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `REFERENCE_NOT_FOUND`: An id in the request does not exist.
         *
         *     `WEBHOOK_URL_REFUSED`: Webhooks are not sent to this URL.
         *
         *     `EVENT_NOT_SUBSCRIBABLE`: One of the events cannot be subscribed to.
         */
        ValidationFailedOrReferenceNotFoundOrWebhookUrlRefusedOrEventNotSubscribable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ValidationFailedProblem"] | components["schemas"]["ReferenceNotFoundProblem"] | components["schemas"]["WebhookUrlRefusedProblem"] | components["schemas"]["EventNotSubscribableProblem"];
            };
        };
        /** @description `WEBHOOK_LIMIT_REACHED`: The organisation has reached its limit of webhooks. */
        WebhookLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookLimitReachedProblem"];
            };
        };
        /**
         * @description `CONFLICT`: The request conflicts with the current state.
         *
         *     `TIME_TRAVEL_REFUSED`: This server does not allow the clock to be moved.
         */
        ConflictOrTimeTravelRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"] | components["schemas"]["TimeTravelRefusedProblem"];
            };
        };
    };
    parameters: {
        /** @description Identifies the request for both sides. A valid value is echoed in the response. */
        XRequestId: string;
        /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
        IdempotencyKey: string;
        /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
        IfMatch: string;
        /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
        IfNoneMatch: string;
        /** @description One range of bytes, such as `bytes=0-1023`. Several ranges return the whole file. */
        Range: string;
        /** @description The `ETag` to which the range belongs. If it no longer matches, the whole file is returned. */
        IfRange: string;
        /** @description A solved challenge: `<challenge>.<answer>`. */
        XAtriumProof: string;
        /** @description The part of a `statusUrl` after `#`. */
        XAtriumStatusToken: string;
        /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
        XAtriumPosition: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id that was sent, or a generated one. The server's log identifies the request by it. */
        XRequestId: string;
        /** @description Seconds. */
        RetryAfter: number;
        /** @description `Bearer` */
        WWWAuthenticate: string;
        /** @description The quoted revision, for `If-Match`, followed by a digest where the response also depends on the caller. A digest alone for responses without a revision. */
        ETag: string;
        /** @description The path of the created resource. */
        Location: string;
        /** @description The position of the command in the log. Send it with a GET to read your own write. */
        XAtriumPosition: string;
        /** @description The response may not include everything up to the requested `X-Atrium-Position`. */
        XAtriumStale: "true";
        /** @description The `Idempotency-Key` was used before: this is the result of the first request. */
        IdempotentReplayed: "true";
        /** @description `bytes` */
        AcceptRanges: string;
        /** @description The range of the returned bytes and the total size. */
        ContentRange: string;
        /** @description The file name, for responses that are files. */
        ContentDisposition: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    isAlive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            /** @description Not ready. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReady"];
                };
            };
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    listTickets: {
        parameters: {
            query?: {
                buildingId?: string;
                /** @description Comma-separated: any of them. */
                state?: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
                /** @description Comma-separated: any of them. */
                category?: string[];
                assignedUserId?: string;
                assignedTeamId?: string;
                spaceId?: string;
                storeyId?: string;
                elementId?: string;
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element. Case-insensitive; `SR-10` finds SR-000010. A search that takes too long is refused: add a filter, or use longer words. */
                search?: string;
                /** @description true: only tickets with an SLA clock that is running and past its due time. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description Only tickets assigned to the signed-in person. */
                assigned?: string;
                /** @description Only the ticket with this number: `SR-42` finds `SR-000042`. */
                number?: string;
                /** @description Ascending, or descending with `-`; ties are ordered by id. `dueAt` is the earlier due time of the running clocks; tickets without one come last in both directions. `priority` ascends from low. */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueAt" | "-dueAt" | "priority" | "-priority";
                page?: number;
                limit?: number;
                /** @description Filters by the answer to a form field, `field.<key>`, of kind choice, choices or flag (`true`, `false`). Comma-separated values match any of them. At most 5 fields, all of which must match. A key that is no longer in any form matches tickets that still have an answer to it. */
                fields?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTicket"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrLocationContradiction"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    editTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TicketPatch"];
                "application/merge-patch+json": components["schemas"]["TicketPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrLocationContradiction"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TicketFull"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    transitionTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Transition"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailedOrTransitionNotAllowed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReopenTooLateOrTicketFull"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransitions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllowedTransitions"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Assignment"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignedTicket"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TicketClosedOrTicketFull"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rateTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRating"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RatingNotAllowedOrAlreadyRated"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequestTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestTypes"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportTickets: {
        parameters: {
            query?: {
                buildingId?: string;
                /** @description Comma-separated: any of them. */
                state?: ("new" | "triaged" | "in_progress" | "waiting" | "resolved" | "reopened" | "closed" | "cancelled")[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
                /** @description Comma-separated: any of them. */
                category?: string[];
                assignedUserId?: string;
                assignedTeamId?: string;
                spaceId?: string;
                storeyId?: string;
                elementId?: string;
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element. Case-insensitive; `SR-10` finds SR-000010. A search that takes too long is refused: add a filter, or use longer words. */
                search?: string;
                /** @description true: only tickets with an SLA clock that is running and past its due time. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description Only tickets assigned to the signed-in person. */
                assigned?: string;
                /** @description Only the ticket with this number: `SR-42` finds `SR-000042`. */
                number?: string;
                /** @description Filters by the answer to a form field, `field.<key>`, of kind choice, choices or flag (`true`, `false`). Comma-separated values match any of them. At most 5 fields, all of which must match. A key that is no longer in any form matches tickets that still have an answer to it. */
                fields?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One ticket per line. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportedTicket"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importTickets: {
        parameters: {
            query?: {
                /** @description `off`: the organisation's routing rules are not applied. Service levels always apply. */
                routing?: "on" | "off";
                /** @description `off`: `formData` is stored as it is sent, without a check against the form of its request type: for exported tickets, whose form may have changed and whose answers may have been erased. The limits of `formData` always apply. */
                forms?: "on" | "off";
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["TicketImportLine"];
            };
        };
        responses: {
            /** @description A result for each line, then the summary. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["TicketImportAnswer"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    actOnTickets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TicketBulk"];
            };
        };
        responses: {
            /** @description A line for each ticket, then the summary. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["TicketBulkAnswer"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readChanges: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; `end`: only changes from now on, with an empty first page. Default: from the beginning. */
                after?: string;
                limit?: number;
                /** @description Long poll: seconds to wait for a change before an empty page is returned. */
                wait?: number;
                /** @description Only changes of tickets of this building. */
                buildingId?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketChangePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            410: components["responses"]["CursorLost"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readTimeline: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    addNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
                "multipart/form-data": {
                    body: string;
                    /**
                     * @description Default `internal`; notes by requesters are always `public`. Reading internal notes needs more than the permission to read tickets.
                     * @enum {string}
                     */
                    visibility?: "public" | "internal";
                    /** @description One part of this name per file. The files have the visibility of the note. */
                    file?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedNote"];
                };
            };
            400: components["responses"]["ValidationFailedOrAttachmentRefused"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TicketFull"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUpTickets: {
        parameters: {
            query: {
                /** @description A top-level member of `metadata`. */
                key: string;
                /** @description The exact, case-sensitive text. Numbers and objects never match. */
                value: string;
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketLookupPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One range of bytes, such as `bytes=0-1023`. Several ranges return the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` to which the range belongs. If it no longer matches, the whole file is returned. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview, as `image/webp`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The requested range of the preview. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAttachments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttachmentList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    addAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AttachmentForm"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["ValidationFailedOrAttachmentRefused"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TicketFull"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    downloadAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description One range of bytes, such as `bytes=0-1023`. Several ranges return the whole file. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` to which the range belongs. If it no longer matches, the whole file is returned. */
                "If-Range"?: components["parameters"]["IfRange"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The content of the file, with its detected media type. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested range of the file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["AcceptRanges"];
                    "Content-Range": components["headers"]["ContentRange"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readServiceDeskConfiguration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredServiceDeskConfiguration"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceServiceDeskConfiguration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceDeskConfiguration"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfiguredServiceDesk"];
                };
            };
            400: components["responses"]["ValidationFailedOrEdgeNotInGraph"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Simulation"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrEdgeNotInGraphOrLocationContradiction"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryServiceDeskConfiguration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigurationTrial"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationTrialResult"];
                };
            };
            400: components["responses"]["ValidationFailedOrEdgeNotInGraph"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchPeople: {
        parameters: {
            query?: {
                /** @description Each word must occur in name, id or e-mail address. Case-insensitive. */
                search?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["People"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Views"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["ViewLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewPatch"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPresence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presence"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setPresence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPresence"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presence"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportWithoutSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description A solved challenge: `<challenge>.<answer>`. */
                "X-Atrium-Proof"?: components["parameters"]["XAtriumProof"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrLocationContradiction"];
            403: components["responses"]["ProofRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readReportChallenge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChallenge"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readReportPlace: {
        parameters: {
            query: {
                /** @description Id of the building, from the address on the label. */
                building: string;
                space?: string;
                element?: string;
                /** @description Used if the id no longer exists. */
                code?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPlace"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readReportStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The part of a `statusUrl` after `#`. */
                "X-Atrium-Status-Token"?: components["parameters"]["XAtriumStatusToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportStatus"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatusLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusLink"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeStatusLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example 916ee21c-cdbb-5255-b2c2-094796fa6236 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBacklogReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BacklogReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getThroughputReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThroughputReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getResponseReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DurationReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getResolutionReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DurationReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAttainmentReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttainmentReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReopenedReport: {
        parameters: {
            query?: {
                /** @description First day (`YYYY-MM-DD`), in the time zone of the configuration; at most 1100 days. Default: so that the period has 30 days. */
                from?: string;
                /** @description Last day (`YYYY-MM-DD`), inclusive. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description Return one series for each of the largest groups. Default: one series for all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Number of groups with a series of their own; at most 10000 values in total. */
                series?: number;
                buildingId?: string;
                storeyId?: string;
                spaceId?: string;
                elementId?: string;
                assignedTeamId?: string;
                /** @description Comma-separated: any of them. */
                category?: string[];
                /** @description Comma-separated: any of them. */
                priority?: ("low" | "medium" | "high" | "critical")[];
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReopenedReport"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listErasures: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasurePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewErasure"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["PersonalDataNotSealed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                erasureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportPerson: {
        parameters: {
            query?: {
                userId?: string;
                email?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One part of the archive per line. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["PersonArchiveLine"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readIssuer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
        };
    };
    whoAmI: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequired"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequired"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequired"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    mintKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MintedKey"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            409: components["responses"]["KeyLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readKeyAudit: {
        parameters: {
            query?: {
                action?: "key.issued" | "key.used" | "key.revoked";
                keyId?: string;
                outcome?: "allowed" | "denied";
                /** @description Inclusive. */
                from?: string;
                /** @description Exclusive. */
                to?: string;
                /** @description Of a page; an export has the whole selection, whatever the limit. */
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
                /** @description `start`, then `nextCursor` of the previous page: the records in the order of the log, oldest first, without duplicates or gaps. Cannot be combined with `from`, `to` and `cursor`. */
                after?: string;
                /** @description Long poll, with `after`: seconds to wait for a record before an empty page is returned. */
                wait?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, or the whole selection. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                    "application/x-ndjson": components["schemas"]["AuditRecord"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            410: components["responses"]["CursorLost"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readKeyHistory: {
        parameters: {
            query?: {
                /** @description Return the state of the key at this time; not in the future. */
                asOf?: string;
                limit?: number;
                /** @description `nextCursor` of the previous page. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyHistory"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSandboxes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSandbox"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrTtlTooLongOrSandboxTooLarge"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["SnapshotNotReady"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["SandboxQuotaReachedOrRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    extendSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxExtension"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrTtlTooLong"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SandboxNotReady"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["ExtensionLimitReachedOrRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"];
                };
            };
            400: components["responses"]["ValidationFailedOrSandboxTooLarge"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SandboxNotReadyOrSnapshotGone"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["SandboxQuotaReachedOrRateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSandboxRequests: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page; `end`: only requests from now on, with an empty first page. Default: from the oldest stored request. */
                after?: string;
                limit?: number;
                /** @description Long poll: seconds to wait for a request before an empty page is returned. */
                wait?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRequestPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlantedFaults: {
        parameters: {
            query?: {
                /** @description Default: the time of the first seeded value. */
                from?: string;
                /** @description Default: the time of the latest value. */
                to?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlantedFaultList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SandboxNotReady"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSandboxSnapshots: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSnapshot"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SandboxNotReadyOrSnapshotLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                snapshotId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importBuilding: {
        parameters: {
            query?: {
                /** @description true: return what the import would do, without changing anything. */
                dryRun?: boolean;
                /** @description The model that the document contains, such as `electrical` for one discipline: its nodes are added or updated, and nodes of other models stay. Default: the building’s own, unnamed model. */
                model?: string;
                /** @description GlobalId of the building to import from a file with several. */
                building?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildingDocument"];
                "application/x-step": string;
                "model/step": string;
            };
        };
        responses: {
            /** @description The result of the import or of the dry run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildingImportPreview"];
                    "application/x-ndjson": components["schemas"]["BuildingImportLine"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildingImport"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importIntoBuilding: {
        parameters: {
            query?: {
                /** @description true: return what the import would do, without changing anything. */
                dryRun?: boolean;
                /** @description The model that the document contains, such as `electrical` for one discipline: its nodes are added or updated, and nodes of other models stay. Default: the building’s own, unnamed model. */
                model?: string;
                /** @description GlobalId of the building to import from a file with several. */
                building?: string;
                /** @description Matches storeys of the document that are not matched automatically to storeys of other models: `<externalId, else code, of the document>:<id of the building’s storey>`, or `…:new`. */
                storeys?: string[];
                /** @description true: recreate the internal ids of the model and remove nodes that the document does not contain. */
                replace?: boolean;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildingDocument"];
                "application/x-step": string;
                "model/step": string;
            };
        };
        responses: {
            /** @description The result of the import or of the dry run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildingImport"];
                    "application/x-ndjson": components["schemas"]["BuildingImportLine"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSpaces: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
                /** @description Internal id of a storey. */
                storeyId?: string;
                /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
                spaceTypeSlug?: string;
                /** @description Only nodes of this named model. */
                model?: string;
                status?: "active" | "inactive";
                isLeasable?: boolean;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpacePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSpace"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveNodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveQuestion"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedKeys"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a
                 */
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Space"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getElement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 108fee28-948e-5707-b74a-cdcc4b016108
                 */
                elementId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Element"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 81199c49-5b35-5286-8e3b-cfdd5a87242c
                 */
                pointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Point"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDataLayers: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataLayerPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLayerValues: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Lower-case letters, digits and `-`.
                 * @example comfort
                 */
                layerSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerValuePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putLayerValues: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Lower-case letters, digits and `-`.
                 * @example comfort
                 */
                layerSlug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LayerUpload"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayerUploaded"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: {
                /** @description Internal id. Default: the ground floor, else the lowest storey above it. */
                storeyId?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreyPlan"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putSpaceOutline: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a
                 */
                spaceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpaceOutline"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpaceOutline"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlanColours: {
        parameters: {
            query: {
                /** @description Internal id. Default: the ground floor, else the lowest storey above it. */
                storeyId?: string;
                /**
                 * @description `tickets`, `faults`, `layer:<slug>` or `point:<class>`.
                 * @example tickets
                 */
                colour: string;
                /** @description Default: now. For points, the latest value within the 24 hours before. */
                at?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreyColours"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlanColourings: {
        parameters: {
            query?: {
                /** @description Internal id. Default: the ground floor, else the lowest storey above it. */
                storeyId?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanColourings"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlanPicture: {
        parameters: {
            query?: {
                /** @description `tickets`, `faults`, `layer:<slug>` or `point:<class>`. */
                colour?: string;
                /** @description Needs `colour`. Default: now. For points, the latest value within the 24 hours before. */
                at?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 602a3e60-6ff8-5600-b495-1965bf13a930
                 */
                storeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBuildings: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildingPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBuilding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Building"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStoreys: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoreyPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPersonRequiredOrPermissionDeniedOrRequestersOff"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listElements: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
                /** @description Only nodes of this named model. */
                model?: string;
                /** @description Internal id of a space: only items in it. */
                spaceId?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ElementPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPoints: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
                /** @description Only nodes of this named model. */
                model?: string;
                /** @description Internal id of a space: only items in it. */
                spaceId?: string;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PointPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ingestObservations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Observations"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationsAccepted"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listObservations: {
        parameters: {
            query?: {
                /** @description Inclusive. Default: a day before `to`. */
                from?: string;
                /** @description Exclusive. Default: everything up to now. */
                to?: string;
                /** @description Length of a bucket. Buckets are aligned to midnight (UTC). */
                bucket?: "1m" | "15m" | "1h" | "1d";
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                /**
                 * @description Internal id.
                 * @example 81199c49-5b35-5286-8e3b-cfdd5a87242c
                 */
                pointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDiagnosticRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiagnosticRuleList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiagnosticRuleDraft"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiagnosticRule"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["RuleLimitReached"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiagnosticRule"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRun"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundFaultList"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /** @description Only open faults, or only closed ones. */
                open?: boolean;
                /** @description Internal id of a space: only faults of points in it. */
                spaceId?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFault: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                faultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    raiseFaultTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Internal id.
                 * @example 6a712747-b16d-562d-8b11-4e04afc2f571
                 */
                buildingId: string;
                faultId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewFaultTicket"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFound"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Number of items in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Number of items before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrWebhookUrlRefusedOrEventNotSubscribable"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["WebhookLimitReached"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With GET, a cached `ETag`: if it still matches, the response is 304 without a body. With PUT, `*`: write only if nothing exists yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Not modified: the resource still matches `If-None-Match`. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["ValidationFailedOrReferenceNotFoundOrWebhookUrlRefusedOrEventNotSubscribable"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookLimitReached"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetWebhookFailures: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedDelivery"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRecovery"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveredSpan"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description true: the last 50 dead letters (deliveries that were given up), each with its last attempt. */
                deadLettered?: boolean;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAttemptList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or a list. If the current revision is another one, the response is 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    ETag: components["headers"]["ETag"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedDelivery"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readBusEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page. */
                after?: string;
                type?: string;
                buildingId?: string;
                limit?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusEventPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["CursorLost"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishBusEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewBusEvent"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    "X-Atrium-Position": components["headers"]["XAtriumPosition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedBusEvent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedMessages: {
        parameters: {
            query?: {
                buildingId?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until it includes the effect of the command. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "X-Atrium-Stale": components["headers"]["XAtriumStale"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedMessagePage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjections: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rebuildProjection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Rebuild"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRebuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectionRequests: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionRequestList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedStreams: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedStreamList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryParkedStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipParkedStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectionRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProcesses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listParkedOfProcess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-publishing */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedOfProcessList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryParkedOfProcess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-publishing */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedStream"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipParkedOfProcess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-publishing */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedStream"];
            };
        };
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcessRequest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBlockedTickets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedTicketList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipBlockedTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedTicket"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkippedTicket"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWhereStreamIsParked: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-916ee21c-cdbb-5255-b2c2-094796fa6236 */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParkedInList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-916ee21c-cdbb-5255-b2c2-094796fa6236 */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedSkipList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockTime"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["ScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request for both sides. A valid value is echoed in the response. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Makes the request idempotent: a repeat with the same key and an equal body changes nothing and returns the result of the first request. Visible ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockAdvance"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockNow"];
                };
            };
            /** @description Accepted; it continues in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockAdvancing"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["UnauthenticatedOrKeyExpiredOrKeyRevoked"];
            403: components["responses"]["CrossSiteOrScopeDeniedOrOrganisationRequiredOrPermissionDenied"];
            409: components["responses"]["ConflictOrTimeTravelRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendPointUpdatedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PointUpdatedEvent"];
            };
        };
        responses: {
            /** @description Delivered. Any other response counts as a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendAlarmTriggeredEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlarmTriggeredEvent"];
            };
        };
        responses: {
            /** @description Delivered. Any other response counts as a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendElementStatusChangedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ElementStatusChangedEvent"];
            };
        };
        responses: {
            /** @description Delivered. Any other response counts as a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendChangesetAppliedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangesetAppliedEvent"];
            };
        };
        responses: {
            /** @description Delivered. Any other response counts as a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendWebhookTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Delivered. Any other response counts as a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
