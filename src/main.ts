#!/usr/bin/env node
/** Entry of the server: `npm start`. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// Enabled before other modules are loaded, because it halves the start time. The cache is beside
// the code, with the same write permissions; another user could poison one in a shared directory.
const { directory } = enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));
// Threads and child processes inherit the cache by the environment.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;
const { run } = await import('./start.ts');
await run();
// Stores the cache now, in case this process is killed.
flushCompileCache();
