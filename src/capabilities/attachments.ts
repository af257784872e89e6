import { attachmentRoutes } from '../api/tickets/attachments.ts';
import {
  ATTACHMENT_DOWNLOADS,
  ATTACHMENT_PREVIEWS,
  ATTACHMENT_UPLOADS,
} from '../api/tickets/limits.ts';
import { noteRoutes } from '../api/tickets/notes.ts';
import { previewsOf } from '../files/previews/previews.ts';
import { fileReferences } from '../files/references.ts';
import { readinessError, type Ready } from '../engine/observe/readiness-error.ts';
import { attachmentFiles, fileSweeping } from '../processes/tickets/attachment-files.ts';
import { isAttached } from '../use-cases/tickets/attachments.ts';
import type { Capability } from '../composition/capability.ts';

/** Files on tickets. contract.md section 5. */
export const attachments: Capability = {
  processes: ['attachment-files'],

  compose({ attachments, db, files, logger, occasionOf, visibility, stopping, ...core }) {
    const references = fileReferences(db.pool, files);
    const uploads = core.permits(ATTACHMENT_UPLOADS);
    const common = { references, files, occasionOf, visibility, uploads, stopping };
    return {
      routes: async (app) => {
        await app.register(attachmentRoutes, {
          ...common,
          attachments,
          previews: previewsOf({ pool: db.pool, files, logger }),
          downloads: core.permits(ATTACHMENT_DOWNLOADS),
          drawings: core.permits(ATTACHMENT_PREVIEWS),
        });
        const { tickets, desks, graph } = core;
        await app.register(noteRoutes, { ...common, tickets, desks, graph });
      },
      processes: [attachmentFiles(references)],
      degradable: [{ part: 'files', reason: async () => filesReadiness(await files.ready()) }],
      runners: [fileSweeping({ files, references, isAttached: isAttached(attachments), logger })],
    };
  },
};

const filesReadiness = (ready: true | string): Ready =>
  ready === true || readinessError(`files cannot be stored: ${ready}`);
