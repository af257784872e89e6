/** Exit codes of the command; `atrium help exit-codes` prints them. */
export const exitCodes = {
  failed: 1,
  /** A usage error, or a declined question. */
  cancelled: 2,
  stillProvisioning: 3,
  signInNeeded: 4,
  /** SIGINT: 128 + 2, as shells have it. */
  interrupted: 130,
  /** SIGTERM: 128 + 15. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const MEANINGS: Readonly<Record<ExitCode, string>> = {
  1: 'the command failed',
  2: 'usage error, or the confirmation was declined',
  3: 'the client timed out while the server is still provisioning',
  4: 'sign in first: there is no session, or the credential is not accepted',
  130: 'ended by Ctrl-C; the only end of tail, and of listen without --count',
  143: 'ended by SIGTERM',
};

/** The table for people, a line each. */
export const exitCodeLines = (): readonly string[] =>
  Object.entries({ 0: 'done', ...MEANINGS }).map(
    ([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`,
  );
