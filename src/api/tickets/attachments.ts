/** The attachments of a ticket: upload, list, download, removal. contract.md section 5. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachmentRefusal, type Attachment } from '../../domain/tickets/attachments.ts';
import { visibilities, type Visibility as Readers } from '../../domain/tickets/events.ts';
import { isPublic } from '../../domain/tickets/notes.ts';
import { jsonHash } from '../../engine/aggregates/json-hash.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { ByteRange, FileStore } from '../../files/file-store.ts';
import type { Previews } from '../../files/previews/previews.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import {
  attachFile,
  attachmentsOf,
  removeAttachment,
  type AttachmentParts,
} from '../../use-cases/tickets/attachments.ts';
import { refuseEncoding } from '../http/bodies.ts';
import { answerBytes } from '../http/bytes.ts';
import {
  answerCommand,
  commandIdOf,
  madeIdOf,
  namedCommandOf,
  type Visibility,
} from '../http/commands.ts';
import { isForm } from '../http/form.ts';
import { FORM_FIELD_BYTES_MAX } from '../http/limits.ts';
import { acquirePermit } from '../http/permits.ts';
import { invalid, notFound, Problem, refused } from '../http/problems.ts';
import { callerIn, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { attachmentPreviewRoutes, withPreviews } from './attachment-previews.ts';
import {
  AttachmentBody,
  AttachmentForm,
  AttachmentListBody,
  AttachmentParams,
} from './attachment-schemas.ts';
import { mayReadInternal } from './internal-notes.ts';
import { unlessMissing } from './missing-content.ts';
import { attachmentShownTo, readersOf } from './requesters.ts';
import { TicketParams } from './schemas.ts';
import { FORM, uploadReader } from './uploads.ts';
import { TICKETS } from './wire.ts';
import { SHOWN_BY } from './work-in-order.ts';

export interface AttachmentRouteOptions extends AttachmentParts {
  readonly files: FileStore;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  readonly previews: Previews;
  /** Bounds concurrent downloads. */
  readonly downloads: FairSemaphore;
  /** Bounds concurrent drawings of previews. */
  readonly drawings: FairSemaphore;
  /** Bounds concurrent uploads. */
  readonly uploads: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

const tags = ['tickets'];
const path = `${TICKETS}/:id/attachments`;
const canRead = {
  permission: 'service-desk.tickets:read',
  ownPermission: 'service-desk.own:read',
} as const;
const canWrite = {
  permission: 'service-desk.tickets:write',
  ownPermission: 'service-desk.own:write',
} as const;

