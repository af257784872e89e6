/** An import with progress lines in its response. contract.md section 6. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ImportPhase } from '../../building/imports/thread-messages.ts';
import { preferredForm } from '../http/accept.ts';
import { answerLines, beginLines, NDJSON } from '../http/answer-lines.ts';
import { problemOf } from '../http/errors.ts';
import { problemBody } from '../http/problems.ts';
import { ImportPreviewBody } from './schemas.ts';

/** One line of an answer in NDJSON. */
export const ImportLine = z
  .union([
    z
      .object({
        phase: z.enum(['reading', 'shapes', 'writing']),
        bytes: z
          .int()
          .optional()
          .describe('Size of the received document, in the phase `reading`.'),
        nodes: z
          .int()
          .optional()
          .describe('Number of nodes to compare and write, in the phase `writing`.'),
      })
      .describe('`shapes`: the outlines and drawings of an IFC file are being read.'),
    z
      .object({
        result: ImportPreviewBody.extend({ buildingId: z.uuid().optional() }),
        replayed: z.boolean().describe('The same as the header `Idempotent-Replayed`.'),
      })
      .describe('The last line of an import or a dry run. A dry run has no id.'),
    z
      .object({ problem: z.looseObject({ code: z.string() }) })
      .describe(
        'The last line of an import that failed: a problem as in other error responses. ' +
          'Nothing was imported.',
      ),
  ])
  .meta({ id: 'BuildingImportLine' });

const forms: Readonly<Record<string, 'json' | 'lines'>> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  [NDJSON]: 'lines',
};

/** Whether the caller accepts {@link ImportLine}s. */
export const wantsLines = ({ headers }: FastifyRequest): boolean =>
  preferredForm(headers.accept, (range) => forms[range] ?? null) === 'lines';

/**
 * Answers with lines as soon as the whole document has arrived.
 *
 * @throws An error that ends the import before that; a later error is the last line.
 */
export const answerInLines = async (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (onPhase: (phase: ImportPhase) => void) => Promise<z.input<typeof ResultLine>>,
): Promise<Readable> => {
  const answers = answerLines();
  const begun = Promise.withResolvers<void>();
  let isBegun = false;
  const onPhase = ({ name, ...counts }: ImportPhase) => {
    isBegun = true;
    void answers.write({ phase: name, ...counts });
    begun.resolve();
  };
  const end = (line: object) => {
    answers.end(line);
    begun.resolve();
  };
  work(onPhase).then(end, (error: unknown) => {
    if (!isBegun) return begun.reject(error);
    const problem = problemOf(error);
    request.server.logError(error, problem, request);
    return end({ problem: problemBody(problem, request.id) });
  });
  await begun.promise;
  return beginLines(reply, answers);
};

const ResultLine = ImportLine.options[1];
