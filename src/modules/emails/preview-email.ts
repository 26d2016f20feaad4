import type { Context } from '../../context.ts';
import type { EmailKind } from '../../domain/emails.ts';
import type { Language } from '../../domain/page-language.ts';
import type { MailMessage } from '../../platform/mail.ts';
import { readOrganization } from '../organizations/store.ts';
import type { EmailAbout } from './templates/content.ts';
import { emailTexts } from './templates/index.ts';

const dayMs = 86_400_000;

/** What an example email tells; its links lead nowhere. */
function exampleAbout(publicUrl: string, now: Date): EmailAbout {
  const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs);
  const amount = { amount: 4_900n, currency: 'usd' };
  return {
    purpose: 'start',
    invoiceNumber: 'INV-0042',
    money: amount,
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

/** An email of a kind as the organization sends it, about an example: 49.00 US dollars, in its language unless another one is named. Sends nothing. */
export async function previewEmail(
  ctx: Context,
  kind: EmailKind,
  language: Language | null,
): Promise<MailMessage> {
  const organization = await readOrganization(ctx);
  const head = {
    to: 'ada@example.com',
    customerName: 'Ada Lovelace',
    sender: { ...organization, language: language ?? organization.language },
    livemode: ctx.livemode,
  };
  return emailTexts[kind](head, exampleAbout(ctx.app.config.publicUrl, ctx.clock.now()));
}
