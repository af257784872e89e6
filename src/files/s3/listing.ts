/** Pages of a listing, `ListObjectsV2`. */
import { S3_LISTED_AT_ONCE, S3_LISTING_BYTES_MAX } from '../limits.ts';
import { FilesUnavailable } from '../file-store.ts';
import { isFailure, type S3Client } from './client.ts';
import { textOf } from './request.ts';

export interface ListingQuery {
  readonly prefix: string;
  /** Only keys after this one. */
  readonly after?: string;
  /** Keys are truncated after it, and equal ones are listed once. */
  readonly delimiter?: '/';
}

/**
 * The keys, or the truncated ones, in their order, by pages.
 *
 * @throws {@link FilesUnavailable}
 */
export async function* listed(
  client: Pick<S3Client, 'send'>,
  { prefix, after, delimiter }: ListingQuery,
): AsyncGenerator<readonly string[], void, undefined> {
  const query = {
    'list-type': '2',
    'max-keys': String(S3_LISTED_AT_ONCE),
    prefix,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(after === undefined ? {} : { 'start-after': after }),
  };
  for (let token: string | null = null; ;) {
    const more: Readonly<Record<string, string>> =
      token === null ? {} : { 'continuation-token': token };
    const reply = await client.send({ method: 'GET', key: '', query: { ...query, ...more } });
    if (isFailure(reply)) throw new FilesUnavailable(reply.failure);
    const page = await textOf(reply, S3_LISTING_BYTES_MAX).catch((error: unknown) => {
      throw new FilesUnavailable('a listing of the S3 bucket was cut off', { cause: error });
    });
    if (!page.includes('</ListBucketResult>'))
      throw new FilesUnavailable('a listing of the S3 bucket is not complete');
    yield delimiter === undefined
      ? textsIn(page, 'Key')
      : textsIn(page, 'CommonPrefixes').flatMap((one) => textsIn(one, 'Prefix'));
    token = textsIn(page, 'NextContinuationToken')[0] ?? null;
    if (token === null) return;
  }
}

/** Contents of the elements, which have no attributes. */
const textsIn = (xml: string, element: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) =>
    decoded(text!),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#34;': '"',
  '&amp;': '&',
};

const decoded = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|apos|amp|#39|#34);/g, (entity) => ENTITIES[entity]!);