export const attachmentRoutes: FastifyPluginAsyncZod<AttachmentRouteOptions> = async (
  app,
  options,
) => {
  const { attachments, previews, occasionOf, visibility, uploads } = options;
  const attach = attachFile(options);
  const remove = removeAttachment(options);
  const readUpload = uploadReader(options);

  /** The attachments that the caller may see. */
  const shownOf = async (request: FastifyRequest, ticketId: string) => {
    const all = await attachmentsOf(attachments, addressOf(request, ticketId));
    if (all === null) throw notFound('ticket');
    const shown = mayReadInternal(request) ? all : all.filter(isPublic);
    return shown.map((one) => attachmentShownTo(request, one));
  };

  const shownIn = async (request: FastifyRequest, ticketId: string, attachmentId: string) => {
    const shown = await shownOf(request, ticketId);
    const found = shown.find((attachment) => attachment.attachmentId === attachmentId);
    if (!found) throw notFound('attachment');
    return found;
  };

  await app.register(attachmentPreviewRoutes, { ...options, shownIn });

  await app.register(async (upload: typeof app) => {
    const validatorOfOthers = upload.validatorCompiler!;
    upload.setValidatorCompiler((route) =>
      route.httpPart === 'body' ? () => true : validatorOfOthers(route),
    );
    upload.removeAllContentTypeParsers();
    // The form is read as it arrives, once the ticket is found.
    upload.addContentTypeParser(FORM, async (request: FastifyRequest) => refuseEncoding(request));
    upload.addContentTypeParser('*', async () => {
      throw noForm();
    });
    upload.post(
      path,
      {
        config: { ...canWrite, answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS },
        schema: {
          operationId: 'addAttachment',
          tags,
          summary: 'Attach a file to a ticket',
          description:
            'A multipart form with one part `file` and an optional `visibility` (`internal` or ' +
            '`public`; default `internal`, for requesters always `public`). At most 25 MiB, and ' +
            '50 files and 250 MiB per ticket. The type is detected from the content. The file is ' +
            'durable before the response.',
          params: TicketParams,
          body: AttachmentForm,
          consumes: [FORM],
          conventions: ['idempotency-key', 'command', 'location'],
          problems: ['ATTACHMENT_REFUSED', 'TICKET_FULL', 'RATE_LIMITED'],
          response: { 201: AttachmentBody },
        },
      },
      async (request, reply) => {
        if (!isForm(request.headers['content-type'])) throw noForm();
        const { id: ticketId } = request.params;
        const address = addressOf(request, ticketId);
        const held = await attachmentsOf(attachments, address);
        if (held === null) throw notFound('ticket');
        const named = namedCommandOf(request);
        // Refused before the upload, not after it; a repeat may find its own file there.
        const refusal = named.named ? null : attachmentRefusal(1, held);
        if (refusal) throw refused(refusal);
        const { release, gone } = await acquirePermit(uploads, request, reply);
        try {
          const uploaded = await readUpload(request, gone, ONE_FILE);
          const { file, mediaType, name } = uploaded.files[0]!;
          try {
            const readers = readersOf(request, readersIn(uploaded.fields));
            const { bytes, sha256 } = file;
            const hash = named.named ? { bodyHash: jsonHash({ name, sha256, readers }) } : {};
            const attachmentId = madeIdOf(named);
            const answer = await attach(
              { ...address, occasion: occasionOf(request) },
              { attachmentId, name, mediaType, bytes, sha256, visibility: readers },
              file,
              { commandId: named.commandId, ...hash },
            );
            await answerCommand(reply, answer, SHOWN_BY, visibility);
            const made = answer.view.attachments.find((one) => one.attachmentId === attachmentId)!;
            const location = `${TICKETS}/${ticketId}/attachments/${attachmentId}`;
            const [shown] = await withPreviews(previews, address, [made]);
            return await reply.code(201).header('location', location).send(shown!);
          } finally {
            await uploaded.discard();
          }
        } finally {
          release();
        }
      },
    );
  });

  app.get(
    path,
    {
      config: canRead,
      schema: {
        operationId: 'listAttachments',
        tags,
        summary: 'List the attachments of a ticket',
        description:
          'Oldest first. Internal attachments are listed only if the caller may read internal ' +
          'notes.',
        params: TicketParams,
        response: { 200: AttachmentListBody },
      },
    },
    async (request) => {
      const { id: ticketId } = request.params;
      const of = { organisation: organisationIn(request), ticketId };
      return { items: [...(await withPreviews(previews, of, await shownOf(request, ticketId)))] };
    },
  );

  app.get(
    `${path}/:attachmentId`,
    {
      config: canRead,
      schema: {
        operationId: 'downloadAttachment',
        tags,
        summary: 'Download an attachment',
        description:
          'Sent with `Content-Disposition: attachment` and a sandboxing content security ' +
          'policy, so that browsers never run the content.',
        params: AttachmentParams,
        conventions: ['content-etag', 'bytes'],
        problems: ['RATE_LIMITED'],
        response: {
          200: BYTES,
          206: { ...BYTES, description: 'The requested range of the file.' },
        },
      },
    },
    async (request, reply) => {
      const { id, attachmentId } = request.params;
      const found = await shownIn(request, id, attachmentId);
      // `never`, because the body schemas type the handlers, and streams bypass them.
      return (await answerStored(request, reply, options, found)) as never;
    },
  );

  app.delete(
    `${path}/:attachmentId`,
    {
      config: canWrite,
      schema: {
        operationId: 'removeAttachment',
        tags,
        summary: 'Remove an attachment',
        description:
          'Allowed for the author and for managers. The content is deleted with the last ' +
          'attachment that refers to it.',
        params: AttachmentParams,
        conventions: ['idempotency-key', 'command'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id: ticketId, attachmentId } = request.params;
      const isManager = callerIn(request).permissions.has('service-desk.configuration:write');
      const answer = await remove(
        { ...addressOf(request, ticketId), occasion: occasionOf(request), isManager },
        attachmentId,
        commandIdOf(request),
      );
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(204).send(null);
    },
  );
};

const ONE_FILE = {
  filesMin: 1,
  filesMax: 1,
  fields: ['visibility'],
  fieldBytesMax: FORM_FIELD_BYTES_MAX,
} as const;

const addressOf = (request: FastifyRequest, ticketId: string) => ({
  ticketId,
  organisation: organisationIn(request),
  reporterUserId: request.requester?.userId,
});

const readersIn = (fields: ReadonlyMap<string, string>): Readers | undefined => {
  const sent = fields.get('visibility');
  if (sent === undefined) return undefined;
  const found = visibilities.find((visibility) => visibility === sent);
  if (!found)
    throw invalid([{ path: 'visibility', message: `must be ${visibilities.join(' or ')}` }]);
  return found;
};

const answerStored = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { files, downloads }: Pick<AttachmentRouteOptions, 'files' | 'downloads'>,
  { name, mediaType, bytes, sha256 }: Attachment,
) => {
  const organisation = organisationIn(request);
  const open = async (range: ByteRange) => {
    const { release, gone } = await acquirePermit(downloads, request, reply);
    gone.addEventListener('abort', release, { once: true });
    return files.open({ organisation, sha256 }, range);
  };
  const file = { name, mediaType, bytes, etag: `"${sha256}"`, open };
  return answerBytes(request, reply, file).catch(unlessMissing(request));
};

const BYTES = {
  description: 'The content of the file, with its detected media type.',
  content: { '*/*': { schema: z.string() } },
} as const;

const noForm = () => new Problem('UNSUPPORTED_MEDIA_TYPE', `This route accepts ${FORM}.`);
