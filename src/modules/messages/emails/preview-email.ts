import type { EmailKind } from '../../../domain/messages/emails.ts';
import type { Language } from '../../../domain/text/language.ts';
import { dayMs } from '../../../domain/time/period.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import type { Context } from '../../../request/context.ts';
import { readOrganization } from '../../organization/organizations/store.ts';
import type { EmailAbout } from './templates/content.ts';
import { senderName } from './templates/head.ts';
import { emailTexts } from './templates/index.ts';

/** Data for an example email. Its links don't work. */
function exampleAbout(publicUrl: string, now: Date): EmailAbout {
  const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs);
  const amount = { amount: 4_900n, currency: 'usd' };
  return {
    purpose: 'start',
    invoiceNumber: 'INV-0042',
    creditNoteNumber: 'CN-0007',
    money: amount,
    units: null,
    limit: {
      name: 'Spend cap',
      event: 'reached',
      value: '$25.00',
      amount: '$25.00',
      budget: 'team:eu',
      resetsAt: inDays(7),
      timeZone: 'UTC',
    },
    debit: { last4: '3000', mandate: 'MDT-1JNKCNXR6WYNGWJZKY8DEJ' },
    reason: 'expired',
    planName: 'Pro',
    dueDate: inDays(7),
    on: now,
    next: { ...amount, on: inDays(14), interval: 'monthly', isFinal: true },
    isEnding: false,
    retryAt: inDays(1),
    endsAt: inDays(7),
    payUrl: `${publicUrl}/checkout/example`,
    manageUrl: `${publicUrl}/manage/example`,
    invoiceUrl: `${publicUrl}/invoice/example`,
  };
}

/**
 * Renders an example email of a type with the organization's branding and an amount of 49.00 US dollars. Defaults to the organization's
 * language. Doesn't send the email.
 */
export async function previewEmail(
  ctx: Context,
  kind: EmailKind,
  language: Language | null,
): Promise<MailMessage> {
  const organization = await readOrganization(ctx);
  const head = {
    to: 'ada@example.com',
    customerName: 'Ada Lovelace',
    sender: {
      ...organization,
      language: language ?? organization.language,
      name: senderName(organization),
    },
    livemode: ctx.livemode,
  };
  return emailTexts[kind](head, exampleAbout(ctx.app.config.publicUrl, ctx.clock.now()));
}
