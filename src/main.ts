#!/usr/bin/env node
/** Entry of the server: `npm start`. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything else is loaded: it is half of what a start goes into. Beside the code, where only
// those write who may change the code; a directory that all share could hold a stranger's.
const { directory } = enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));
// Threads and programs of this process use it by their environment alone.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory;
const { run } = await import('./start.ts');
await run();
// However this process ends: the next one starts sooner.
flushCompileCache();
