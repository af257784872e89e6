#!/usr/bin/env node
// In a checkout the sources run, where Node can run them: `dist` may be older than they are.
import { existsSync } from 'node:fs';

const source = new URL('../src/atrium.ts', import.meta.url);
const compiled = new URL('../dist/cli/src/atrium.js', import.meta.url);
const program = process.features.typescript && existsSync(source) ? source : compiled;
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('atrium: not built; run npm run build in the checkout\n');
  process.exitCode = 1;
}
