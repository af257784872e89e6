/** Members that stored events share. On disk: a bound may be raised, never lowered. */
import { z } from 'zod';

export const instant = z.iso.datetime({ precision: 3 });

/** Never empty. */
export const text = z.string().min(1);
