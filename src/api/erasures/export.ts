/** The export of a person, streamed. contract.md section 11. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { addressText, word } from '../../domain/tickets/words.ts';
import { personalReferences } from '../../projections/erasures/references.ts';
import { ticketList } from '../../projections/tickets/list.ts';
import { personNamed, type Subject } from '../../use-cases/erasures/person.ts';
import type { Visibility } from '../http/commands.ts';
import { exporting, type ExportFormat, type ExportingParts } from '../http/exports.ts';
import { invalid } from '../http/problems.ts';
import { holdToHead } from '../http/reads.ts';
import { text } from '../http/text.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { archiveOf, archiveSections, type ArchiveLine, type ArchiveParts } from './archive.ts';
import {
  EMAIL_CHARACTERS_MAX,
  PERSON_EXPORT_TICKETS_MAX,
  USER_ID_CHARACTERS_MAX,
} from './limits.ts';

export interface PersonExportOptions extends ArchiveParts, ExportingParts {
  readonly visibility: Visibility;
}

const ExportQuery = z.strictObject({
  userId: word(USER_ID_CHARACTERS_MAX).optional(),
  email: text(EMAIL_CHARACTERS_MAX).pipe(addressText(EMAIL_CHARACTERS_MAX)).optional(),
});

const ArchiveLineBody = z
  .object({ section: z.enum(archiveSections), value: z.unknown() })
  .meta({ id: 'PersonArchiveLine' });

export const personExportRoutes: FastifyPluginAsyncZod<PersonExportOptions> = async (
  app,
  options,
) => {
  const answerWith = exporting(app, options);

  app.get(
    '/api/v1/subjects/export',
    {
      config: { permission: 'platform.erasure:write' },
      schema: {
        operationId: 'exportPerson',
        tags: ['erasures'],
        summary: 'Export all data of a person',
        description:
          'Give the account or the e-mail address; the directory links the two. NDJSON lines: ' +
          "the person's erasures, the profile, the tickets that they raised or reported, all " +
          'their actions on tickets, and their attachments, each followed by its content in ' +
          'parts. A line `unreadable` names a ticket whose events this release cannot read; ' +
          `\`end\` counts them. At most ${PERSON_EXPORT_TICKETS_MAX} tickets. The response ` +
          'waits, at most 2 s, until it includes everything that was in the log at the time of ' +
          'the request; otherwise it has the header `X-Atrium-Stale: true`. An archive without ' +
          'the line `end` is incomplete.',
        querystring: ExportQuery,
        conventions: ['read-your-writes', 'file'],
        problems: ['RATE_LIMITED'],
        response: {
          200: {
            description: 'One part of the archive per line.',
            content: { 'application/x-ndjson': { schema: ArchiveLineBody } },
          },
        },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const subject = subjectIn(request.query);
      void reply.header('cache-control', 'no-store');
      await holdToHead(request, reply, [ticketList.name, personalReferences.name], options);
      const person = personNamed(subject, await options.directoryOf(organisation));
      // `never`, because the body schemas type the handlers, and streams bypass them.
      return (await answerWith(request, reply, () => ({
        title: 'export of a person',
        name: 'person',
        format,
        pages: archiveOf(options, organisation, person),
        // The log of the server must not name the person.
        selection: {},
      }))) as never;
    },
  );
};

const subjectIn = ({ userId, email }: z.infer<typeof ExportQuery>): Subject => {
  if (userId !== undefined && email === undefined) return { userId };
  if (email !== undefined && userId === undefined) return { email };
  throw invalid([{ path: 'userId', message: 'give either userId or email' }]);
};

const format: ExportFormat<ArchiveLine> = {
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'ndjson',
  head: '',
  line: (line) => `${JSON.stringify(line)}\n`,
};
