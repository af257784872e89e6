/** The servers and files whose certificates this installation depends on, by its configuration. */
import type { Config } from '../../config/config.ts';
import { addressOf } from '../../engine/log/eventstoredb/address.ts';
import type { FilesPlace } from '../../files/place.ts';

/** Variables that can lead to a certificate. */
export const certificateParts = [
  'PUBLIC_URL',
  'OIDC_ISSUER',
  'DATABASE_URL',
  'SANDBOX_DATABASE_URL',
  'EVENTSTORE_URL',
  'NATS_URL',
  'NATS_TLS_CERT',
  'NATS_TLS_CA',
  'FILES_URL',
  'BACKUP_URL',
] as const;

export type CertificatePart = (typeof certificateParts)[number];

export interface TlsEndpoint {
  /** The variable that names it. */
  readonly part: CertificatePart;
  readonly host: string;
  readonly port: number;
  /** The protocol that is spoken before the upgrade to TLS. Default: TLS from the start. */
  readonly opening?: 'nats' | 'postgres';
  /** The client certificate, for a server that requires one; PEM files. */
  readonly client?: { readonly certFile: string; readonly keyFile: string };
}

export interface CertificateFile {
  readonly part: CertificatePart;
  /** In PEM format. */
  readonly file: string;
  /** One valid authority of several suffices; in a chain every certificate must be valid. */
  readonly isOfAuthorities: boolean;
}

export const tlsEndpoints = (config: Config): readonly TlsEndpoint[] => [
  ...httpsAt('PUBLIC_URL', config.publicUrl),
  ...httpsAt('OIDC_ISSUER', config.oidcIssuer),
  ...postgresAt('DATABASE_URL', config.databaseUrl),
  ...postgresAt('SANDBOX_DATABASE_URL', config.sandboxDatabaseUrl),
  ...eventStoreAt(config.eventstoreUrl),
  ...natsAt(config.nats),
  ...bucketAt('FILES_URL', config.files),
  ...bucketAt('BACKUP_URL', config.backup.place),
];

export const certificateFiles = ({ eventstoreUrl, nats }: Config): readonly CertificateFile[] => {
  const authorities = (part: CertificatePart, file: string | null | undefined) =>
    file ? [{ part, file, isOfAuthorities: true }] : [];
  const own = nats?.certFile ?? null;
  return [
    ...authorities('EVENTSTORE_URL', eventstoreUrl && addressOf(eventstoreUrl).tls?.caFile),
    ...(own === null
      ? []
      : [{ part: 'NATS_TLS_CERT' as const, file: own, isOfAuthorities: false }]),
    ...authorities('NATS_TLS_CA', nats?.caFile),
  ];
};

const httpsAt = (part: CertificatePart, url: string | null): readonly TlsEndpoint[] => {
  if (url === null) return [];
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return [];
  return [{ part, host: unbracketed(hostname), port: Number(port) || 443 }];
};

const bucketAt = (part: CertificatePart, place: FilesPlace | null): readonly TlsEndpoint[] =>
  place?.kind === 's3' ? httpsAt(part, place.address.endpoint) : [];

const POSTGRES_PORT = 5432;

/** A connection by Unix socket has no TLS, whatever the address says. */
const postgresAt = (part: CertificatePart, url: string | null): readonly TlsEndpoint[] => {
  if (url === null || !URL.canParse(url)) return [];
  const { hostname, port, searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? 'disable';
  if (hostname === '' || ['disable', 'false', '0'].includes(mode)) return [];
  const host = unbracketed(hostname);
  return [{ part, host, port: Number(port) || POSTGRES_PORT, opening: 'postgres' }];
};

const eventStoreAt = (url: string | null): readonly TlsEndpoint[] => {
  const hosts = url === null ? [] : (addressOf(url).tls?.hosts ?? []);
  return hosts.map((server) => ({ part: 'EVENTSTORE_URL', ...server }));
};

const NATS_PORT = 4222;

const natsAt = (nats: Config['nats']): readonly TlsEndpoint[] => {
  if (nats === null) return [];
  const { servers, caFile, certFile, keyFile } = nats;
  const urls = servers.map((server) => new URL(server));
  const isTls = caFile ?? certFile ?? urls.some(({ protocol }) => protocol === 'tls:');
  if (isTls === false) return [];
  return urls.map(({ hostname, port }) => ({
    part: 'NATS_URL',
    host: unbracketed(hostname),
    port: Number(port) || NATS_PORT,
    opening: 'nats',
    ...(certFile !== null && keyFile !== null ? { client: { certFile, keyFile } } : {}),
  }));
};

const unbracketed = (host: string): string => host.replaceAll(/[[\]]/g, '');
