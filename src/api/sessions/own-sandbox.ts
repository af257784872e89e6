/** The sandbox that a platform is, as its pages show it. contract.md section 4. */
import { z } from 'zod';
import { ActorBody } from '../tickets/schemas.ts';

export const OwnSandboxBody = z
  .object({
    sandboxId: z.string(),
    name: z.string(),
    owner: ActorBody.describe('Who made it.'),
    expiresAt: z.iso.datetime().describe('When it and all that is in it is deleted.'),
    pageUrl: z.url().describe('Its page in the portal of the main platform.'),
  })
  .describe('Only at the address of a sandbox: the one that answers.')
  .meta({ id: 'OwnSandbox' });

export type OwnSandbox = Readonly<z.infer<typeof OwnSandboxBody>>;

/** Its current state: it may have been extended since it was woken. @throws `LogUnavailable`. */
export type ReadOwnSandbox = () => Promise<OwnSandbox>;
