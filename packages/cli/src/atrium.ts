#!/usr/bin/env node
/**
 * The `atrium` command. What a user does goes over HTTP to the server at `ATRIUM_URL`; what an
 * operator does on the server is handed on to the server's own code. contract.md section 10.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Before anything else is loaded: it is what most of a start goes into. Beside the code, where only
// those write who may change the code; a directory that all share could hold a stranger's.
// Node 20 has none.
const { enableCompileCache } = module as { enableCompileCache?: (directory: string) => unknown };
enableCompileCache?.(fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url)));
const { run } = await import('./program.ts');
const { endWithReader } = await import('./terminal/reader.ts');
endWithReader();
await run();
