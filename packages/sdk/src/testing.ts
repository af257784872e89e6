/** Sandboxes for tests, for Node: one for each file of tests. */
export type { TestHooks } from './testing-hooks.ts';
export { withSandbox, type SandboxForTests, type SandboxTestOptions } from './testing-sandbox.ts';
