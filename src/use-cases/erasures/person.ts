/** Who a person is: their accounts and addresses in an organisation. contract.md section 11. */
import type { Directory } from '../../domain/people/directory.ts';
import { subjectOfAddress, subjectOfUser } from '../../engine/personal/personal-data.ts';

/** Whom a caller names. */
export type Subject = { readonly userId: string } | { readonly email: string };

export interface Person {
  /** The named one first. */
  readonly subjects: readonly string[];
  readonly userIds: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
  /** What a reason must not say. */
  readonly names: readonly string[];
}

/** The directory knows the address of an account, and the account of an address. */
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
