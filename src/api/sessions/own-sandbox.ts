/** The sandbox that a platform is, as its pages show it. contract.md section 4. */
import { z } from 'zod';
import { ActorBody } from '../http/actor.ts';

export const OwnSandboxBody = z
  .object({
    sandboxId: z.string(),
    name: z.string(),
    owner: ActorBody.describe('Who created the sandbox.'),
    expiresAt: z.iso.datetime().describe('When the sandbox and its data are deleted.'),
    pageUrl: z.url().describe("Its page in the main platform's portal."),
  })
  .describe('Present only at the address of a sandbox: that sandbox.')
  .meta({ id: 'OwnSandbox' });

export type OwnSandbox = Readonly<z.infer<typeof OwnSandboxBody>>;

/** Its current state: it may have been extended since it was woken. @throws `LogUnavailable`. */
export type ReadOwnSandbox = () => Promise<OwnSandbox>;
