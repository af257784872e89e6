/** Previews of the pictures among a ticket's attachments. contract.md section 5. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Attachment } from '../../domain/tickets/attachments.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { isPreviewed, NoDecoder, PREVIEW_MEDIA_TYPE } from '../../files/previews/draw.ts';
import type { Previews } from '../../files/previews/previews.ts';
import { answerBytes } from '../http/bytes.ts';
import { withPermit } from '../http/permits.ts';
import { notFound, Problem } from '../http/problems.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { AttachmentParams } from './attachment-schemas.ts';
import { unlessMissing } from './missing-content.ts';
import { TICKETS } from './wire.ts';

export interface PreviewRouteOptions {
  readonly previews: Previews;
  /** Bounds concurrent drawings. */
  readonly drawings: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
  /** @throws Problem `NOT_FOUND` where the caller may not see the attachment. */
  readonly shownIn: (
    request: FastifyRequest,
    ticketId: string,
    attachmentId: string,
  ) => Promise<Attachment>;
}

export const attachmentPreviewRoutes: FastifyPluginAsyncZod<PreviewRouteOptions> = async (
  app,
  { previews, drawings, stopping, shownIn },
) => {
  app.get(
    `${TICKETS}/:id/attachments/:attachmentId/preview`,
    {
      config: {
        permission: 'service-desk.tickets:read',
        ownPermission: 'service-desk.own:read',
      },
      schema: {
        operationId: 'previewAttachment',
        tags: ['tickets'],
        summary: 'Preview a picture',
        description:
          'A WebP image of at most 512 pixels, re-encoded without the metadata of the picture. ' +
          '404 for files of other types and for pictures that cannot be decoded.',
        params: AttachmentParams,
        conventions: ['content-etag', 'bytes'],
        problems: ['RATE_LIMITED'],
        response: {
          200: PICTURE,
          206: { ...PICTURE, description: 'The requested range of the preview.' },
        },
      },
    },
    async (request, reply) => {
      const { id, attachmentId } = request.params;
      const { sha256, mediaType, name } = await shownIn(request, id, attachmentId);
      if (!isPreviewed(mediaType)) throw notFound('preview');
      const file = { organisation: organisationIn(request), sha256 };
      const made = (gone: AbortSignal) => previews.make(file, AbortSignal.any([gone, stopping]));
      const kept = await previews.kept(file);
      const picture =
        kept === undefined
          ? await withPermit(drawings, request, reply, made)
              .catch(unlessUndecodable)
              .catch(unlessMissing(request))
          : kept;
      if (picture === null) throw notFound('preview');
      // `never`, because the body schemas type the handlers, and streams bypass them.
      return (await answerBytes(request, reply, {
        name,
        mediaType: PREVIEW_MEDIA_TYPE,
        bytes: picture.length,
        etag: `"${sha256}-preview"`,
        isInline: true,
        open: async ({ start, end }) => inOnePiece(picture.subarray(start, end + 1)),
      })) as never;
    },
  );
};

/** The attachments of a ticket with the paths of their previews. */
export const withPreviews = async (
  previews: Pick<Previews, 'without'>,
  { organisation, ticketId }: { readonly organisation: string; readonly ticketId: string },
  attachments: readonly Attachment[],
): Promise<readonly (Attachment & { readonly preview?: string })[]> => {
  const pictures = attachments.filter(({ mediaType }) => isPreviewed(mediaType));
  const none = await previews.without(
    organisation,
    pictures.map(({ sha256 }) => sha256),
  );
  return attachments.map((one) => {
    const { attachmentId, mediaType, sha256 } = one;
    if (!isPreviewed(mediaType) || none.has(sha256)) return one;
    return { ...one, preview: `${TICKETS}/${ticketId}/attachments/${attachmentId}/preview` };
  });
};

const unlessUndecodable = (error: unknown): never => {
  if (!(error instanceof NoDecoder)) throw error;
  throw new Problem('UNAVAILABLE', 'Previews are unavailable on this server: ask an operator.');
};

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

const PICTURE = {
  description: 'The preview, as `image/webp`.',
  content: { 'image/webp': { schema: z.string() } },
} as const;
