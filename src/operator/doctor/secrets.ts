import { postgresDirectory, type Config } from '../../config/config.ts';
import type { Env } from '../command-logger.ts';

/**
 * Redacts the environment's secrets in a text, such as a library's error: passwords in addresses,
 * and the values of variables named as a key, token, secret or password.
 */
export const hidingSecretsOf = (env: Env): ((text: string) => string) => {
  const secrets = [...new Set(Object.entries(env).flatMap(secretsIn))]
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
};

const secretsIn = ([name, value = '']: [string, string | undefined]): readonly string[] => {
  if (/KEY|TOKEN|SECRET|PASSWORD/.test(name))
    return value
      .split(',')
      .map((one) => one.trim())
      .filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  const ofUser = [...value.matchAll(/:\/\/[^/?#@]*?:([^@]*)@/g)];
  // A user without a password is a token there.
  const asToken = name === 'NATS_URL' ? [...value.matchAll(/:\/\/([^/?#@:]*)@/g)] : [];
  const asOption = [...value.matchAll(/[?&][a-z]*password=([^&#]*)/gi)];
  return [...ofUser, ...asToken, ...asOption].flatMap(([, secret = '']) => [
    secret,
    decoded(secret),
  ]);
};

/** Shorter values are not redacted unless they are an address's password. */
const SECRET_CHARACTERS_MIN = 8;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Where an address leads, without who goes there. */
export const placeOf = (url: string): string =>
  url.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/s, '');

/** Where the database is. */
export const placeOfDatabase = (config: Config): string =>
  config.databaseUrl === null ? postgresDirectory(config) : placeOf(config.databaseUrl);
