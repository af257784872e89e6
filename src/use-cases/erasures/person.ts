/** The accounts and addresses of a person in an organisation. contract.md section 11. */
import type { Directory } from '../../domain/people/directory.ts';
import { subjectOfAddress, subjectOfUser } from '../../engine/log/personal-data.ts';

/** The person as the caller names them. */
export type Subject = { readonly userId: string } | { readonly email: string };

export interface Person {
  /** The named one first. */
  readonly subjects: readonly string[];
  readonly userIds: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
  /** Must not occur in the reason of an erasure. */
  readonly names: readonly string[];
}

/** Completes the subject by the directory: the addresses of an account, or the reverse. */
export const personNamed = (subject: Subject, directory: Directory | undefined): Person => {
  const entries = (directory?.users ?? []).filter((user) =>
    'userId' in subject
      ? user.userId === subject.userId
      : user.email?.toLowerCase() === subject.email.toLowerCase(),
  );
  const userIds = unique([
    ...('userId' in subject ? [subject.userId] : []),
    ...entries.map(({ userId }) => userId),
  ]);
  const emails = unique(
    [
      ...('email' in subject ? [subject.email] : []),
      ...entries.flatMap(({ email }) => email ?? []),
    ].map((email) => email.toLowerCase()),
  );
  const own = 'userId' in subject ? subjectOfUser(subject.userId) : subjectOfAddress(subject.email);
  const subjects = unique([own, ...userIds.map(subjectOfUser), ...emails.map(subjectOfAddress)]);
  const names = [...userIds, ...emails, ...entries.map(({ name }) => name)].filter(
    (name) => name !== '',
  );
  return { subjects, userIds, emails, names };
};

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];
