#!/usr/bin/env node
/** Entry of the server: `npm start`. */
import { enableCompileCache, flushCompileCache } from 'node:module';

// Before anything else is loaded: it is half of what a start goes into.
enableCompileCache();
const { run } = await import('./server.ts');
await run();
// However this process ends: the next one starts sooner.
flushCompileCache();
