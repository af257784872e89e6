import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = '/** Made from openapi.json: `npm test -- test/api/http/openapi.spec.ts -u`. */\n';

/** The types of a document of OpenAPI, as a module. */
export const typesOf = async (document: string): Promise<string> =>
  // A member of a body that has a default may be left out.
  HEAD + astToString(await openapiTS(document, { defaultNonNullable: false }));
