import { foldEmail } from '../text/folding.ts';
import { dayMs, hourMs, minuteMs } from '../time/period.ts';

// Rate limits for emails. Emails are counted separately for each limit name.

/** Maximum number of emails within the time window. The first email starts the window. */
export type MailLimit = { readonly name: string; readonly most: number; readonly windowMs: number };

/**
 * Limits password reset links per address (PLT-112). Up to two are sent per hour and each is valid for one
 * hour, so the latest link remains valid while the limit blocks new links. Requests by strangers therefore
 * can't lock out the owner of the address.
 */
export const resetLimits = (email: string): MailLimit[] => [
  { name: `reset minute ${foldEmail(email)}`, most: 1, windowMs: minuteMs },
  { name: `reset hour ${foldEmail(email)}`, most: 2, windowMs: hourMs },
];

/** Limits password reset links that the same sender requests for the same address. */
export const resetSenderLimits = (email: string, sender: string): MailLimit[] => [
  { name: `reset from ${sender} ${foldEmail(email)}`, most: 10, windowMs: dayMs },
];

/** Limits confirmation links per address. */
export const confirmationLimits = (email: string): MailLimit[] => [
  { name: `confirm minute ${foldEmail(email)}`, most: 1, windowMs: minuteMs },
  { name: `confirm day ${foldEmail(email)}`, most: 5, windowMs: dayMs },
];

/** Limits sign-up confirmation links per sender. */
export const signUpLimits = (sender: string): MailLimit[] => [
  { name: `sign-up from ${sender}`, most: 50, windowMs: dayMs },
];

/** Limits confirmation links that an account requests for new email addresses. */
export const addressChangeLimits = (personId: string): MailLimit[] => [
  { name: `address change ${personId}`, most: 10, windowMs: dayMs },
];

/**
 * Limits emails that are sent on request, such as a resent invoice, per recipient (PLT-115).
 */
export const requestedLimits = (about: string, recipient: string): MailLimit[] => [
  { name: `${about} hour ${foldEmail(recipient)}`, most: 5, windowMs: hourMs },
  { name: `${about} day ${foldEmail(recipient)}`, most: 20, windowMs: dayMs },
];

/** Limits invitations, both per address (across organizations) and per organization. */
export const invitationLimits = (email: string, organizationId: string, isVerified: boolean): MailLimit[] => [
  { name: `invitation hour ${foldEmail(email)}`, most: 3, windowMs: hourMs },
  { name: `invitation day ${foldEmail(email)}`, most: 5, windowMs: dayMs },
  { name: `invitations of ${organizationId}`, most: isVerified ? 200 : 10, windowMs: dayMs },
];

/**
 * Limits the automatic emails that an environment sends to an address. Emails above the limit are delayed.
 */
export const automaticLimits = (environmentId: string, recipient: string): MailLimit[] => [
  { name: `automatic ${environmentId} ${foldEmail(recipient)}`, most: 50, windowMs: hourMs },
];

/** Limits the number of emails that an environment sends per day. If `most` is 0, there is no limit. */
export const environmentLimits = (environmentId: string, most: number): MailLimit[] =>
  most === 0 ? [] : [{ name: `environment ${environmentId}`, most, windowMs: dayMs }];
