/** Where files are kept: a directory, or `s3://bucket/prefix?endpoint=…&region=…&pathStyle=…`. */

/** A directory for each platform in {@link directory}, or a prefix for each in a bucket. */
export type FilesPlace =
  | { readonly kind: 'directory'; /** Absolute. */ readonly directory: string }
  | { readonly kind: 's3'; readonly address: S3Address; readonly credentials: S3Credentials };

export interface S3Address {
  readonly bucket: string;
  /** Ends with `/`, or is empty. */
  readonly prefix: string;
  /** Without a trailing slash, and without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  /** The bucket is in the path, not in the host. Default: with an `endpoint`. */
  readonly pathStyle: boolean;
}

/** A key pair that may read, write, list and delete objects of the bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that are in a path and in a listing as they are. */
const PREFIX = /^([\w.-]+\/)*$/;
const OPTIONS = new Set(['endpoint', 'region', 'pathStyle']);

/** @throws An error that does not repeat the value, which may hold a secret. */
export const s3AddressOf = (value: string): S3Address => {
  if (!URL.canParse(value)) throw new Error('must be s3://bucket/prefix?endpoint=…');
  const {
    hostname: bucket,
    pathname,
    searchParams,
    username,
    password,
    port,
    hash,
  } = new URL(value);
  if (username !== '' || password !== '')
    throw new Error('must hold no credentials: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY');
  if (!BUCKET.test(bucket) || port !== '')
    throw new Error(
      'must name a bucket (3 to 63 of a-z, 0-9, . and -, no . or - at an end): s3://bucket/prefix',
    );
  const prefix = pathname.replace(/^\//, '').replace(/([^/])$/, '$1/');
  if (!PREFIX.test(prefix) || hash !== '')
    throw new Error('must have a prefix of letters, digits, ., _ and -, with / between');
  for (const name of searchParams.keys()) {
    if (!OPTIONS.has(name)) throw new Error('has an unknown option: endpoint, region, pathStyle');
  }
  const region = searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]+$/.test(region)) throw new Error('must have a region such as eu-central-1');
  const endpoint = searchParams.get('endpoint');
  const pathStyle = searchParams.get('pathStyle') ?? String(endpoint !== null);
  if (pathStyle !== 'true' && pathStyle !== 'false')
    throw new Error('must say pathStyle=true or pathStyle=false');
  return {
    bucket,
    prefix,
    endpoint: endpoint === null ? `https://s3.${region}.amazonaws.com` : endpointOf(endpoint),
    region,
    pathStyle: pathStyle === 'true',
  };
};

const endpointOf = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.pathname === '/' &&
    url.search + url.hash + url.username + url.password === '';
  if (!isPlain) throw new Error('must have an endpoint such as https://s3.example.com');
  return url.origin;
};

/** The address for operators, without credentials. */
export const shownS3Address = ({ bucket, prefix, endpoint }: S3Address): string =>
  `s3://${bucket}/${prefix} at ${endpoint}`;

/** Where a `clamd` listens. */
export type ScannerAddress =
  | { readonly host: string; readonly port: number }
  /** A Unix socket. */
  | { readonly path: string };
