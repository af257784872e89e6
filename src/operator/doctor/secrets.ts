import { postgresDirectory, type Config } from '../../config/config.ts';
import type { Env } from '../command-logger.ts';

/**
 * Redacts the environment's secrets in a text, such as a library's error: passwords in addresses,
 * and the values of variables named as a key, token, secret or password.
 */
export const hidingSecretsOf = (env: Env): ((text: string) => string) => {
  const secrets = [...new Set(Object.entries(env).flatMap(secretsIn))].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) =>
    secrets.reduce(
      (left, secret) => left.replaceAll(secret, '***'),
      text.replaceAll(PASSWORD_IN_ADDRESS, '$1***@').replaceAll(PASSWORD_AS_OPTION, '$1***'),
    );
};

/** Of each address in a text: a password may contain an `@`, and the next address follows `://`. */
const PASSWORD_IN_ADDRESS = /(:\/\/[^/?#@:\s]*:)(?:(?!:\/\/)\S)*@/g;

const PASSWORD_AS_OPTION = /([?&][a-z]*password=)[^&#\s'"]*/gi;

const secretsIn = ([name, value = '']: [string, string | undefined]): readonly string[] => {
  if (/KEY|TOKEN|SECRET|PASSWORD/.test(name))
    return value
      .split(',')
      .map((one) => one.trim())
      .filter(({ length }) => length >= SECRET_CHARACTERS_MIN);
  const ofUser = [...value.matchAll(/:\/\/[^/?#@:]*:((?:(?!:\/\/).)*)@/g)];
  // In `NATS_URL` a user without a password is a token.
  const asToken = name === 'NATS_URL' ? [...value.matchAll(/:\/\/([^/?#@:]*)@/g)] : [];
  const asOption = [...value.matchAll(/[?&][a-z]*password=([^&#]*)/gi)];
  const inAddresses = [...ofUser, ...asOption]
    .flatMap(([, secret = '']) => [secret, decoded(secret)])
    .filter(({ length }) => length >= PASSWORD_CHARACTERS_MIN);
  return [...inAddresses, ...asToken.flatMap(([, token = '']) => (token === '' ? [] : [token]))];
};

/** A shorter value is redacted only if it is the password in an address. */
const SECRET_CHARACTERS_MIN = 8;

/** A shorter password is redacted only within its address: alone it is a part of many words. */
const PASSWORD_CHARACTERS_MIN = 4;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** An address without its user and password. */
export const placeOf = (url: string): string =>
  url.replace(/^([^:]+:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/s, '');

/** The database's address without secrets, or the embedded one. */
export const placeOfDatabase = (config: Config): string =>
  config.databaseUrl === null ? postgresDirectory(config) : placeOf(config.databaseUrl);
