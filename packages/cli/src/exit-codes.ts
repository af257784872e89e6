/** What the command ends with, as `gh` does; docs/guides/command-line.md tells it to people. */
export const exitCodes = {
  /** It could not be done. */
  failed: 1,
  /** The words were not understood, or a person said no. */
  cancelled: 2,
  /** The client waits no longer; the server goes on provisioning. */
  stillProvisioning: 3,
  /** Nobody is signed in, or the credential is not accepted. */
  signInNeeded: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
