import type { FastifyRequest } from 'fastify';
import { FileMissing } from '../../files/file-store.ts';
import { Problem } from '../http/problems.ts';

/** The answer for an attachment whose bytes are lost; other errors are thrown again. */
export const unlessMissing =
  (request: FastifyRequest) =>
  (error: unknown): never => {
    if (!(error instanceof FileMissing)) throw error;
    request.log.error({ err: error }, 'the bytes of an attachment are missing');
    throw new Problem('UNAVAILABLE', 'The content of this attachment is missing: ask an operator.');
  };
