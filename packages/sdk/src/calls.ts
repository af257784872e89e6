/** Calls by path and method, typed by the document: an answer that is no success is thrown. */
import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './openapi.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths of the document that have this method. @stable */
export type PathWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Verb, object> ? Path : never;
}[keyof paths];

/**
 * `data` is the body of the success that the document describes, or `undefined` for one without a
 * body, such as a 204.
 *
 * @stable
 */
export interface CallResult<Data> {
  readonly data: Data;
  readonly response: Response;
}

/** What `openapi-fetch` says of a success, without its case of a refusal. */
type DataOf<Operation, Init> = Exclude<
  FetchResponse<Operation & Record<string, unknown>, Init, 'application/json'>['data'],
  undefined
>;

type BodyOf<Operation, Init> = [DataOf<Operation, Init>] extends [never]
  ? undefined
  : DataOf<Operation, Init>;

/** A caller that reads with `If-None-Match` has no body in a 304. */
type Conditional<Verb extends Method, Init> = [Verb, Init] extends [
  'get',
  { readonly params: { readonly header?: infer Header } },
]
  ? 'If-None-Match' extends keyof NonNullable<Header>
    ? undefined
    : never
  : never;

/** Required where the operation needs parameters or a body. */
type Arguments<Init> =
  Partial<Init> extends Init
    ? [init?: Init & Record<string, unknown>]
    : [init: Init & Record<string, unknown>];

/**
 * One method of the API.
 *
 * @throws `AtriumError` for an answer that is no success; `AtriumUnreachableError` without one.
 * @stable
 */
export type Call<Verb extends Method> = <
  Path extends PathWith<Verb>,
  Init extends MaybeOptionalInit<paths[Path], Verb>,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<CallResult<BodyOf<paths[Path][Verb], Init> | Conditional<Verb, Init>>>;

/** Every route of the API by its method and path. @stable */
export interface Calls {
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
}
