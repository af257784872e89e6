/** Explains an S3 server's refusals to operators. */

const KNOWN: Readonly<Record<string, string>> = {
  RequestTimeTooSkewed: "this machine's clock and the server's are over 15 minutes apart",
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'AWS_ACCESS_KEY_ID is not known there',
  AccessDenied: 'the key may not do this in the bucket',
  NoSuchBucket: 'there is no such bucket',
  AuthorizationHeaderMalformed: 'the region of FILES_URL is not the one of the bucket',
  PermanentRedirect: 'the endpoint or the region of FILES_URL is not the one of the bucket',
  XAmzContentSHA256Mismatch: 'the bytes were changed on their way',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  403: 'the key is not accepted, may not do this, or the clocks are over 15 minutes apart',
  404: 'there is no such bucket',
};

/** ` CODE: what it means`, as far as that is known. */
export const refusalText = (status: number, code: string | null): string => {
  const meaning = code === null ? BY_STATUS[status] : KNOWN[code];
  return `${code === null ? '' : ` ${code}`}${meaning === undefined ? '' : `: ${meaning}`}`;
};
