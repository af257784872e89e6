import { attachmentRoutes } from '../api/tickets/attachments.ts';
import { ATTACHMENT_PREVIEWS, ATTACHMENT_UPLOADS } from '../api/tickets/limits.ts';
import { previewsOf } from '../files/previews/previews.ts';
import { fileReferences } from '../files/references.ts';
import { attachmentFiles, fileSweeping } from '../processes/tickets/attachment-files.ts';
import { isAttached } from '../use-cases/tickets/attachments.ts';
import type { Capability } from './capability.ts';

/** Files on tickets. contract.md section 5. */
export const attachments: Capability = {
  processes: ['attachment-files'],

  compose({ attachments: tickets, db, files, clock, logger, occasionOf, visibility, ...core }) {
    const references = fileReferences(db.pool, files);
    return {
      routes: async (app) => {
        await app.register(attachmentRoutes, {
          attachments: tickets,
          references,
          files,
          occasionOf,
          visibility,
          previews: previewsOf({ pool: db.pool, files, logger }),
          drawings: core.permits(ATTACHMENT_PREVIEWS),
          uploads: core.permits(ATTACHMENT_UPLOADS),
          stopping: core.stopping,
        });
      },
      processes: [attachmentFiles(references)],
      runners: [
        fileSweeping({ files, references, isAttached: isAttached(tickets), clock, logger }),
      ],
    };
  },
};
