/** All tickets of a list as a file, streamed. contract.md sections 1 and 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import type { OccasionOf } from '../sessions/authenticate.ts';
import type { Visibility } from '../http/commands.ts';
import { exporting, type ExportingParts } from '../http/exports.ts';
import { Problem } from '../http/problems.ts';
import { holdToHead } from '../http/reads.ts';
import { varyBy } from '../http/vary.ts';
import {
  ExportedTicketBody,
  withFiles,
  withoutFiles,
  type WithFilesParts,
} from './exported-attachments.ts';
import { exportFormatOf } from './export-formats.ts';
import { mayReadInternal } from './internal-notes.ts';
import { EXPORT_FIELDS_MAX } from './limits.ts';
import { TicketFilterQuery } from './schemas.ts';
import { checkedSelection, isSearch, readModelsOf } from './selection.ts';

export interface TicketExportOptions extends ExportingParts, WithFilesParts {
  readonly queries: Pick<TicketQueries, 'all'>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly occasionOf: OccasionOf;
  readonly log: EventStore;
  readonly visibility: Visibility;
  /** Whether the search is available, or why not. */
  readonly searchReady: () => Promise<true | string>;
}

/** The list's filters: an export is oldest first, and whole. */
export const ExportQuery = TicketFilterQuery;

export const ticketExportRoutes: FastifyPluginAsyncZod<TicketExportOptions> = async (
  app,
  options,
) => {
  const { queries, desks, occasionOf, log, visibility, searchReady } = options;
  const answerWith = exporting(app, options);

  app.get(
    '/api/service-desk/requests/export',
    {
      config: { permission: 'service-desk.tickets:read' },
      schema: {
        operationId: 'exportTickets',
        tags: ['tickets'],
        summary: 'Export tickets, oldest first',
        description:
          'All tickets that match the filters of the list, each in its state at the time it is ' +
          'read: a line of NDJSON, or a row if `Accept` asks for `text/csv`, with a column ' +
          `\`field.<key>\` for each of the first ${EXPORT_FIELDS_MAX} form fields. The response ` +
          'waits, at most 2 s, until it includes everything that was in the log at the time of ' +
          'the request; otherwise it has the header `X-Atrium-Stale: true`. Tickets that are ' +
          'raised during the export are left out. If the connection breaks, the export is ' +
          'incomplete. NDJSON lines list the attachments that the caller may see, each with ' +
          'its path.',
        querystring: ExportQuery,
        conventions: ['read-your-writes', 'file'],
        problems: ['RATE_LIMITED', 'PERSON_REQUIRED'],
        response: {
          200: {
            description: 'One ticket per line.',
            content: {
              'application/x-ndjson': { schema: ExportedTicketBody },
              'text/csv': { schema: z.string() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { at } = occasionOf(request);
      const selection = await checkedSelection(desks, request, request.query, at);
      const searched = isSearch(selection);
      const ready = searched ? await searchReady() : true;
      if (ready !== true) throw new Problem('UNAVAILABLE', ready);
      void reply.header('cache-control', 'no-store');
      varyBy(reply, 'accept');
      await holdToHead(request, reply, readModelsOf(selection), { log, visibility });
      const format = await exportFormatOf(request.headers.accept, () =>
        desks.configurationOf(selection.organisation),
      );
      // `never`, because the body schemas type the handlers, and streams bypass them.
      return (await answerWith(request, reply, () => ({
        title: 'export of tickets',
        name: 'tickets',
        format,
        pages:
          format.extension === 'csv'
            ? withoutFiles(queries.all(selection))
            : withFiles(options, queries.all(selection), {
                mayReadInternal: mayReadInternal(request),
              }),
        // A search may name a person.
        selection: { ...selection, search: searched ? '…' : undefined },
      }))) as never;
    },
  );
};
