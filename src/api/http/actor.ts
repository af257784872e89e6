import { z } from 'zod';

/** Who did something. contract.md section 1. */
export const ActorBody = z
  .object({
    kind: z.enum(['user', 'client', 'key', 'system']),
    id: z.string(),
    name: z.string().optional(),
    erased: z.literal(true).optional().describe('The person was erased; `id` is a placeholder.'),
  })
  .meta({ id: 'Actor' });
