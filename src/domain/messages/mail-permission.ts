import { dayMs, hourMs } from '../time/period.ts';

// Determines whether an environment may send an email to a recipient (PLT-114). Because anyone can create an
// organization with arbitrary content and customers, only organizations with a verified member can email strangers.
// This prevents spam.

export type EmailContext = {
  readonly livemode: boolean;
  /** True if the operator created the organization, or its owner has verified an email address. */
  readonly isOrganizationVerified: boolean;
  /** True if the recipient is an organization member with a verified email address. */
  readonly isMember: boolean;
  /** True if the operator allows sandboxes of verified organizations to send emails to anyone. */
  readonly sandboxesWrite: boolean;
};

/** Reason why an email isn't sent. */
export type Withheld = 'sandbox' | 'organization_unverified';

/** Returns the reason why an email must not be sent. `null` if it may be sent. */
export function withheld({
  livemode,
  isOrganizationVerified,
  isMember,
  sandboxesWrite,
}: EmailContext): Withheld | null {
  if (isMember) return null;
  if (!livemode && !(sandboxesWrite && isOrganizationVerified)) return 'sandbox';
  return isOrganizationVerified ? null : 'organization_unverified';
}

/** Maximum delay of emails from an unverified organization in the live environment. */
const waitMs = 3 * dayMs;

/** Returns the time at which to retry an email from an unverified organization. `null` after 3 days. */
export const nextWhileUnverified = (createdAt: Date, now: Date): Date | null =>
  now.getTime() - createdAt.getTime() >= waitMs ? null : new Date(now.getTime() + hourMs);

/**
 * Patterns that mail clients turn into links: URLs with a scheme, `www.` followed by text, and host names with a
 * path.
 */
const links = /\b[a-z][a-z0-9+.-]*:\/\/\S*|\bwww\.\S+|\S+\.[a-z]{2,}\/\S*/gi;

/** Returns a user-chosen name that is safe for emails: on one line and without links. */
export const nameInEmail = (name: string): string =>
  name.replaceAll(links, ' ').replaceAll(/\s+/g, ' ').trim();
