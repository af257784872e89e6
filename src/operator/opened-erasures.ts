import type { Config } from '../config/config.ts';
import { ERASURE_FILES, openFileStores } from '../files/stores.ts';
import { erasureListIn, type ErasureList } from '../use-cases/erasures/erasure-list.ts';

/** The list of erasures in the configured store of files; the caller must dispose of it. */
export const openedErasures = ({
  files,
  dataDirectory,
}: Pick<Config, 'files' | 'dataDirectory'>): AsyncDisposable & { readonly list: ErasureList } => {
  const stores = openFileStores(files, dataDirectory);
  return {
    list: erasureListIn(stores.of(ERASURE_FILES)),
    [Symbol.asyncDispose]: () => stores.close(),
  };
};
