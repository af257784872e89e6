/** Notes on a ticket: JSON, or a form with files. contract.md section 5. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import type { Visibility as Readers } from '../../domain/tickets/events.ts';
import { NOTE_ATTACHMENTS_MAX } from '../../domain/tickets/limits.ts';
import { jsonHash } from '../../engine/aggregates/json-hash.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { FileStore } from '../../files/file-store.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { storingFiles, type AttachmentParts } from '../../use-cases/tickets/attachments.ts';
import { refuseEncoding, unstorable } from '../http/bodies.ts';
import {
  answerCommand,
  commandIdOf,
  namedCommandOf,
  type CommandId,
  type Visibility,
} from '../http/commands.ts';
import { expectedRevisionsOf } from '../http/conditional.ts';
import { FORM_TEXT_BYTES_MAX } from '../http/limits.ts';
import { withPermit } from '../http/permits.ts';
import { invalid } from '../http/problems.ts';
import { schemaCheck } from '../http/validation.ts';
import type { OccasionOf } from '../sessions/authenticate.ts';
import { noteIdOf, ticketActions, type TicketActionParts } from './actions.ts';
import { AddedNoteBody, NoteForm } from './note-schemas.ts';
import { ownerIn, readersOf } from './requesters.ts';
import { NoteBody, TicketParams } from './schemas.ts';
import { FORM, uploadReader, type UploadedFile } from './uploads.ts';
import { TICKETS } from './wire.ts';
import { SHOWN_BY } from './work-in-order.ts';

export interface NoteRouteOptions extends TicketActionParts, Pick<AttachmentParts, 'references'> {
  readonly files: FileStore;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** Bounds concurrent uploads, those of single attachments included. */
  readonly uploads: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

interface NewNote {
  readonly body: string;
  readonly visibility: Readers;
  readonly name: CommandId;
  readonly uploaded: readonly UploadedFile[];
}

/** The body of a form until its handler reads it: no JSON is this object. */
const UNREAD: unknown = Object.freeze({});

export const noteRoutes: FastifyPluginAsyncZod<NoteRouteOptions> = async (app, options) => {
  const { occasionOf, visibility, uploads } = options;
  const actions = ticketActions(options);
  const readUpload = uploadReader(options);
  const storing = storingFiles(options);

  const validatorOfOthers = app.validatorCompiler!;
  app.setValidatorCompiler((route) => {
    const fits = validatorOfOthers(route);
    return (value: unknown) => (value === UNREAD ? { value } : fits(value));
  });
  app.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    refuseEncoding(request);
    return UNREAD;
  });

  const add = async (
    request: FastifyRequest,
    reply: FastifyReply,
    ticketId: string,
    { name, body, visibility: readers, uploaded }: NewNote,
  ): Promise<z.input<typeof AddedNoteBody>> => {
    const owner = ownerIn(request);
    const { organisation } = owner;
    const occasion = occasionOf(request);
    const address = {
      id: ticketId,
      ...owner,
      occasion,
      expectedRevisions: expectedRevisionsOf(request),
    };
    const files = uploaded.map(({ file: { bytes, sha256 }, ...described }, index) => ({
      attachmentId: uuidFrom(`file ${index}`, name.commandId),
      ...described,
      bytes,
      sha256,
    }));
    const received = files.map(({ attachmentId }, index) => ({
      attachmentId,
      received: uploaded[index]!.file,
    }));
    const answer = await storing({ ticketId, organisation }, received, () =>
      actions.act(address, name, 'note', { body, visibility: readers, files }),
    );
    await answerCommand(reply, answer, SHOWN_BY, visibility);
    const noteId = noteIdOf(name);
    const by = { createdAt: answer.view.updatedAt, createdBy: occasion.by };
    const shown = files.map((file) => ({ ...file, visibility: readers, noteId, ...by }));
    return {
      id: noteId,
      body,
      visibility: readers,
      ...by,
      ...(shown.length === 0 ? {} : { attachments: shown }),
    };
  };

  app.post(
    `${TICKETS}/:id/updates`,
    {
      config: {
        permission: 'service-desk.tickets:write',
        ownPermission: 'service-desk.own:write',
        formAnswerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
      },
      schema: {
        operationId: 'addNote',
        tags: ['tickets'],
        summary: 'Add a note to a ticket, in any state',
        description:
          'The multipart form also accepts files, which become attachments of the ticket: at ' +
          'most 25 MiB each, and 50 files and 250 MiB per ticket. The note and its files are ' +
          'one change.',
        params: TicketParams,
        body: NoteBody,
        form: NoteForm,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['ATTACHMENT_REFUSED', 'TICKET_FULL', 'RATE_LIMITED'],
        response: { 201: AddedNoteBody },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { body } = request;
      if (body !== UNREAD) {
        const note = { ...body, visibility: readersOf(request, body.visibility) };
        // Explicit defaults and omitted members are the same command.
        request.body = note;
        const named = { ...note, name: commandIdOf(request), uploaded: [] };
        return reply.code(201).send(await add(request, reply, id, named));
      }
      // Refused before the upload, not after it.
      await actions.ticketOf({ id, ...ownerIn(request) });
      return withPermit(uploads, request, reply, async (gone) => {
        const { files, fields, discard } = await readUpload(request, gone, NOTE_FORM);
        try {
          const sent = noteIn(fields);
          const note = { ...sent, visibility: readersOf(request, sent.visibility) };
          const name = nameOf(request, note, files);
          const added = await add(request, reply, id, { ...note, name, uploaded: files });
          return await reply.code(201).send(added);
        } finally {
          await discard();
        }
      });
    },
  );
};

const NOTE_FORM = {
  filesMin: 0,
  filesMax: NOTE_ATTACHMENTS_MAX,
  fields: ['body', 'visibility'],
  fieldBytesMax: FORM_TEXT_BYTES_MAX,
} as const;

const noteFits = schemaCheck(NoteBody);

/** Browsers send every line break in a form as CR LF. */
const noteIn = (fields: ReadonlyMap<string, string>): z.output<typeof NoteBody> => {
  const sent = Object.fromEntries(
    [...fields].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]),
  );
  const unkept = unstorable(sent, '');
  if (unkept !== null) throw invalid([unkept]);
  const read = noteFits(sent);
  if ('error' in read) throw invalid(read.error.errors);
  return read.value;
};

/** A form without files is the same command as the note in JSON. */
const nameOf = (
  request: FastifyRequest,
  note: Pick<NewNote, 'body' | 'visibility'>,
  files: readonly UploadedFile[],
): CommandId => {
  const name = namedCommandOf(request);
  if (!name.named) return name;
  const sent = files.map(({ name: fileName, file: { sha256 } }) => ({ name: fileName, sha256 }));
  return { ...name, bodyHash: jsonHash(sent.length === 0 ? note : { ...note, files: sent }) };
};
