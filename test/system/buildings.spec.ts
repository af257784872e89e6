/** Buildings imported, on a whole server with the embedded log. */
import { buildingImportsOnServer } from '../contract/building-imports.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

buildingImportsOnServer(async () => {
  const { url: DATABASE_URL, drop } = await freshDatabase();
  return { env: { DATABASE_URL, ATRIUM_DATA: temporaryDirectory('buildings') }, close: drop };
});
