import type { FileStore } from './file-store.ts';

/** For platforms that keep no files, such as a template: each use fails. */
const refuse = (): Promise<never> => Promise.reject(new Error('this platform keeps no files'));

export const noFiles: FileStore = {
  receive: refuse,
  open: refuse,
  remove: refuse,
  removeUnfinished: async () => 0,
  async *stored() {},
  ready: async () => true,
};
