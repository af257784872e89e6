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
         * Whether the process answers at all
         * @description Checks no dependency: for a liveness probe.
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
         * Whether the process serves requests, and which parts are unavailable
         * @description For load balancers. 200 while it serves: `ready`, or `degraded` where an optional part is away and every request that does not need it is served. 503 while it cannot serve.
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
         * Measurements in the text format of Prometheus
         * @description In production it is served on `METRICS_PORT` alone.
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
         * @description All filters must hold. There is no `updatedSince`: compare `updatedAt`.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listTickets"];
        put?: never;
        /**
         * Raise a ticket
         * @description The same body twice raises two tickets; with the same `Idempotency-Key`, one. The organisation's routing rules have run when it is answered, and the SLA clocks run.
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
         * @description A JSON merge patch: absent stays, null clears, objects merge. A patch that changes nothing moves no `updatedAt`.
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
         * Move a ticket along one edge of its state graph
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
         * Where a ticket can move from here
         * @description By the state graph and the workflow of its request type, as it is now.
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
         * @description The first assignment of anybody is the first response. An assignee that is not in the directory of the configuration and has never signed in is accepted with `warnings`.
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
         * Rate one’s own ticket, once it is resolved or closed
         * @description A rating stays, through a reopening too. The same rating again is no error.
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
         * What can be asked for, and the forms
         * @description The request types of the configuration, in its order. Requesters are shown those that they may choose, without category and priority.
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
         * @description All tickets that meet the filters of the list, each as it is when it is read: a line of NDJSON, or a row where `Accept` asks for `text/csv`, with a column `field.<key>` for each of the first 200 fields of forms. Held, at most 2 s, until it shows all that was in the log when it was asked; then answered with `X-Atrium-Stale: true`. Tickets that are raised meanwhile are left out. An answer whose connection broke is not whole. Lines of NDJSON name the attachments that the caller may see, with the path of each one.
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
         * @description A ticket on each line of NDJSON, at most 100000 lines and 64 MiB. Each line is answered by one, in their order and as it goes; what was answered is stored. A line that fails stops no other one. The last line of the answer is the `summary`. Where there is none, the rest is sent again, or all of it: under a known `importKey` nothing is opened twice. What ended an import is told as `problem`, in its last line. Clocks begin anew; `originalNumber` and the original times go to `metadata.imported`. Read the answers while sending: after 16 MiB of answers that are not read, no more lines are taken.
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
         * Assign, move, edit or note many tickets
         * @description At most 2000 tickets, by ids or by a filter of the list. Each is a command of its own, answered by a line of NDJSON, in order and as it goes; one that is refused stops no other. The last line is the `summary`; without one, repeat the request under the same `Idempotency-Key`: it goes on with the same tickets and records nothing twice. A bulk stops when its caller disconnects.
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
         * Every change of every ticket, in the order it happened
         * @description One item a command, none twice and none left out. A page may be short, or empty, before the end: go on from `nextCursor`, which is always there, until `caughtUp`.
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
         * Everything that happened to a ticket, oldest first
         * @description A page may be shorter than `limit` where its texts are long: go on from `nextCursor`.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["readTimeline"];
        put?: never;
        /**
         * Add a note to a ticket, in any state
         * @description As a form it also takes files, which are attachments of the ticket: each at most 25 MiB, and all of a ticket 50 files and 250 MiB. Note and files are one change.
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
         * Find tickets by a text in their metadata, newest first
         * @description Of `metadata` only top-level members that are texts. None found is no error.
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
         * @description A WebP of at most 512 pixels, drawn anew from the picture and without its metadata. 404 for files of other types, and for pictures that cannot be decoded.
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
         * @description Oldest first. Internal ones only for who may read internal notes.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listAttachments"];
        put?: never;
        /**
         * Attach a file to a ticket
         * @description A form of one part `file` and an optional `visibility` (`internal` or `public`; `internal` unless said, `public` of requesters). At most 25 MiB, and 50 files and 250 MiB a ticket. Its type is told from its content. The file is durable when this is answered.
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
         * @description Always as a download, in a sandbox; nothing in it runs.
         *
         *     Needs the permission `service-desk.tickets:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["downloadAttachment"];
        put?: never;
        post?: never;
        /**
         * Remove an attachment
         * @description Its author may, and managers. The bytes go with the last one that has them.
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
         * @description As they were put. There is no `ETag` until something was.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["readServiceDeskConfiguration"];
        /**
         * Replace the whole configuration
         * @description Counts for tickets that are created from now on; workflows count for all. A document equal to the one that is set changes nothing. `If-Match` replaces only what was read, `If-None-Match: *` only what nobody has set. 400 names each place and the reason; a workflow that adds an edge is `EDGE_NOT_IN_GRAPH`.
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
         * What creating a ticket would do, and why
         * @description By the configuration that is sent, or the one that is set. Nothing is written and no number is drawn.
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
         * What another configuration would have done with the latest tickets
         * @description Each of the latest tickets is opened again as it was opened, at that time, by the configuration that is set and by the one that is sent. The priority is the one that routing left it then. Nothing is written.
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
         * @description Those in the `directory` of the configuration, those who signed in, and those to whom a ticket is assigned; at most 100 people and as many teams.
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
         * The caller's own views and the shared ones, by name
         * @description Needs the permission `service-desk.tickets:read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view of the ticket list
         * @description At most 50 of a person and 100 of an organisation, shared or not. A shared one needs `service-desk.tickets:write` as well.
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
         * @description A shared one is deleted by its author and by managers.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description What is absent stays; `filters` and `columns` are replaced as a whole. A shared view is changed by its author and by managers.
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
         * Who views or edits a ticket now
         * @description Needs the permission `service-desk.tickets:read`.
         */
        get: operations["listPresence"];
        put?: never;
        /**
         * Show others that one views or edits a ticket
         * @description For 30 s; repeat it every 15 s. Answers who is present, so that no other request is needed. Nothing is recorded. A caller is present once at a ticket, with any number of tabs, and at 300 tickets at most; a ticket shows 100 callers.
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
         * Report something without signing in
         * @description Only where the configuration of the organisation says `requesterAccess: "anyone"`. Raises a ticket of type `general`; where that has `requester: false`, no report is accepted. An address may report 5 times an hour and a room be reported 20 times; after 30 reports of an organisation within an hour that have no `X-Atrium-Proof`, further ones need it. All callers without credential are one caller: draw the `Idempotency-Key` at random, and repeat it with the report as long as there is no answer. A repeat counts for no limit.
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
         * @description Takes about half a second in a browser, and counts for one report within ten minutes. The server does not remember it.
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
         * The names of the place that a label names
         * @description Names alone, and only where the organisation accepts reports of anyone.
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
         * How a report is doing
         * @description The token of a `statusUrl` is sent in a header, so that no address, log or `Referer` has it. It ends 90 days after the report, 14 days after the ticket was closed, when the desk revokes it, and while the organisation accepts no reports of anyone.
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
         * Whether the reporter of a ticket has a status link
         * @description A 404 for a ticket that was not reported without sign-in.
         *
         *     Needs the permission `service-desk.tickets:read`.
         */
        get: operations["getStatusLink"];
        put?: never;
        post?: never;
        /**
         * Revoke the status link of a ticket
         * @description It opens nothing from now on, for good. Revoking it again changes nothing.
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
         * @description Every state with pending work is open. An interval that has not ended has those of now. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description A ticket that is resolved again after a reopen counts again. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description The tickets that were first assigned in the interval, with the elapsed minutes since the ticket was raised: percentiles are values that occurred. `met` and `missed` follow the recorded breaches of tickets with that clock, so working hours and pauses count as they did for the ticket. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description The resolutions in the interval, repeated ones too, with the elapsed minutes since the ticket was raised: percentiles are values that occurred. `met` and `missed` follow the recorded breaches of tickets with that clock, so working hours and pauses count as they did for the ticket. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description A clock is missed once, at its due time, if its breach is recorded, and met where it ends without one: at the first response, or at each resolution. A cancellation meets no clock. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description `rate`: reopened per resolved; `null` where none was resolved. All filters must hold of a ticket as it is now, and it is grouped as it is now. A row per interval and series where `Accept` asks for `text/csv`.
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
         * @description It says nothing of the persons: no name, address or id of an account.
         *
         *     Needs the permission `platform.erasure:write`.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Erase a person
         * @description The keys that their personal data is sealed under are destroyed, and every answer has `erased: true` in place of the person. The same person again is the same erasure.
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
         * The state of an erasure, and what it found
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
         * Export everything of a person
         * @description Of the account or the address, one of both: the directory knows which belong together. Lines of NDJSON: their erasures, the profile, the tickets that they raised or reported, all that they did to tickets, and their attachments, each followed by its bytes in parts. At most 100000 tickets. Held, at most 2 s, until it has all that was in the log when it was asked; then answered with `X-Atrium-Stale: true`. An archive without the line `end` is not whole.
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
         * Where to sign in
         * @description OAuth 2.0 Protected Resource Metadata (RFC 9728), for clients that sign in.
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
         * @description Pages find out with it who has signed in, and where. It holds no token. At the address of a sandbox it names that sandbox; where there is none for the caller, 404.
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
         * One's own sessions
         * @description Every browser in which the person has signed in, at every address.
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
         * End one of one's own sessions
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
         * @description Newest first; expired and revoked ones too. Also for a `full` key.
         *
         *     Needs the permission `platform.keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Mint an API key
         * @description Needs a signed-in person; a key can never mint another one. The answer holds the plaintext token, and nothing else ever does.
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
         * @description Its next request is denied. Again: 204; of an expired key: 204, and it stays expired. Also for a `full` key.
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
         * The audit of the organisation's API keys, newest first
         * @description Records of the last 18 months. Needs a signed-in person; no key opens it. Held, at most 2 s, until it shows all that was in the log when it was asked; then answered with `X-Atrium-Stale: true`. `Accept: application/x-ndjson` or `text/csv` gives the whole selection as a file; `limit` is for pages and does not bound it. With `after`, oldest first and in the order of the log, for programs that must miss nothing. An operator without organisation is shown the denials that belong to nobody.
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
         * A key's records from the event log itself, oldest first
         * @description Issuance and revocation of any age, uses of the last 18 months. A page may be short, or empty, while `nextCursor` is not `null`. With `asOf`: the key as it stood then; a 404 before it was issued.
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
         * @description Newest first; without those that were deleted or have expired.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSandboxes"];
        put?: never;
        /**
         * Request a sandbox
         * @description It is provisioned in the background: look at `Location` until its status is no longer `provisioning`. The same body twice makes two sandboxes; with the same `Idempotency-Key`, one. With `fromSnapshot` it has the content of the snapshot, ids included, but none of its webhooks.
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
         * A sandbox
         * @description While it is `provisioning`, look again after `Retry-After`.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        /**
         * Delete a sandbox at once
         * @description Its database is dropped in the background. While it is being provisioned, that work is aborted, and it counts for the quota until it has ended. Again: 404; a repeat under the same `Idempotency-Key`: 204.
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
         * Let a sandbox live longer
         * @description The days are added to its present end, which lies at most 30 days from now afterwards. A sandbox can be extended twice.
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
         * Seed a sandbox anew
         * @description A new database with the same building: internal ids are fresh, externalIds the same. Its tickets and webhooks are gone; its address, its end and its extensions stay. One that was made from a snapshot goes back to it, with the ids that it has there.
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
         * The last day's requests of a sandbox's host
         * @description Oldest first, about a second after their answers, at most 10,000. Paths, queries, headers and bodies are not kept. This is for debugging and no audit: requests are missing after a crash and under heavy load.
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
         * The deliberate faults in the values of a sandbox
         * @description To score a detector with: computed by the same curves as the values, those of the live feed and of skipped time included, and cut off at `from` and `to`. While the sandbox sleeps there are no values. A fault of a fan shows only while nobody is in. More than 50,000 points are refused.
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
         * @description Newest first; without those that were deleted or have expired.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["listSandboxSnapshots"];
        put?: never;
        /**
         * Copy a sandbox into a snapshot
         * @description In the background: look at `Location` until its status is no longer `creating`. The sandbox sleeps while it is copied: its requests wait up to a few seconds, or are answered 503 with `Retry-After`, and its live connections are closed. A snapshot stays as it is when its sandbox is reset or deleted, and counts for the developer of the sandbox.
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
         * @description Newest first, those of deleted sandboxes included; without those that were deleted or have expired.
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
         * A snapshot
         * @description While it is `creating`, look again after `Retry-After`.
         *
         *     Needs the permission `platform.sandboxes:read`.
         */
        get: operations["getSnapshot"];
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description Sandboxes that were made from it stay; they cannot be reset any more. Again: 404; a repeat under the same `Idempotency-Key`: 204.
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
         * Make a building from a document
         * @description All of it or nothing. The same document twice makes two buildings; with the same `Idempotency-Key`, one. A code or an external identifier that occurs twice is a `CONFLICT`. Nodes of an IFC file get `sourceSystem` `ifc` and their GlobalId as `externalId`; their codes are generated from their names, and stay as long as the GlobalId does. Errors name the place in a document, or the line of a file. A sensor of an IFC file is a point of the element it is assigned to, else of an element `sensors` of its room. A file of several buildings needs `building`; its refusal lists them. With `dryRun=true` the answer is a 200 without an id. Where `Accept` prefers NDJSON, the answer is a 200 that begins when the document has arrived: a line for each phase, and last the `result` or the `problem`.
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
         * @description All of it or nothing. A node is the one with the same (sourceSystem, externalId), else the one of its kind with the same code. `replace=false` adds what is new, updates what the document says, and removes nothing. `replace=true` makes every node of the model anew: internal ids change, external ones stay. With `model` the document is one model of several, and nodes of others stay as they are: its storeys and rooms are those of other models where they have the same identity, its storeys also by elevation and name; `storeys` of the answer says which. Elements that are in no room of the document are in the room whose outline is where they are. A document without storeys and with `replace=true` removes a model. Where `Accept` prefers NDJSON, the answer is a 200 that begins when the document has arrived: a line for each phase, and last the `result` or the `problem`.
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
         * Its spaces, by code
         * @description All filters given must hold. There is none for externalId or code: neither is a lookup key.
         *
         *     Needs the permission `platform.buildings:read`, or `service-desk.own:read` for requesters.
         */
        get: operations["listSpaces"];
        put?: never;
        /**
         * Add a space to a storey
         * @description Both identifiers are kept. A code that is taken in the building is a `CONFLICT`, so is an `externalId` of the same `sourceSystem`; a storey of another building is a `REFERENCE_NOT_FOUND`. While the building is being imported into, 503.
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
         * @description A code may be that of a node of each kind, and an `externalId` that of several source systems where none is named: each is answered. Changes nothing.
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
         * A space
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
         * A piece of equipment
         * @description Requesters are shown its name and place, as on a label.
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
         * A point
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
         * The values of a data layer, by the code of the room
         * @description Needs the permission `platform.buildings:read`.
         */
        get: operations["listLayerValues"];
        /**
         * Write values to rooms
         * @description All in one transaction. The first upload makes the layer. A key that finds no room is no error: it is listed as `unmatched`. One that names several rooms writes none of them: it is listed in `diagnostics`. While the building is being imported into, 503.
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
         * @description In metres, in the storey’s own coordinates, y upwards. Where no room has an outline, rooms are rectangles by their area, and `schematic` is true.
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
         * Draw a space
         * @description Answers the outline as it is stored: in whole millimetres, counter-clockwise. `null` takes it away. The same again changes nothing. While the building is being imported into, 503.
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
         * What the rooms of a plan are coloured by
         * @description Open tickets by their worst priority (needs `service-desk.tickets:read` too), open faults by their worst severity, a data layer, or the mean of a room’s points of one class. Rooms without a value are left out. `at` is for faults and points.
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
         * What a plan can be coloured by
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
         * @description SVG without scripts or parts from elsewhere, in the colours of `getPlanColours`; overdue tickets are hatched. `ETag` changes with the picture. Requesters are shown plans without colours.
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
         * A building
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
         * Its storeys, from the lowest up
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
         * Its equipment, by code
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
         * Its points, by code
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
         * @description All of it or nothing, durable before the answer. The same point and time again replaces the value, so that a request without an answer can be sent again. One batch has at most 40 different days (UTC). What is wrong is named by its place, such as `observations[1].pointId`. Each point is then told of once, with its latest value. Of batches of more than 500 observations, an organisation has one at a time under way; the others wait.
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
         * @description Samples, or with `bucket` what they come to in each length of time that has any. An answer holds at most 10,000 rows; ask again with `from` as `nextFrom` says.
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
         * Have a point, or all points of a class, watched
         * @description The rule follows each point from its next sample on. It opens one fault for a point, which closes when the value is back; while it is open it raises nothing more. At most 12 faults for a point in an hour: the last stays open, flapping, until it is quiet. A building has at most 200 rules, of which at most 20 can match one point. With `raiseTicket` each fault raises a ticket, at most 20 of a rule in an hour.
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
        get?: never;
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
         * The faults that a rule would have found in stored samples
         * @description Nothing is written. Points times days are at most 3,660: a point for ten years, or a hundred points for a month.
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
         * @description Who may read tickets sees the `ticket` of each fault.
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
         * @description Who may read tickets sees its `ticket`.
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
         * Raise the ticket of a fault
         * @description Filled in from the fault: subject, description, place, and the severity as priority where it is a word of priorities. A fault has one ticket: the one that is there is answered with 200, in whatever state it is. It gets a note when the fault closes, and is resolved unless somebody has moved it on. Needs `service-desk.tickets:write` too.
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
         * @description The answer holds the secret in full, and nothing else ever does. The URL must be a public https one; it is looked at again before each delivery.
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
         * End a subscription
         * @description A delivery under way is finished; nothing is sent after it.
         *
         *     Needs the permission `platform.webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change URL, events, building or description
         * @description What is absent stays. Deliveries that are under way go on to the URL of the day.
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
         * Draw a new secret
         * @description The answer holds it in full. The replaced secret signs for another 24 hours: `X-SVC-Signature-Previous` lists the signatures of all such secrets, newest first, and `webhook-signature` lists all. While 5 of them sign, a rotation is refused with `CONFLICT`.
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
         * @description Of one that is active and has no failures: nothing changes.
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
         * @description One attempt, whether or not the subscription is paused. Its failure does not count; its success resumes what was paused.
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
         * Deliver the events that a pause has left out
         * @description Events that were not queued because the subscription was paused, by when that was, as long as the log keeps them (7 days). Their idempotency keys are those they would have had, so that asking twice does no harm.
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
         * Deliver once more
         * @description A new delivery that begins with attempt 1, of one that was attempted lately or was given up. The same idempotency key: the event is the same.
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
         * Read what was published, in its order
         * @description A page may be short, or empty, before the end: go on from `nextCursor` until `caughtUp`, and from there later.
         *
         *     Needs the permission `platform.bus:read`.
         */
        get: operations["readBusEvents"];
        put?: never;
        /**
         * Bring an event onto the internal bus
         * @description Durable before the answer; its effects follow. Accepted types: `cafm.work-order.created`, `cafm.work-order.updated`, `cafm.work-order.completed`, `wifi-sensing.event`, `wifi-sensing.occupancy.changed`, `wifi-sensing.hvac.presence`, `wifi-sensing.meeting.lifecycle`.
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
         * Messages that came and took no effect so far, and why
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
         * Build a read model anew beside the live one, and swap it in
         * @description The process that feeds it carries this out; lists are answered all the while. Its progress is in `GET /api/v1/operations/projections`, its outcome among its requests.
         *
         *     Needs the permission `platform.operations:write`.
         */
        post: operations["rebuildProjection"];
        /**
         * Cancel the rebuild or verification that is asked for or under way
         * @description The live read model stays as it is.
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
         * What was asked of a read model, and what became of it
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
         * Parked streams of a read model, and why
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
         * Apply a parked stream from its first parked event on
         * @description The process that feeds the read model carries this out within seconds.
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
         * Leave out the event that parked a stream, and go on with the stream
         * @description The process that feeds the read model carries this out within seconds.
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
         * Parked streams or stuck timers of a process, and why
         * @description Needs the permission `platform.operations:read`.
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
         * Handle a parked stream from its first parked event on; fire a stuck timer again
         * @description The process that runs it carries this out within seconds.
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
         * Leave out the event that parked a stream, or the due time of a stuck timer
         * @description The process that runs it carries this out within seconds.
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
         * @description Those that a reader has met, and that this release cannot read.
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
         * Have the change feed pass over what cannot be read of a ticket
         * @description Its readers are told of an item `unreadable` in its place, and of one for each later change of the ticket, until a release reads it. Doing it twice is doing it once.
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
         * Which read models, processes and feeds have parked a stream, and why
         * @description The events that a skip would leave out. Empty where the stream is not parked.
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
         * Leave out the event that parked a stream, wherever it is parked
         * @description The processes that own it carry this out within seconds. Repeating it requests nothing twice; `items` is empty where the stream is not parked.
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
         * @description What falls due in between happens in order, each at its own time. An advance that takes longer than 30 s is answered 202 and goes on: `GET` shows how far it is. The clock never goes back, and stays moved through a restart. An advance that stops before its target (503, or a restart of the server) goes on to it when it is repeated under the same `Idempotency-Key`. Another advance meanwhile is a 409. The advances of one sandbox cover at most 732 days in an hour: beyond that 429.
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
        /** An ingest changed a point */
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
        /** Not raised yet */
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
        /** Not raised yet */
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
        /** A test of the subscription was asked for */
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
             * @description Its text was erased.
             * @constant
             */
            erased?: true;
            /** @description The files that came with it. */
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
        /** @description The ticket is rated already */
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
            /** @description Since when it waits under a policy that pauses: the clocks that were not due by then stand, and their due times move when it goes on. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault that it was raised for, by a diagnostic rule or by hand. */
            faultId: string | null;
            /** @description By the requester who raised it. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Moves with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description As in the ETag. */
            revision: number;
            /** @description Assignees that do not exist. Absent: none, or there is no directory. */
            warnings?: string[];
        };
        /**
         * @example {
         *       "assignedTeamId": "hvac"
         *     }
         */
        Assignment: {
            /** @description `null` unassigns; absent keeps. */
            assignedUserId?: string | null;
            assignedTeamId?: string | null;
            note?: string;
        };
        Attachment: {
            /** Format: uuid */
            attachmentId: string;
            name: string;
            /** @description Detected from the content, whatever the sender called it. */
            mediaType: string;
            bytes: number;
            /** @description In hexadecimal. Also the `ETag` of the bytes. */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @enum {string} */
            visibility: "public" | "internal";
            /**
             * Format: uuid
             * @description The note that it came with.
             */
            noteId?: string;
            /** @description Path of its preview, where it is a picture of which one can be drawn. Only in answers of this resource, not in the feed. It may answer 404 all the same. */
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
            /** @description In order; those that begin after now are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["AttainmentSeries"][];
        };
        AttainmentSeries: {
            /**
             * @description `none`: tickets without a group; `others`: of groups without a series.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value that `groupBy` names: an id or a text. */
            key: string | null;
            /** @description The name of a place or an element type. */
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
            /** @description `null` on the last page; with `after` always there. */
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
            /** @description Why it was denied; `restored` of a revocation that was recorded once more, with the time and the actor that it had, because the log was restored from a backup. */
            reason: ("revoked" | "expired" | "unknown" | "secret_mismatch" | "scope" | "restored") | null;
            keyId: string | null;
            label: string | null;
            scope: ("sandbox" | "publish" | "full") | null;
            expiresAt: string | null;
            /** @description `null`: unknown. */
            actor: components["schemas"]["Actor"] | null;
            /** @description `GET /api/v1/sandboxes/{id}` */
            route: string | null;
            sourceIp: string | null;
            userAgent: string | null;
            /** @description Only of a summary: how many denials it counts; `null` where a count was lost. */
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
            /** @description In order; those that begin after now are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["BacklogSeries"][];
        };
        BacklogSeries: {
            /**
             * @description `none`: tickets without a group; `others`: of groups without a series.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value that `groupBy` names: an id or a text. */
            key: string | null;
            /** @description The name of a place or an element type. */
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
             * @description Of the first event of the ticket that cannot be read.
             */
            eventId: string;
            revision: number;
            /** @description Whose feed is blocked. */
            organisation: string | null;
            position: string;
            /**
             * Format: date-time
             * @description When the event happened.
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
             * @description Internal id; recreated by an import with `replace=true`.
             */
            id: string;
            /** @description Survives imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            site: components["schemas"]["NodeLabel"];
            /** @description Named ones, by name. */
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
            /** @description Its site. A site of the same code in the organisation is the same site. */
            site: {
                /** @description The label people know it by. Unique among the nodes of its kind in the building. */
                code: string;
                name: string;
            };
            building: {
                /** @description The label people know it by. Unique among the nodes of its kind in the building. */
                code: string;
                name: string;
                /** @description Where north is on the plans: degrees clockwise from +y. */
                north?: number | null;
                /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
                externalId?: string | null;
                /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
                sourceSystem?: string | null;
                storeys?: components["schemas"]["StoreyDocument"][];
            };
        };
        BuildingImport: {
            /** Format: uuid */
            buildingId: string;
            created: components["schemas"]["NodeCounts"];
            updated: components["schemas"]["NodeCounts"];
            /** @description With `replace=true` every node that the model had. */
            removed: components["schemas"]["NodeCounts"];
            gone: components["schemas"]["GoneCounts"];
            outlines: components["schemas"]["OutlineCounts"];
            /** @description Where the storeys of the document are; the first 1000. */
            storeys: components["schemas"]["StoreyMatch"][];
            elements: components["schemas"]["ElementPlaces"];
            /** @description What was read otherwise than it is written, by its line, or left out. */
            warnings: string[];
        };
        BuildingImportLine: {
            /** @enum {string} */
            phase: "reading" | "shapes" | "writing";
            /** @description Of the document, which has arrived: `reading`. */
            bytes?: number;
            /** @description That are compared and written: `writing`. */
            nodes?: number;
        } | {
            result: {
                created: components["schemas"]["NodeCounts"];
                updated: components["schemas"]["NodeCounts"];
                /** @description With `replace=true` every node that the model had. */
                removed: components["schemas"]["NodeCounts"];
                gone: components["schemas"]["GoneCounts"];
                outlines: components["schemas"]["OutlineCounts"];
                /** @description Where the storeys of the document are; the first 1000. */
                storeys: components["schemas"]["StoreyMatch"][];
                elements: components["schemas"]["ElementPlaces"];
                /** @description What was read otherwise than it is written, by its line, or left out. */
                warnings: string[];
                /** Format: uuid */
                buildingId?: string;
            };
            /** @description As the header `Idempotent-Replayed`. */
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
            /** @description With `replace=true` every node that the model had. */
            removed: components["schemas"]["NodeCounts"];
            gone: components["schemas"]["GoneCounts"];
            outlines: components["schemas"]["OutlineCounts"];
            /** @description Where the storeys of the document are; the first 1000. */
            storeys: components["schemas"]["StoreyMatch"][];
            elements: components["schemas"]["ElementPlaces"];
            /** @description What was read otherwise than it is written, by its line, or left out. */
            warnings: string[];
        };
        BuildingPage: {
            items: components["schemas"]["Building"][];
            limit: number;
            offset: number;
            /** @description Exact. */
            total: number;
        };
        /** @description One of these, with the body of its route for a single ticket. */
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
            /** @description For `after`. Messages of other buildings do not move it. */
            nextCursor: string;
            /** @description This was the end when it was asked for; otherwise go on at once. */
            caughtUp: boolean;
        };
        BusinessCalendar: {
            /** @description Such as Europe/Berlin. */
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
            /** @description Of `met` and `missed`. */
            share: number | null;
        };
        ClockTime: {
            /** Format: date-time */
            now: string;
            /**
             * Format: date-time
             * @description While the latest advance has not reached it.
             */
            target?: string;
            /**
             * @description Beside `target`. A stopped advance goes on when its request is repeated.
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
            /** @description Accepted, and probably a mistake: a place in a match that the organisation does not have, a rule behind one that stops at all its tickets, a state that a workflow lets none leave, a member of a team or an assignee of a rule that does not exist. */
            warnings: string[];
        };
        ConfiguredServiceDesk: {
            /** @description Of reports: where their days begin. Such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["StoredSlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["StoredBusinessCalendar"];
            };
            routingRules: components["schemas"]["StoredRoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Whether people with the role `requester` report: nobody, those who have signed in, or anyone. Default off.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description Closed and cancelled tickets lose their personal data after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description Their forms check `formData`; that of other request types stays free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
            /** @description Accepted, and probably a mistake: a place in a match that the organisation does not have, a rule behind one that stops at all its tickets, a state that a workflow lets none leave, a member of a team or an assignee of a rule that does not exist. */
            warnings: string[];
        };
        /** @description It is in use */
        ConflictProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "CONFLICT";
            /** @description Each place, such as `building.storeys[0].code`, and its error. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @description A page of another origin sent this */
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
            /** @description Rooms that have a value in it. */
            values: number;
            /** Format: date-time */
            createdAt: string;
        };
        DataLayerPage: {
            items: components["schemas"]["DataLayer"][];
            limit: number;
            offset: number;
            /** @description Exact. */
            total: number;
        };
        Degraded: {
            /** @constant */
            status: "degraded";
            /** @description Which optional parts are away. */
            reasons: string[];
        };
        DiagnosticRule: {
            /** Format: uuid */
            ruleId: string;
            title: string;
            /** @description Your own word; common ones are critical, high, medium and low. */
            severity: string;
            /**
             * @description `stale`: `threshold` seconds have passed since the last observation, or since the rule was created where there is no observation.
             * @enum {string}
             */
            comparison: "gt" | "gte" | "lt" | "lte" | "stale";
            /** @description A value, in the unit of the point; a yes is 1. For `stale`, seconds above 0. */
            threshold: number;
            /**
             * Format: uuid
             * @description The internal id that it has by now.
             */
            pointId?: string;
            pointClass?: string;
            forSeconds: number;
            /** @description Absent: its faults raise no tickets. */
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
            /** @description Your own word; common ones are critical, high, medium and low. */
            severity: string;
            /**
             * @description `stale`: `threshold` seconds have passed since the last observation, or since the rule was created where there is no observation.
             * @enum {string}
             */
            comparison: "gt" | "gte" | "lt" | "lte" | "stale";
            /** @description A value, in the unit of the point; a yes is 1. For `stale`, seconds above 0. */
            threshold: number;
            /**
             * Format: uuid
             * @description Internal id. This or `pointClass`.
             */
            pointId?: string;
            /** @description All points of this class, later ones included. */
            pointClass?: string;
            /**
             * @description The condition must have held for so long. A value holds until the next one; where none comes, the clock of the platform counts.
             * @default 0
             */
            forSeconds?: number;
            /** @description Each fault raises one ticket, which gets a note when the fault closes and is resolved unless somebody has moved it on. Needs `service-desk.tickets:write` too. */
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
            /** @description As `sub` of the access token names the user. */
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
             * @description Exclusive; the future is left out.
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
            /** @description In order; those that begin after now are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["DurationSeries"][];
        };
        DurationSeries: {
            /**
             * @description `none`: tickets without a group; `others`: of groups without a series.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value that `groupBy` names: an id or a text. */
            key: string | null;
            /** @description The name of a place or an element type. */
            label: string | null;
            /** @description One for each interval. */
            values: components["schemas"]["DurationValue"][];
        };
        DurationValue: {
            count: number;
            /** @description `null`: none was counted. */
            medianMinutes: number | null;
            /** @description `null`: none was counted. */
            p90Minutes: number | null;
            met: number;
            missed: number;
            /** @description Of `met` and `missed`. */
            share: number | null;
        };
        /** @description A workflow adds a transition that tickets do not have */
        EdgeNotInGraphProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "EDGE_NOT_IN_GRAPH";
            /** @description Each place, such as `building.storeys[0].code`, and its error. */
            errors?: components["schemas"]["FieldError"][];
        };
        Element: {
            /**
             * Format: uuid
             * @description Internal id; recreated by an import with `replace=true`.
             */
            id: string;
            /** @description Survives imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` of what the building’s own model has. */
            model: string | null;
            elementTypeSlug: string;
            /** @description `null` where it is in no room. */
            spaceId: string | null;
            /** Format: uuid */
            storeyId: string;
        };
        ElementDocument: {
            /** @description The label people know it by. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
            elementTypeSlug: string;
            /** @description Where it is: `x` and `y` in metres, in the coordinates of outlines. An element that is on a storey and in no room of the document is put into the room whose outline is there. */
            x?: number | null;
            /** @description Where it is: `x` and `y` in metres, in the coordinates of outlines. An element that is on a storey and in no room of the document is put into the room whose outline is there. */
            y?: number | null;
            /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
            sourceSystem?: string | null;
            points?: components["schemas"]["PointDocument"][];
        };
        ElementPage: {
            items: components["schemas"]["Element"][];
            limit: number;
            offset: number;
            /** @description Exact. */
            total: number;
        };
        /** @description How the elements of the imported model are in rooms. */
        ElementPlaces: {
            /** @description In a room of the document. */
            contained: number;
            /** @description In the room whose outline is where they are. */
            byGeometry: number;
            /** @description On a storey, in no room. */
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
             * @description Of the first request.
             */
            requestedAt: string;
            /** @description Of the first request. */
            requestedBy: components["schemas"]["Actor"];
            /** @description Of all requests of this erasure. `null` until it is finished. */
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
            /** @description `null`: there is nothing more. */
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
            /** @description Detected from the content, whatever the sender called it. */
            mediaType: string;
            bytes: number;
            /** @description In hexadecimal. Also the `ETag` of the bytes. */
            sha256: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @enum {string} */
            visibility: "public" | "internal";
            /**
             * Format: uuid
             * @description The note that it came with.
             */
            noteId?: string;
            /** @description Path of the bytes on this server. */
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
            /** @description Since when it waits under a policy that pauses: the clocks that were not due by then stand, and their due times move when it goes on. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault that it was raised for, by a diagnostic rule or by hand. */
            faultId: string | null;
            /** @description By the requester who raised it. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Moves with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description As in the ETag. */
            revision: number;
            attachments: components["schemas"]["ExportedAttachment"][];
        };
        /** @description The sandbox has no extension left */
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
            /** @description That began it; `null` where `stale` waited for a point that was never heard. */
            value: number | boolean | null;
            /** @description Only of a fault that has flapped: it stays open beyond the 12 faults that a rule opens for one point in an hour. `true` until its condition has been quiet for an hour. */
            flapping?: boolean;
            /** @description Only of a fault that has flapped: further openings that it includes. */
            flapCount?: number;
            /** @description `null`: it has none. Absent for callers who may not read tickets. */
            ticket?: components["schemas"]["FaultTicket"] | null;
        };
        FaultList: {
            items: components["schemas"]["Fault"][];
            limit: number;
            offset: number;
            /** @description Exact. */
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
            /** @description Of an earlier field of the form. */
            key: string;
            /** @description Its answer, or a list of answers; of several choices one suffices. */
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
            /** @description Where it is shown. Default false. */
            required?: boolean;
            /** @description Of `choice` and `choices`. */
            options?: components["schemas"]["FieldOption"][];
            /** @description Default: it is always shown. */
            showIf?: components["schemas"]["FieldCondition"];
            /** @description Of a number; characters of `text`; how many `choices`. Default: none. */
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
            /** @description That began it; `null` where `stale` waited for a point that was never heard. */
            value: number | boolean | null;
            /** @description Only of a fault that has flapped: it stays open beyond the 12 faults that a rule opens for one point in an hour. `true` until its condition has been quiet for an hour. */
            flapping?: boolean;
            /** @description Only of a fault that has flapped: further openings that it includes. */
            flapCount?: number;
        };
        FoundFaultList: {
            items: components["schemas"]["FoundFault"][];
        };
        /** @description What nothing took the place of: nodes by kind, and what hung on such nodes. */
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
            /** @description By an allowed request of the last 18 months. */
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
             * @description What a key is tried as first; the other identifier is accepted too.
             * @default externalId
             * @enum {string}
             */
            keyBy?: "externalId" | "id";
            /** @description Only externalIds that this system gave. */
            sourceSystem?: string;
            /** @description The last value for a room counts. */
            values: components["schemas"]["LayerEntry"][];
        };
        LayerUploaded: {
            /** @description Rooms. */
            written: number;
            /** @description Keys that found no room, each once. */
            unmatched: string[];
            /** @description If there were keys and none found a room, or a key names several rooms. */
            diagnostics?: {
                /** @enum {string} */
                reason: "BUILDING_HAS_NO_SPACES" | "BUILDING_HAS_NO_EXTERNAL_IDS" | "IDENTIFIERS_NOT_IN_BUILDING" | "AMBIGUOUS_KEYS";
                /** @description With `AMBIGUOUS_KEYS`: those that name several rooms, each once. */
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
             * @description When the value became another one.
             */
            updatedAt: string;
        };
        LayerValuePage: {
            items: components["schemas"]["LayerValue"][];
            limit: number;
            offset: number;
            /** @description Exact. */
            total: number;
        };
        /** @description Space, storey and element do not fit together */
        LocationContradictionProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "LOCATION_CONTRADICTION";
            /** @description Each place, such as `building.storeys[0].code`, and its error. */
            errors?: components["schemas"]["FieldError"][];
        };
        Me: {
            actor: components["schemas"]["Actor"];
            /** @description `null` for an operator, who belongs to none. */
            organisation: string | null;
            /** @description A key has none: its scope applies. */
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
            /** @description The plaintext, once: absent where the mint is repeated under its Idempotency-Key. */
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
            /** @description The same `eventId` in it again is the same event; without one, each is another. */
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
            /** @description The account, or the address; the directory knows which belong together. */
            subject: {
                userId: string;
            } | {
                email: string;
            };
            /**
             * @description Whether what the person wrote, files among it, is erased or kept without them.
             * @enum {string}
             */
            texts: "keep" | "erase";
            /** @description Kept with the erasure: it must not name the person. */
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
             * @description `sandbox`: the sandbox lifecycle; `full`: also listing and revoking keys.
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
             * @description Default internal; of requesters always public. Internal notes need more than the permission to read tickets.
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
             * @description `left` ends it at once; nothing ends it after 30 s.
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
            /** @description Leave it out: a field of the page that people do not see. Filled in, it is a 400. */
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
            /** @description Shown to people; the address is derived from it. */
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
             * @description At most 30; more is `TTL_TOO_LONG`.
             * @default 14
             */
            ttlDays?: number;
            /** @default 7 */
            seedTelemetryDays?: number;
            /**
             * @description Of each storey.
             * @default 10
             */
            spacesMin?: number;
            /**
             * @description Of each storey.
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
            /** @description The same seed and parameters give the same building, externalIds, codes and curves. Default: drawn. */
            seed?: string;
            /**
             * @description While it is awake, its points go on producing values every minute.
             * @default true
             */
            liveTelemetry?: boolean;
            /**
             * @description IANA, such as `Europe/Berlin`: people and equipment follow its wall clock.
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
            /** @description Its content is copied from this snapshot. Only `name` and `ttlDays` can be given with it. */
            fromSnapshot?: string;
        };
        /**
         * @example {
         *       "name": "With faults"
         *     }
         */
        NewSnapshot: {
            /** @description Shown to people. */
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
            /** @description The label people know it by. Unique among the nodes of its kind in the building. */
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
            /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
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
             * @description The answers to the form of the request type; free-form if it has none.
             * @default {}
             */
            formData?: {
                [key: string]: unknown;
            };
            /**
             * @description For the caller's own identifiers; never unique.
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
             * @description Shown to everybody who reads tickets.
             * @default false
             */
            shared?: boolean;
            /**
             * @description As in the query of the list, each written as there: `{ "state": "new,triaged" }`.
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
             * @description Members of a ticket, or what a page makes of them: `place`, `assignee`, `reporter`, `dueAt`; `field.<key>` is the answer to a field of a form.
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
            /** @description Only events of this building. Default: of all. */
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
             * @description Its text was erased.
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
            /** @description Finite; of the point's `valueType`. A yes or no is no number. */
            value: number | boolean;
            /**
             * Format: date-time
             * @description Default: now. At most 5 minutes ahead, not before 2000; kept in milliseconds.
             */
            timestamp?: string;
        };
        ObservationPage: {
            items: (components["schemas"]["Sample"] | components["schemas"]["SampleBucket"])[];
            /** @description `from` of the next request; `null` where this is all. */
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
            /** @description How many were sent. */
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
        /** @description Only at the address of a sandbox: the one that answers. */
        OwnSandbox: {
            sandboxId: string;
            name: string;
            /** @description Who made it. */
            owner: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it and all that is in it is deleted.
             */
            expiresAt: string;
            /**
             * Format: uri
             * @description Its page in the portal of the main platform.
             */
            pageUrl: string;
        };
        ParkedIn: {
            /** @enum {string} */
            kind: "projection" | "process" | "feed";
            /** @description Of the read model or the process; `changes` is the change feed. */
            name: string;
            /**
             * Format: uuid
             * @description The event that a skip leaves out.
             */
            eventId: string;
            revision: number;
            position: string;
            error: string;
            /** @description Later events that were left out with it. */
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
             * @description `TICKET_NOT_NAMED` ends by itself with an event that names the ticket.
             * @enum {string}
             */
            reason: "TICKET_NOT_NAMED" | "TICKET_UNKNOWN" | "TICKET_ELSEWHERE" | "UNUSABLE";
            detail: string;
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
            /** @description The stream, or what the process keeps in order; a timer’s key. */
            stream: string;
            /** @description The first event that could not be handled. */
            eventId: string | null;
            revision: number | null;
            position: string | null;
            /** @description Of a timer. */
            dueAt: string | null;
            error: string | null;
            /** Format: date-time */
            parkedAt: string;
            /** @description Later events that were left out with it. */
            skipped: number;
            /** @description When it is tried again by itself. */
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
            /** @description Later events of the stream that were left out with it. */
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
            /** @description More people or teams match than are listed: narrow the search. */
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
            /** @description Of the directory, else of the last sign-in, else the user id. */
            name: string;
            /** @description Ids of the teams with this member. */
            teams: string[];
        };
        PersonArchiveLine: {
            /** @enum {string} */
            section: "subject" | "directory" | "signIn" | "session" | "presence" | "view" | "ticket" | "note" | "rating" | "timeline" | "attachment" | "bytes" | "end";
            value: unknown;
        };
        /** @description A person must do this */
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
                /** @description For the query. */
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
             * @description As inside the sandbox.
             */
            elementId: string;
            /** @description The points whose values it changes. */
            pointIds: string[];
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Exclusive. The end of the values while the fault goes on.
             */
            to: string;
        };
        PlantedFaultList: {
            items: components["schemas"]["PlantedFault"][];
        };
        Point: {
            /**
             * Format: uuid
             * @description Internal id; recreated by an import with `replace=true`.
             */
            id: string;
            /** @description Survives imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` of what the building’s own model has. */
            model: string | null;
            /** Format: uuid */
            elementId: string;
            /** @description `null` where it is in no room. */
            spaceId: string | null;
            /** Format: uuid */
            storeyId: string;
            pointClass: string;
            /** @enum {string} */
            valueType: "number" | "boolean";
            unit: string | null;
            /** @description `null` until something has been observed. */
            latest: {
                value: number | boolean;
                /** Format: date-time */
                timestamp: string;
            } | null;
        };
        PointDocument: {
            /** @description The label people know it by. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description What it measures, as a Brick class. */
            pointClass: string;
            /** @enum {string} */
            valueType: "number" | "boolean";
            unit?: string | null;
            /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
            sourceSystem?: string | null;
        };
        PointPage: {
            items: components["schemas"]["Point"][];
            limit: number;
            offset: number;
            /** @description Exact. */
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
        /** @description It has changed since you read it */
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
             * @description In this state without a gap.
             */
            since: string;
        };
        /** @description RFC 9457. Which further members there are depends on the `code`. */
        Problem: {
            /**
             * Format: uri-reference
             * @description A path on this server that explains the code.
             */
            type: string;
            title: string;
            status: number;
            /** @description For people; it may change. */
            detail?: string;
            /**
             * @description Stable.
             * @enum {string}
             */
            code: "HEADERS_TOO_LARGE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "CROSS_SITE" | "UNAUTHENTICATED" | "KEY_EXPIRED" | "KEY_REVOKED" | "SCOPE_DENIED" | "ORGANISATION_REQUIRED" | "PERSON_REQUIRED" | "PERMISSION_DENIED" | "REQUESTERS_OFF" | "VALIDATION_FAILED" | "IDEMPOTENCY_KEY_REUSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PRECONDITION_FAILED" | "REFERENCE_NOT_FOUND" | "WEBHOOK_URL_REFUSED" | "EVENT_NOT_SUBSCRIBABLE" | "EDGE_NOT_IN_GRAPH" | "LOCATION_CONTRADICTION" | "TRANSITION_NOT_ALLOWED" | "REOPEN_TOO_LATE" | "RATING_NOT_ALLOWED" | "ALREADY_RATED" | "TICKET_CLOSED" | "TICKET_FULL" | "ATTACHMENT_REFUSED" | "CONFLICT" | "KEY_LIMIT_REACHED" | "RULE_LIMIT_REACHED" | "WEBHOOK_LIMIT_REACHED" | "VIEW_LIMIT_REACHED" | "TTL_TOO_LONG" | "SANDBOX_TOO_LARGE" | "SANDBOX_NOT_READY" | "SNAPSHOT_LIMIT_REACHED" | "SNAPSHOT_NOT_READY" | "SNAPSHOT_GONE" | "SANDBOX_QUOTA_REACHED" | "EXTENSION_LIMIT_REACHED" | "CURSOR_LOST" | "TIME_TRAVEL_REFUSED" | "PROOF_REQUIRED" | "RATE_LIMITED" | "PERSONAL_DATA_NOT_SEALED" | "NEWER_RELEASE_NEEDED" | "UNAVAILABLE" | "INTERNAL";
            /** @description As in `X-Request-Id`. */
            requestId: string;
        };
        Process: {
            name: string;
            /** @enum {string} */
            kind: "process" | "timers";
            /** @description How far of the log it has done; of timers, seen. */
            position: string | null;
            /** @description To the log's head; `null` where the log cannot count. */
            lagEvents: number | null;
            /** @description How long the oldest event it has not done has been in the log. */
            lagSeconds: number;
            /**
             * @description `live`: run by this process; `waiting`: by another; `stopped`: by none.
             * @enum {string}
             */
            state: "live" | "waiting" | "stopped";
            /** @enum {string} */
            owner: "this" | "other" | "none";
            /** @description Parked streams, to be retried or skipped; stuck timers. */
            parked: number;
            /** @description Streams that are tried again by themselves. */
            retrying: number;
            /** @description Of timers, the next due time. */
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
            /** @description Its position in the log; `null` before the first event. */
            position: string | null;
            /** @description To the log's head; `null` where the log cannot count. */
            lagEvents: number | null;
            /** @description Age in the log of the oldest event that it lacks. */
            lagSeconds: number;
            /** @enum {string} */
            state: "building" | "live" | "waiting" | "stopped";
            /**
             * @description Which process feeds it.
             * @enum {string}
             */
            owner: "this" | "other" | "none";
            /** @description Streams parked because an event could not be applied. */
            parked: number;
            lastError: string | null;
            /** @description Its first build, a rebuild or a verification that is asked for or under way. */
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
             * @description `refused`: it could have been done and was not, for the reason in `error`.
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
            /** @description The scopes that a client requests. */
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
             * @description Swap it in though streams are parked that were not.
             * @default false
             */
            acceptParked?: boolean;
        };
        RecoveredSpan: {
            /** Format: date-time */
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
            /** @description Each place, such as `building.storeys[0].code`, and its error. */
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
            /** @description In order; those that begin after now are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["ReopenedSeries"][];
        };
        ReopenedSeries: {
            /**
             * @description `none`: tickets without a group; `others`: of groups without a series.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value that `groupBy` names: an id or a text. */
            key: string | null;
            /** @description The name of a place or an element type. */
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
             * @description A page that shows the ticket to its holder. The token follows `#`.
             */
            statusUrl: string;
        };
        ReportChallenge: {
            challenge: string;
            /** @description Find a number so that the SHA-256 of `<challenge>.<number>` begins with so many zero bits, and send both as `X-Atrium-Proof`. */
            bits: number;
            /** Format: date-time */
            expiresAt: string;
        };
        ReportInterval: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description Last day.
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
            /** @description `null`: the label names none, or none that there is. */
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
            /** @description Public notes, the latest ones, oldest first. They do not say who wrote them. */
            notes: {
                /** Format: date-time */
                at: string;
                body: string;
            }[];
            /**
             * Format: date-time
             * @description When the link ends.
             */
            expiresAt: string;
        };
        RequestType: {
            /** @description As tickets name it. */
            requestType: string;
            name: string;
            /** @description A symbol or a name. */
            icon?: string;
            description?: string;
            /** @description Of tickets that are created without a category. */
            category?: string;
            /**
             * @description Of tickets that are created without a priority. Default medium.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high" | "critical";
            /** @description Whether requesters may choose it. Default true. */
            requester?: boolean;
            /** @description In the order of the form. */
            fields: components["schemas"]["FormField"][];
        };
        RequestTypes: {
            items: components["schemas"]["RequestType"][];
        };
        RequestedSkip: {
            /** @enum {string} */
            kind: "projection" | "process" | "feed";
            /** @description Of the read model or the process; `changes` is the change feed. */
            name: string;
            /** @description `null` of the feed, which is done at once. */
            requestId: string | null;
            /** @enum {string} */
            state: "waiting" | "running" | "done" | "refused" | "failed" | "cancelled";
        };
        RequestedSkipList: {
            items: components["schemas"]["RequestedSkip"][];
        };
        /** @description The organisation has no requesters */
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
            /** @description Only nodes whose identifier this system gave. */
            sourceSystem?: string;
            /** @default [] */
            externalIds?: string[];
            /** @default [] */
            codes?: string[];
        };
        ResolvedKeys: {
            resolved: components["schemas"]["ResolvedNode"][];
            /** @description Each key once. */
            unmatched: string[];
        };
        ResolvedNode: {
            key: string;
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
             * @description Never lowers.
             * @enum {string}
             */
            raisePriorityTo?: "low" | "medium" | "high" | "critical";
            /** @description To `triaged`. Default false. */
            triage?: boolean;
            /** @description A system note on the ticket. */
            note?: string;
            /** @description No later rule. Default false. */
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
             * @description `not_reached`: an earlier rule stopped.
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
                 * @description `forbidden`: the workflow has no way from `new` to `triaged`.
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
            /** @description Of a yes or no, the share of yes. */
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
             * @description Answers once the sandbox is `ready`.
             */
            apiUrl: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Within a day. */
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
            /** @description Of its database once it is ready, computed from the parameters or snapshot. */
            estimatedBytes: number;
            /** @description The snapshot that it was made from, which may be gone. */
            fromSnapshot: string | null;
            progress: {
                /** @description `queued`, `database`, `building`, `telemetry`, `stack`, `health`, `ready`. */
                phase: string;
                percent: number;
                /** @description While it is `queued`: sandboxes ahead of it. */
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
        /** @description You have as many sandboxes as you may */
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
            /** @description The template, such as `/api/v1/buildings/{id}`; `unknown` for a request that matched no route or was refused before. */
            route: string;
            status: number;
            ms: number;
            /** @description The accepted key. `null`: another credential, none, or a refused one. */
            keyId: string | null;
            /** @description `X-Request-Id` of the answer. */
            requestId: string;
        };
        SandboxRequestPage: {
            items: components["schemas"]["SandboxRequest"][];
            /** @description For `after`. Always there. */
            nextCursor: string;
        };
        /** @description The sandbox would be too large */
        SandboxTooLargeProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 400;
            /** @constant */
            code: "SANDBOX_TOO_LARGE";
            estimatedBytes: number;
            maxBytes: number;
        };
        /** @description The API key does not open this */
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
            /** @description Of reports: where their days begin. Such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["SlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["BusinessCalendar"];
            };
            routingRules: components["schemas"]["RoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Whether people with the role `requester` report: nobody, those who have signed in, or anyone. Default off.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description Closed and cancelled tickets lose their personal data after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description Their forms check `formData`; that of other request types stays free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
        };
        Session: {
            /** Format: uuid */
            sessionId: string;
            actor: components["schemas"]["Actor"];
            /** @description `null` for an operator, who belongs to none. */
            organisation: string | null;
            roles: string[];
            permissions: ("platform.keys:read" | "platform.keys:write" | "platform.audit:read" | "platform.sandboxes:read" | "platform.sandboxes:write" | "platform.webhooks:read" | "platform.webhooks:write" | "platform.buildings:read" | "platform.buildings:write" | "platform.telemetry:write" | "service-desk.tickets:read" | "service-desk.tickets:write" | "service-desk.configuration:write" | "service-desk.reports:read" | "service-desk.own:read" | "service-desk.own:write" | "platform.bus:read" | "platform.bus:publish" | "platform.operations:read" | "platform.operations:write" | "platform.erasure:write")[];
            /**
             * Format: date-time
             * @description When it ends if it is not used again.
             */
            expiresAt: string;
            sandbox?: components["schemas"]["OwnSandbox"];
        };
        SessionList: {
            /** @description The last used first. */
            items: {
                /** Format: uuid */
                sessionId: string;
                /** @description It is the session of this request. */
                isCurrent: boolean;
                /** @description The address that was signed in to. */
                origin: string;
                /** Format: date-time */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description To the minute.
                 */
                lastUsedAt: string;
                /** Format: date-time */
                expiresAt: string;
                userAgent: string | null;
                /** @description Of the sign-in. */
                sourceIp: string;
            }[];
        };
        Simulation: {
            ticket: components["schemas"]["TicketPreview"];
            rules: components["schemas"]["RuleOutcome"][];
            /** @description The system notes on its timeline. */
            notes: {
                ruleId: string;
                body: string;
            }[];
            sla: {
                /** @description `null`: none matches; the defaults by priority. */
                policy: string | null;
                firstResponseMinutes: number | null;
                resolutionMinutes: number | null;
                warningPercent: number;
                firstResponseWarnsAt: string | null;
                resolutionWarnsAt: string | null;
                /** @description Of its calendar; `null`: around the clock. */
                timeZone: string | null;
                pauseWhileWaiting: boolean;
            };
            /** @description Accepted, and probably a mistake: a place in a match that the organisation does not have, a rule behind one that stops at all its tickets, a state that a workflow lets none leave, a member of a team or an assignee of a rule that does not exist. */
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
            /** @description Default: the one that is set. */
            configuration?: components["schemas"]["ServiceDeskConfiguration"];
            ticket: components["schemas"]["NewTicket"];
        };
        SkippedTicket: {
            ticketId: string;
            /**
             * Format: uuid
             * @description Of the first event of the ticket that cannot be read.
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
            /** @description null: no such clock. */
            firstResponseMinutes: number | null;
            /** @description null: no such clock. */
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
            /** @description The sandbox that was copied. It may be gone. */
            sandboxId: string;
            /** @enum {string} */
            status: "creating" | "ready" | "failed";
            /** @description Of its database; `null` until it is `ready`. */
            bytes: number | null;
            /**
             * Format: uuid
             * @description Its building, in each sandbox that is made from it.
             */
            buildingId: string;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description 30 days after its request.
             */
            expiresAt: string;
            /** @description Present when `failed`. */
            failureReason: string | null;
        };
        /** @description The snapshot of the sandbox is gone */
        SnapshotGoneProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "SNAPSHOT_GONE";
        };
        /** @description There are as many snapshots as there may be */
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
             * @description Internal id; recreated by an import with `replace=true`.
             */
            id: string;
            /** @description Survives imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` of what the building’s own model has. */
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
            /** @description The label people know it by. Unique among the nodes of its kind in the building. */
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
            /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
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
            /** @description Exact. */
            total: number;
        };
        StatusLink: {
            /** Format: date-time */
            issuedAt: string;
            /**
             * Format: date-time
             * @description By its term, or some days after the ticket was closed.
             */
            expiresAt: string;
            revokedAt: string | null;
        };
        StoredBusinessCalendar: {
            /** @description Such as Europe/Berlin. */
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
             * @description Never lowers.
             * @enum {string}
             */
            raisePriorityTo?: "low" | "medium" | "high" | "critical";
            /** @description To `triaged`. Default false. */
            triage?: boolean;
            /** @description A system note on the ticket. */
            note?: string;
            /** @description No later rule. Default false. */
            stop?: boolean;
        };
        StoredServiceDeskConfiguration: {
            /** @description Of reports: where their days begin. Such as Europe/Berlin. Default UTC. */
            timeZone?: string;
            slaPolicies: components["schemas"]["StoredSlaPolicy"][];
            calendars: {
                [key: string]: components["schemas"]["StoredBusinessCalendar"];
            };
            routingRules: components["schemas"]["StoredRoutingRule"][];
            workflows: components["schemas"]["Workflow"][];
            directory?: components["schemas"]["Directory"];
            /**
             * @description Whether people with the role `requester` report: nobody, those who have signed in, or anyone. Default off.
             * @enum {string}
             */
            requesterAccess?: "off" | "signed-in" | "anyone";
            /** @description Closed and cancelled tickets lose their personal data after that many months without a change. Default: never. */
            personalDataMonths?: number;
            /** @description Their forms check `formData`; that of other request types stays free-form. */
            requestTypes?: components["schemas"]["RequestType"][];
        };
        StoredSlaPolicy: {
            name: string;
            match?: components["schemas"]["StoredTicketMatch"];
            /** @description null: no such clock. */
            firstResponseMinutes: number | null;
            /** @description null: no such clock. */
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
            /** @description A word or phrase in subject or description, whatever its case. */
            text?: string;
        };
        Storey: {
            /**
             * Format: uuid
             * @description Internal id; recreated by an import with `replace=true`.
             */
            id: string;
            /** @description Survives imports. */
            externalId: string | null;
            sourceSystem: string | null;
            /** @description Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description `null` of what the building’s own model has. */
            model: string | null;
            /** @description 0 is the ground floor. */
            level: number;
        };
        StoreyColours: {
            colour: string;
            at: string | null;
            /**
             * @description `level`: `critical`, `high`, `medium`, `low`, or below them another.
             * @enum {string}
             */
            kind: "level" | "number" | "category";
            unit: string | null;
            /** @description Of the storey. */
            scale: {
                min: number;
                max: number;
            } | null;
            /** @description By frequency, at most 50. */
            categories: (string | boolean)[] | null;
            spaces: {
                /** Format: uuid */
                spaceId: string;
                value: number | string | boolean | null;
                /** @description Of tickets and faults. */
                count?: number;
                /** @description One of its tickets is. */
                overdue?: boolean;
            }[];
        };
        StoreyDocument: {
            /** @description The label people know it by. Unique among the nodes of its kind in the building. */
            code: string;
            name: string;
            /** @description 0 is the ground floor. */
            level: number;
            /** @description Metres above the zero of the building. */
            elevation?: number | null;
            /** @description Metres to the next storey. */
            height?: number | null;
            /** @description Rings of `[x, y]` in metres, in the storey’s own coordinates: the outer one, then at most 20 holes; closed implicitly, at most 200 positions in all, within ±100 km, not crossing or touching themselves or each other. */
            outline?: number[][][];
            /** @description What a plan shows beside the rooms; at most 60000 positions. */
            drawing?: {
                walls?: number[][][][];
                doors?: number[][][][];
                windows?: number[][][][];
            };
            /** @description Identifier in the system it comes from. Needs `sourceSystem`. */
            externalId?: string | null;
            /** @description The system that gave the `externalId`, such as `ifc`. Needs `externalId`. */
            sourceSystem?: string | null;
            spaces?: components["schemas"]["SpaceDocument"][];
            /** @description Elements that are in no room. */
            elements?: components["schemas"]["ElementDocument"][];
        };
        StoreyFound: {
            externalId: string | null;
            code: string;
            name: string;
            /** @description `null` of one that a dry run would make. */
            id: string | null;
        };
        StoreyLabel: {
            externalId: string | null;
            code: string;
            name: string;
        };
        StoreyMatch: {
            /** @description In the document. */
            from: components["schemas"]["StoreyLabel"];
            /** @description In the building, after the import. */
            to: components["schemas"]["StoreyFound"];
            /**
             * @description How it was found: `elevation` is a storey of another model of the same name and at most 0.5 m higher or lower.
             * @enum {string}
             */
            by: "externalId" | "code" | "elevation" | "given" | "new";
        };
        StoreyPage: {
            items: components["schemas"]["Storey"][];
            limit: number;
            offset: number;
            /** @description Exact. */
            total: number;
        };
        StoreyPlan: {
            storey: {
                /** Format: uuid */
                id: string;
                code: string;
                name: string;
                level: number;
                /** @description Metres above the zero of the building. */
                elevation: number | null;
                /** @description Metres to the next storey. */
                height: number | null;
            };
            /** @description Degrees clockwise from +y; `null` where nothing says it. */
            north: number | null;
            bounds: {
                readonly min: number[];
                readonly max: number[];
            } | null;
            /** @description Of the storey. */
            outline: number[][][] | null;
            walls: number[][][][];
            doors: number[][][][];
            windows: number[][][][];
            /** @description By code, at most 2000. */
            spaces: {
                /** Format: uuid */
                id: string;
                code: string;
                name: string;
                areaSqm: number | null;
                /** @description `null` where only others of the storey have one. */
                outline: number[][][] | null;
                /** @description Where a name fits best. */
                labelAt: number[] | null;
            }[];
            /** @description Of the storey. */
            spacesTotal: number;
            /** @description No room has an outline: they are drawn by area alone. */
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
            /** @description In order; those that begin after now are left out. */
            intervals: components["schemas"]["ReportInterval"][];
            series: components["schemas"]["ThroughputSeries"][];
        };
        ThroughputSeries: {
            /**
             * @description `none`: tickets without a group; `others`: of groups without a series.
             * @enum {string}
             */
            kind: "all" | "group" | "none" | "others";
            /** @description The value that `groupBy` names: an id or a text. */
            key: string | null;
            /** @description The name of a place or an element type. */
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
            /** @description Since when it waits under a policy that pauses: the clocks that were not due by then stand, and their due times move when it goes on. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault that it was raised for, by a diagnostic rule or by hand. */
            faultId: string | null;
            /** @description By the requester who raised it. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Moves with every visible change, by at least 1 ms.
             */
            updatedAt: string;
            /** @description As in the ETag. */
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
            /** @description Their ids. */
            tickets?: string[];
            /** @description As in the query of the list, each written as there: `{ "state": "new,triaged" }`. */
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
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element; case does not count, and `SR-10` is SR-000010. One that takes too long is refused: add a filter, or longer words. */
                search?: string;
                /** @description true: a clock is running and past due. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description The tickets of the signed-in person: `assignedUserId` is theirs. */
                assigned?: string;
                /** @description Exactly this ticket: `SR-42` is `SR-000042`. */
                number?: string;
            } & {
                [key: string]: unknown;
            };
            /** @description With `filter`: the number of tickets that it finds, else 409. A filter that finds more than 2000 is refused. */
            expected?: number;
            action: components["schemas"]["BulkAction"];
        };
        TicketBulkAnswer: components["schemas"]["TicketBulkOutcome"] | components["schemas"]["TicketBulkSummary"] | components["schemas"]["TicketWorkStopped"];
        TicketBulkOutcome: {
            /**
             * Format: uuid
             * @description Of the ticket.
             */
            id: string;
            /**
             * @description `done`: recorded, or there was nothing to do.
             * @enum {string}
             */
            status: "done" | "refused";
            /** @description Why it was refused: the code of a problem. */
            code?: string;
            detail?: string;
            /** @description With `assign`: assignees that are not known users or teams. */
            warnings?: string[];
        };
        TicketBulkSummary: {
            summary: {
                done: number;
                refused: number;
            };
        };
        TicketChange: {
            /** @description Its place in the log. Opaque, and never the same twice. */
            position: string;
            /** Format: date-time */
            at: string;
            /** Format: uuid */
            ticketId: string;
            /**
             * @description The first that applies, in this order.
             * @enum {string}
             */
            change: "created" | "state" | "assignment" | "work_order" | "fields" | "sla" | "erasure" | "note" | "attachment" | "rating";
            actor: components["schemas"]["Actor"];
            /**
             * @description By which way it came: your own writes are `api` with yourself as `actor`.
             * @enum {string}
             */
            origin: "api" | "work_order" | "sla" | "import" | "system";
            /** @description As this change left it, whatever has happened since. */
            ticket: components["schemas"]["Ticket"];
            /** @description That it added. Internal ones only for who may read those. */
            notes?: components["schemas"]["Note"][];
            /** @description That it added. Internal ones only for who may read those. */
            attachments?: components["schemas"]["Attachment"][];
            /** @description Likewise. */
            removedAttachments?: string[];
            /** @description Warnings and breaches that it recorded, those on its way to something else too. */
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
            /** @description For `after`. What other organisations do does not move it. */
            nextCursor: string;
            /** @description This was the end when it was asked for; otherwise go on at once. */
            caughtUp: boolean;
            /** @description The feed stands still before a change that this release cannot show, until a release can or an operator has it passed over. */
            blocked?: {
                ticketId: string;
                /** Format: date-time */
                since: string;
            };
        };
        /** @description The ticket is closed for good */
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
            /** @description Names the ticket in the organisation: the same key again is the same ticket. */
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
             * @description The answers to the form of the request type; free-form if it has none.
             * @default {}
             */
            formData?: {
                [key: string]: unknown;
            };
            /**
             * @description For the caller's own identifiers; never unique.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Of the system it comes from; kept in `metadata.imported`, as the times are. */
            originalNumber?: string | null;
            originalCreatedAt?: string | null;
            originalClosedAt?: string | null;
        };
        TicketImportOutcome: {
            /** @description From 1, blank ones counted. */
            line: number;
            /** @description `null` where the line has none that can be read. */
            importKey: string | null;
            /** @enum {string} */
            status: "created" | "exists" | "failed";
            /**
             * Format: uuid
             * @description Of the ticket, as `number`; not of a line that failed.
             */
            id?: string;
            number?: string;
            /** @description Why the line failed: the code of a problem. */
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
            /** @description `null`: there is nothing more. */
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
            /** @description A word or phrase in subject or description, whatever its case. */
            text?: string;
        };
        TicketPage: {
            items: components["schemas"]["Ticket"][];
            page: number;
            limit: number;
            /** @description Exact; with `search` and `field.` exact unless it is capped. */
            total: number;
            /**
             * @description It is counted no further than `total`: past 10,000, or out of time.
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
            /** @description Since when it waits under a policy that pauses: the clocks that were not due by then stand, and their due times move when it goes on. */
            slaPausedAt: string | null;
            firstRespondedAt: string | null;
            resolvedAt: string | null;
            closedAt: string | null;
            /** @description The latest linked work order. */
            workOrderId: string | null;
            workOrderIds: string[];
            /** @description The fault that it was raised for, by a diagnostic rule or by hand. */
            faultId: string | null;
            /** @description By the requester who raised it. */
            rating: components["schemas"]["Rating"] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description Moves with every visible change, by at least 1 ms.
             */
            updatedAt: string;
        };
        TicketWorkStopped: {
            /** @description What ended it: after the last answer, tickets may be stored or not. */
            problem: {
                code: string;
                detail?: string;
            } & {
                [key: string]: unknown;
            };
        };
        /** @description The clock cannot be moved here */
        TimeTravelRefusedProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 409;
            /** @constant */
            code: "TIME_TRAVEL_REFUSED";
        };
        Timeline: {
            items: components["schemas"]["TimelineEntry"][];
            /** @description For `after`. `null`: there is nothing more. */
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
            /** @description The files that came with a note, even if they were removed since. */
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
             * @description The text of a note, or a file, was erased.
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
            /** @description Goes on the timeline with the change. */
            note?: string;
        };
        /** @description The ticket cannot move there */
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
            /** @description `null`: none matches; the defaults by priority. */
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
            /** @description By the configuration that is set. */
            before: components["schemas"]["TriedOutcome"];
            /** @description By the one that was sent. */
            after: components["schemas"]["TriedOutcome"];
        };
        /** @description The sandbox would live too long */
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
        /** @description This cannot be answered right now */
        UnavailableProblem: components["schemas"]["Problem"] & {
            /** @constant */
            status: 503;
            /** @constant */
            code: "UNAVAILABLE";
        };
        /** @description A change of this ticket that cannot be read, and that an operator has had the feed pass over. What the ticket is from here on is not known until a change of it is shown again. */
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
            /** @description Each place, such as `building.storeys[0].code`, and its error. */
            errors?: components["schemas"]["FieldError"][];
            /** @description Of a file with several buildings: choose one by `building`. */
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
            /** @description Its author. */
            createdBy: components["schemas"]["Actor"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description As in the ETag. */
            revision: number;
            /** @description Whether the caller may change and delete it. */
            editable: boolean;
        };
        /** @description There are as many saved views as there may be */
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
            /** @description Shown to everybody who reads tickets. */
            shared?: boolean;
            /** @description As in the query of the list, each written as there: `{ "state": "new,triaged" }`. */
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
            /** @description Members of a ticket, or what a page makes of them: `place`, `assignee`, `reporter`, `dueAt`; `field.<key>` is the answer to a field of a form. */
            columns?: (("id" | "number" | "organisationId" | "buildingId" | "storeyId" | "spaceId" | "elementId" | "requestType" | "subject" | "description" | "priority" | "category" | "channel" | "reporterName" | "reporterEmail" | "reporterPhone" | "reporterErased" | "formData" | "metadata" | "state" | "assignedUserId" | "assignedTeamId" | "slaFirstResponseDueAt" | "slaResolutionDueAt" | "slaFirstResponseBreached" | "slaResolutionBreached" | "slaPausedAt" | "firstRespondedAt" | "resolvedAt" | "closedAt" | "workOrderId" | "workOrderIds" | "faultId" | "rating" | "createdAt" | "createdBy" | "updatedAt" | "revision" | "place" | "assignee" | "reporter" | "dueAt") | string)[];
        };
        Views: {
            items: components["schemas"]["View"][];
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
            /** @description Events left out since it was paused last: back to 0 at each new pause; see recover. */
            skippedEvents: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description Its first 8 characters. */
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
            /** @description Only events of this building. Default: of all. */
            buildingId?: string | null;
            description?: string | null;
        };
        WebhookDeliveryAttempt: {
            /** Format: uuid */
            deliveryId: string;
            event: string;
            idempotencyKey: string;
            /** @description From 1 to 6. */
            attempt: number;
            /** @enum {string} */
            status: "succeeded" | "failed";
            httpCode: number | null;
            /** @description Why it failed: `status`, `redirect`, `timeout`, `dns_error`, … */
            error: string | null;
            /** @description Its first 1,024 bytes. */
            responseBody: string | null;
            durationMs: number;
            /** Format: date-time */
            attemptedAt: string;
            nextAttemptAt: string | null;
            deadLettered: boolean;
        };
        WebhookDeliveryAttemptList: {
            items: components["schemas"]["WebhookDeliveryAttempt"][];
            /** @description Events left out since it was paused last: back to 0 at each new pause; see recover. */
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
            /** @description Exact. */
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
             * @description Events that were left out from then on.
             */
            since: string;
            /**
             * Format: date-time
             * @description Up to then. Default: now.
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
            /** @description Events left out since it was paused last: back to 0 at each new pause; see recover. */
            skippedEvents: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /** @description In full, once: absent where the command is repeated under its Idempotency-Key. */
            secret?: string;
        };
        WorkProgress: {
            /** @enum {string} */
            phase: "reading" | "writing" | "indexing" | "catching up" | "swapping" | "comparing";
            /** @description Of what the phase is about: positions of the log, rows, indexes. */
            done: number;
            /** @description `null` where the log cannot count. */
            total: number | null;
            perSecond: number;
            /** @description Until the end of this phase. */
            secondsLeft: number | null;
        };
        Workflow: {
            requestType: string;
            /** @description Allowed targets by state. A state that is left out keeps all edges of the graph. */
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
         * @description `CROSS_SITE`: A page of another origin sent this.
         *
         *     `SCOPE_DENIED`: The API key does not open this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: A person must do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         *
         *     `REQUESTERS_OFF`: The organisation has no requesters.
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
        /** @description `UNAVAILABLE`: This cannot be answered right now. */
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
         * @description `SCOPE_DENIED`: The API key does not open this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: A person must do this.
         *
         *     `PERMISSION_DENIED`: Your role does not allow this.
         *
         *     `REQUESTERS_OFF`: The organisation has no requesters.
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
         * @description `CROSS_SITE`: A page of another origin sent this.
         *
         *     `SCOPE_DENIED`: The API key does not open this.
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
        /** @description `PRECONDITION_FAILED`: It has changed since you read it. */
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
         *     `TRANSITION_NOT_ALLOWED`: The ticket cannot move there.
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
         * @description `TICKET_CLOSED`: The ticket is closed for good.
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
         *     `ALREADY_RATED`: The ticket is rated already.
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
         * @description `SCOPE_DENIED`: The API key does not open this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: A person must do this.
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
         * @description `CROSS_SITE`: A page of another origin sent this.
         *
         *     `SCOPE_DENIED`: The API key does not open this.
         *
         *     `ORGANISATION_REQUIRED`: The token names no organisation.
         *
         *     `PERSON_REQUIRED`: A person must do this.
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
        /** @description `CONFLICT`: It is in use. */
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
         * @description `SCOPE_DENIED`: The API key does not open this.
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
         *     `EDGE_NOT_IN_GRAPH`: A workflow adds a transition that tickets do not have.
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
         *     `EDGE_NOT_IN_GRAPH`: A workflow adds a transition that tickets do not have.
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
        /** @description `VIEW_LIMIT_REACHED`: There are as many saved views as there may be. */
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
         * @description `SCOPE_DENIED`: The API key does not open this.
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
         * @description `CROSS_SITE`: A page of another origin sent this.
         *
         *     `SCOPE_DENIED`: The API key does not open this.
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
         *     `TTL_TOO_LONG`: The sandbox would live too long.
         *
         *     `SANDBOX_TOO_LARGE`: The sandbox would be too large.
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
        /** @description `SANDBOX_QUOTA_REACHED`: You have as many sandboxes as you may. */
        SandboxQuotaReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SandboxQuotaReachedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `TTL_TOO_LONG`: The sandbox would live too long.
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
        /** @description `EXTENSION_LIMIT_REACHED`: The sandbox has no extension left. */
        ExtensionLimitReached: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ExtensionLimitReachedProblem"];
            };
        };
        /**
         * @description `VALIDATION_FAILED`: The request does not fit its schema.
         *
         *     `SANDBOX_TOO_LARGE`: The sandbox would be too large.
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
         *     `SNAPSHOT_GONE`: The snapshot of the sandbox is gone.
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
         *     `SNAPSHOT_LIMIT_REACHED`: There are as many snapshots as there may be.
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
         * @description `CONFLICT`: It is in use.
         *
         *     `TIME_TRAVEL_REFUSED`: The clock cannot be moved here.
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
        /** @description Names the request on both sides; answered as it came, where it is a sane one. */
        XRequestId: string;
        /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
        IdempotencyKey: string;
        /** @description The `ETag` that was read, or several: another revision by now is a 412. */
        IfMatch: string;
        /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
        IfNoneMatch: string;
        /** @description A part of the bytes, such as `bytes=0-1023`; several are answered by all of it. */
        Range: string;
        /** @description The `ETag` that the part belongs to: without a match all of it is answered. */
        IfRange: string;
        /** @description A solved challenge: `<challenge>.<answer>`. */
        XAtriumProof: string;
        /** @description What follows `#` in a `statusUrl`. */
        XAtriumStatusToken: string;
        /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
        XAtriumPosition: string;
    };
    requestBodies: never;
    headers: {
        /** @description As it was sent, or drawn. In the log it names this request. */
        XRequestId: string;
        /** @description Seconds. */
        RetryAfter: number;
        /** @description `Bearer` */
        WWWAuthenticate: string;
        /** @description In quotes: the revision, for `If-Match`; a digest follows where the answer also depends on who reads it. Where nothing has a revision, a digest alone. */
        ETag: string;
        /** @description The path of what was made. */
        Location: string;
        /** @description The position of the command in the log; a GET with it sees the command. */
        XAtriumPosition: string;
        /** @description The answer may lack what `X-Atrium-Position` asked for. */
        XAtriumStale: "true";
        /** @description The `Idempotency-Key` was used before: this is the result of the first command. */
        IdempotentReplayed: "true";
        /** @description `bytes` */
        AcceptRanges: string;
        /** @description Which bytes these are, of how many. */
        ContentRange: string;
        /** @description The name of the file, where it is one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            /** @description Answered. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element; case does not count, and `SR-10` is SR-000010. One that takes too long is refused: add a filter, or longer words. */
                search?: string;
                /** @description true: a clock is running and past due. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description The tickets of the signed-in person: `assignedUserId` is theirs. */
                assigned?: string;
                /** @description Exactly this ticket: `SR-42` is `SR-000042`. */
                number?: string;
                /** @description Ascending, with `-` descending; ties go by id. `dueAt` is the earlier due time of the running clocks, and tickets without one come last in both directions. `priority` ascends from low. */
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "dueAt" | "-dueAt" | "priority" | "-priority";
                page?: number;
                limit?: number;
                /** @description By a field of a form, `field.<key>`, of kind choice, choices or flag (`true`, `false`). Comma-separated: one of them is an answer. At most 5 fields, all of which must hold. A key that no form has finds the tickets that still have an answer to it. */
                fields?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    transitionTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransitions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rateTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequestTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Each word must occur in number, subject, description, category, name of the reporter, or in code or name of the building, storey, space or element; case does not count, and `SR-10` is SR-000010. One that takes too long is refused: add a filter, or longer words. */
                search?: string;
                /** @description true: a clock is running and past due. */
                overdue?: boolean;
                /** @description The user who raised the ticket. */
                reporterUserId?: string;
                /** @description The tickets of the signed-in person: `assignedUserId` is theirs. */
                assigned?: string;
                /** @description Exactly this ticket: `SR-42` is `SR-000042`. */
                number?: string;
                /** @description By a field of a form, `field.<key>`, of kind choice, choices or flag (`true`, `false`). Comma-separated: one of them is an answer. At most 5 fields, all of which must hold. A key that no form has finds the tickets that still have an answer to it. */
                fields?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ticket on each line. */
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
                /** @description `off`: the organisation's routing rules do not run. Service levels always count. */
                routing?: "on" | "off";
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            /** @description An answer to each line, and what they come to. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
            /** @description A line for each ticket, and what they come to. */
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
                /** @description `nextCursor` of the answer before; `end`: only what happens from now on, answered at once with an empty page. Default: from the beginning. */
                after?: string;
                limit?: number;
                /** @description Seconds for which an answer without changes is held until there is one. */
                wait?: number;
                /** @description Only changes of tickets of this building. */
                buildingId?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description `nextCursor` of the page before. */
                after?: string;
                limit?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
                     * @description Default internal; of requesters always public. Internal notes need more than the permission to read tickets.
                     * @enum {string}
                     */
                    visibility?: "public" | "internal";
                    /** @description As many parts of this name as there are files, as visible as the note. */
                    file?: string[];
                };
            };
        };
        responses: {
            /** @description Made. */
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
                /** @description The text it must have, to the letter; numbers and objects are no text. */
                value: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A part of the bytes, such as `bytes=0-1023`; several are answered by all of it. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` that the part belongs to: without a match all of it is answered. */
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
            /** @description A part of it. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description A part of the bytes, such as `bytes=0-1023`; several are answered by all of it. */
                Range?: components["parameters"]["Range"];
                /** @description The `ETag` that the part belongs to: without a match all of it is answered. */
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
            /** @description The bytes, in the media type that they have. */
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
                    "application/octet-stream": string;
                };
            };
            /** @description The part that `Range` asks for. */
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
                    "application/octet-stream": string;
                };
            };
            /** @description It is as `If-None-Match` says. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readServiceDeskConfiguration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateTicket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Each word must occur in name, id or e-mail address; case does not count. */
                search?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeView: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPresence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description As the label of a place says it. */
                building: string;
                space?: string;
                element?: string;
                /** @description Counts where nothing has the id any more. */
                code?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description What follows `#` in a `statusUrl`. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBacklogReport: {
        parameters: {
            query?: {
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description First day, in the time zone of the configuration: at most 1100 days. Default: so that there are 30. */
                from?: string;
                /** @description Last day. Default: today. */
                to?: string;
                /** @description Weeks begin on Monday. At most 400 intervals. */
                interval?: "day" | "week" | "month";
                /** @description A series for each of the largest groups. Default: one of all tickets. */
                groupBy?: "building" | "storey" | "space" | "category" | "team" | "elementType" | "priority";
                /** @description Groups with a series of their own; at most 10000 values in all. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
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
    exportPerson: {
        parameters: {
            query?: {
                userId?: string;
                email?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
                "X-Atrium-Position"?: components["parameters"]["XAtriumPosition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A part of the archive on each line. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
                /** @description `start`, then `nextCursor` of the answer before: the records in the order of the log, oldest first, none twice and none left out. Without `from`, `to` and `cursor`. */
                after?: string;
                /** @description With `after`: seconds for which an answer without records is held until there is one. */
                wait?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                    "application/x-ndjson": string;
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
                /** @description The key as it stood then; not in the future. */
                asOf?: string;
                limit?: number;
                /** @description `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            429: components["responses"]["SandboxQuotaReached"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    extendSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            429: components["responses"]["ExtensionLimitReached"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            429: components["responses"]["SandboxQuotaReached"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSandboxRequests: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the answer before; `end`: only what is requested from now on, answered at once with an empty page. Default: the oldest request that is kept. */
                after?: string;
                limit?: number;
                /** @description Seconds for which an empty answer is held until there is a request. */
                wait?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Default: the first of its seeded values. */
                from?: string;
                /** @description Default: its latest value. */
                to?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
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
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
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
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importBuilding: {
        parameters: {
            query?: {
                /** @description true: answer what the import would do; change nothing. */
                dryRun?: boolean;
                /** @description The model of a discipline, such as `electrical`, that the document is: its nodes are added or renewed, and those of other models stay. Default: the building’s own, unnamed model. */
                model?: string;
                /** @description GlobalId of the building that is imported from a file of several. */
                building?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description What was done, or would be. */
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
            /** @description Made. */
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
                /** @description true: answer what the import would do; change nothing. */
                dryRun?: boolean;
                /** @description The model of a discipline, such as `electrical`, that the document is: its nodes are added or renewed, and those of other models stay. Default: the building’s own, unnamed model. */
                model?: string;
                /** @description GlobalId of the building that is imported from a file of several. */
                building?: string;
                /** @description Which storeys of other models the storeys of the document are, where they are not found: `<externalId, else code, of the document>:<id of the building’s storey>`, or `…:new`. */
                storeys?: string[];
                /** @description true: recreate the internal ids of the model and remove what its document does not have. */
                replace?: boolean;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description What was done, or would be. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
                /** @description Internal id of a storey. */
                storeyId?: string;
                /** @description Lower-case letters and digits in groups joined by `-` or `_`. */
                spaceTypeSlug?: string;
                /** @description Only what this named model has. */
                model?: string;
                status?: "active" | "inactive";
                isLeasable?: boolean;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["XRequestId"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveNodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Default: now. Points show the last value of the day before. */
                at?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                    "application/json": components["schemas"]["StoreyColours"];
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
    listPlanColourings: {
        parameters: {
            query?: {
                /** @description Internal id. Default: the ground floor, else the lowest storey above it. */
                storeyId?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Default: now. Points show the last value of the day before. */
                at?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
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
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description It is as `If-None-Match` says. */
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
    listBuildings: {
        parameters: {
            query?: {
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
                /** @description Only what this named model has. */
                model?: string;
                /** @description Internal id of a space: only what is in it. */
                spaceId?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
                /** @description Only what this named model has. */
                model?: string;
                /** @description Internal id of a space: only what is in it. */
                spaceId?: string;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description In it. Default: a day before `to`. */
                from?: string;
                /** @description Not in it. Default: everything up to now. */
                to?: string;
                /** @description Length of the buckets, which begin at multiples of it from midnight (UTC). */
                bucket?: "1m" | "15m" | "1h" | "1d";
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDiagnosticRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tryDiagnosticRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Only those that are open, or only the others. */
                open?: boolean;
                /** @description Internal id of a space: only faults of points in it. */
                spaceId?: string;
                limit?: number;
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
        requestBody: {
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Rows in the page, 1 to 1000. Default 100. */
                limit?: number;
                /** @description Rows before the page. Default 0. */
                offset?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            /** @description Made. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description With a GET a cached `ETag`: while it still matches, there is only a 304. With a PUT `*`: only where nothing is there yet. */
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
            /** @description It is as `If-None-Match` says. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetWebhookFailures: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description true: the last 50 deliveries that were given up, each with its last attempt. */
                deadLettered?: boolean;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description The `ETag` that was read, or several: another revision by now is a 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readBusEvents: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the page before. */
                after?: string;
                type?: string;
                buildingId?: string;
                limit?: number;
            };
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishBusEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Of a command that was answered: the request is held, at most 2 s, until its effect shows. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @example ticket-list */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRebuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjectionRequests: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipParkedStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProcesses: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    skipParkedOfProcess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBlockedTickets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWhereStreamIsParked: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
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
                /** @description Names the request on both sides; answered as it came, where it is a sane one. */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /** @description Names the command: the same key with an equal body records nothing more and is answered as the first was. Visible characters. */
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
            /** @description Taken. Any other answer is a failed attempt. */
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
            /** @description Taken. Any other answer is a failed attempt. */
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
            /** @description Taken. Any other answer is a failed attempt. */
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
            /** @description Taken. Any other answer is a failed attempt. */
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
            /** @description Taken. Any other answer is a failed attempt. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
